import { counted } from "../../foundation/grammar.js";
import type { FailureName } from "../../run/injection.js";
import { type RecordedTest, testName } from "../../run/report-test.js";
import { type AtLeastOne, groupBy } from "./group-by.js";
import type { Finding } from "./judge.js";

/** Failures that make tests fail with the same error. */
export interface SuiteCause {
  readonly result: "hangs" | "breaks" | "recovers";
  readonly error: string | undefined;
  readonly findings: AtLeastOne<Finding>;
}

const order = ["hangs", "breaks", "recovers"] as const;

/** The causes of all that does not survive: first what breaks most. */
export function findSuiteCauses(findings: readonly Finding[]): SuiteCause[] {
  return order.flatMap((result) => {
    const groups = groupBy(
      findings.filter((finding) => finding.result === result),
      ({ error }) => error,
    );
    return Array.from(groups, ([error, ofError]) => ({ result, error, findings: ofError })).toSorted(
      (a, b) => b.findings.length - a.findings.length,
    );
  });
}

/** The finding that is best to look at: its run has nothing else, or at least it shows this failure itself. */
export function exampleOf({ findings }: SuiteCause): Finding {
  const shownItself = findings.filter(({ change, shownBy }) => change === shownBy);
  return shownItself.find(({ shown }) => shown.changes.length === 1) ?? shownItself[0] ?? findings[0];
}

/** `All 7 failures of get-or-create break 6 tests with the same error: socket hang up` */
export function causeText({ result, error, findings }: SuiteCause, tried: readonly string[]): string {
  const tests = new Map(findings.map(({ change: { test } }) => [test?.id, test]));
  const broken = testsText([...tests.values()]);
  const failures = failuresText(findings, tried);
  const start = failures.replace(/^all /, "All ");
  const isPlural = new Set(findings.map(({ change }) => change.to)).size > 1;
  if (result === "hangs") return `${start} ${isPlural ? "make" : "makes"} ${broken} hang`;
  const same = findings.length > 1 ? " with the same error" : "";
  const end = error === undefined ? "" : `${same}: ${error}`;
  if (result === "breaks") return `${start} ${isPlural ? "break" : "breaks"} ${broken}${end}`;
  return `The program recovers from ${failures}, but ${broken} ${tests.size === 1 ? "fails" : "fail"}${end}`;
}

function testsText(tests: readonly (RecordedTest | undefined)[]): string {
  const [only] = tests;
  if (tests.length > 1) return counted(tests.length, "test");
  return only === undefined ? "your tests" : `"${testName(only)}" (${only.file})`;
}

/** `lost and cut of rotate, and all 7 failures of get-or-create` */
function failuresText(findings: readonly Finding[], tried: readonly string[]): string {
  const byOperation = groupBy(findings, ({ change }) => change.injection?.operation);
  const texts = Array.from(byOperation, ([operation, ofOperation]) => {
    const names = tried.filter((name) => ofOperation.some(({ change }) => change.to === name));
    const isAll = names.length === tried.length && names.length > 1;
    return { operation: `${operation}`, text: isAll ? `all ${names.length} failures` : listWords(names) };
  });
  const byText = groupBy(texts, ({ text }) => text);
  return Array.from(
    byText,
    ([text, same]) => `${text} of ${listWords(same.map(({ operation }) => operation))}`,
  ).join(", and ");
}

/** What the client gets with each kind of failure. */
const received: Readonly<Record<FailureName, string>> = {
  unavailable: "a 503",
  throttled: "a 429",
  reset: "a reset connection",
  lost: "a lost response",
  silent: "a timeout",
  garbled: "broken JSON",
  cut: "half a response",
};

/** What the cause probably means for the program. */
export function causeAdvice(
  { result, findings }: SuiteCause,
  tried: readonly FailureName[],
  silence: number,
): string {
  const kinds = new Set(findings.map(({ change }) => change.to));
  if (result === "recovers") return "The tests may assert the number or the time of requests.";
  if (result === "hangs") {
    if (!kinds.has("silent")) return "The run was ended by --run-timeout: the program may have no timeout.";
    return `The client still waited after ${silence} s: it may have no timeout, or a longer one (--silence).`;
  }
  if (kinds.size === tried.length && kinds.size > 1) return "The client probably does not retry.";
  const what = tried.filter((name) => kinds.has(name)).map((name) => received[name]);
  return `The client probably does not retry after ${listWords(what)}.`;
}

/** `a`, `a and b`, `a, b and c` */
function listWords(words: readonly string[]): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" and ");
}
