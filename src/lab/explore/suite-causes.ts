import { asSentence, counted, sentence } from "../../foundation/grammar.js";
import type { Operation } from "../../generated/types.js";
import type { FailureName } from "../../run/injection.js";
import { type RecordedTest, testName } from "../../run/report-test.js";
import type { ChangeFinding } from "./judge-runs.js";

/** Failures that make tests fail with the same error. */
export interface SuiteCause {
  readonly result: "hangs" | "breaks" | "recovers";
  readonly error: string | undefined;
  /** All of them. The first one is the example to show. */
  readonly findings: readonly [ChangeFinding, ...ChangeFinding[]];
  /** The failures of each operation. */
  readonly failures: ReadonlyMap<Operation, readonly string[]>;
  readonly tests: readonly RecordedTest[];
}

const order = ["hangs", "breaks", "recovers"] as const;

/** The causes of all that does not survive: first what breaks most tests. */
export function findSuiteCauses(findings: readonly ChangeFinding[]): SuiteCause[] {
  const groups = new Map<string, [ChangeFinding, ...ChangeFinding[]]>();
  for (const finding of findings) {
    const { result, error } = finding;
    if (!order.some((one) => one === result)) continue;
    const key = `${result} ${error}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  const causes = Array.from(groups.values(), describeGroup);
  return causes.toSorted(
    (a, b) => order.indexOf(a.result) - order.indexOf(b.result) || b.findings.length - a.findings.length,
  );
}

function describeGroup(findings: readonly [ChangeFinding, ...ChangeFinding[]]): SuiteCause {
  const [{ result, error }] = findings;
  const failures = new Map<Operation, string[]>();
  const tests = new Map<string, RecordedTest>();
  for (const { change, tests: ofChange } of findings) {
    for (const test of ofChange) tests.set(test.id, test);
    const operation = change.injection?.operation;
    if (operation === undefined) continue;
    const ofOperation = failures.get(operation) ?? [];
    if (!ofOperation.includes(change.to)) ofOperation.push(change.to);
    failures.set(operation, ofOperation);
  }
  const known = order.find((one) => one === result) ?? "breaks";
  return { result: known, error, findings, failures, tests: [...tests.values()] };
}

/** `All 7 failures of get-or-create break 6 tests with the same error: socket hang up` */
export function causeText(cause: SuiteCause, tried: readonly string[]): string {
  const { result, error, tests, findings } = cause;
  const [only] = tests.length === 1 ? tests : [];
  const what = only === undefined ? counted(tests.length, "test") : `"${testName(only)}" (${only.file})`;
  const broken = tests.length === 0 ? "your tests" : what;
  const isPlural = new Set(findings.map(({ change }) => change.to)).size > 1;
  const failures = failuresText(cause, tried);
  const start = failures.replace(/^all /, "All ");
  const same = findings.length > 1 && error !== undefined ? " with the same error" : "";
  const end = error === undefined ? "" : `${same}: ${error}`;
  if (result === "hangs") return `${start} ${isPlural ? "make" : "makes"} ${broken} hang`;
  if (result === "breaks") return `${start} ${isPlural ? "break" : "breaks"} ${broken}${end}`;
  return `The program recovers from ${failures}, but ${what} ${tests.length === 1 ? "fails" : "fail"}${end}`;
}

/** `lost and cut of rotate, and all 7 failures of get-or-create` */
function failuresText({ failures }: SuiteCause, tried: readonly string[]): string {
  const operations = new Map<string, string[]>();
  for (const [operation, names] of failures) {
    const isAll = names.length === tried.length && names.length > 1;
    const ordered = tried.filter((name) => names.includes(name));
    const text = isAll ? `all ${names.length} failures` : listWords(ordered);
    operations.set(text, [...(operations.get(text) ?? []), operation]);
  }
  return Array.from(operations, ([text, names]) => `${text} of ${listWords(names)}`).join(", and ");
}

/** What the client gets, for advice. */
const after: Readonly<Record<FailureName, string>> = {
  unavailable: "a 503",
  throttled: "a 429",
  reset: "a reset connection",
  lost: "a lost response",
  silent: "a timeout",
  garbled: "broken JSON",
  cut: "half a response",
};

/** With these a request takes effect, unless the service rejects it. */
const withEffect = ["lost", "garbled", "cut"];

/** What to do if a request has taken effect and its response is lost. Undefined if the request can be repeated. */
const adviceAfterEffect: Readonly<Record<Operation, string | undefined>> = {
  "get-or-create": undefined,
  rotate: "the token was rotated, but the program does not have the new one: look the group up to get it",
};

/** What the cause means for the program. Empty if nothing is known of the tests: then a later request may have succeeded. */
export function causeAdvice(cause: SuiteCause, tried: readonly string[]): string {
  const { result, failures, tests, findings } = cause;
  if (result === "hangs") return "The program may have no timeout.";
  if (result === "recovers") return "The tests may assert the number or the time of requests.";
  if (tests.length === 0) return "";
  const names = tried.filter((name) => [...failures.values()].flat().includes(name));
  const [operation] = failures.size === 1 ? failures.keys() : [];
  const advice = operation && adviceAfterEffect[operation];
  const lost = names.filter((name) => withEffect.includes(name));
  if (advice === undefined || lost.length === 0 || !findings.some(tookEffect))
    return retryAdvice(findings, names, tried);
  if (lost.length === names.length) return asSentence(advice);
  // A retry helps after the others only.
  const others = names.filter((name) => !lost.includes(name));
  return `${retryAdvice(findings, others, tried)} After ${whatFollows(lost)}, ${sentence(advice)}`;
}

function retryAdvice(
  findings: readonly ChangeFinding[],
  names: readonly string[],
  tried: readonly string[],
): string {
  if (findings.every(wasRetried)) return "The client retries, but this is not enough.";
  if (names.length === tried.length && names.length > 1) return "The client does not retry.";
  if (names.join() === "silent") return "The client waits too long, or does not retry after a timeout.";
  return `The client does not retry after ${whatFollows(names)}.`;
}

/** What the client gets, in words. */
function whatFollows(names: readonly string[]): string {
  return listWords(names.map((name) => after[name as FailureName]));
}

/** Whether the service had performed the request whose response was lost. A test may send one to be rejected. */
function tookEffect({ shown, shownBy }: ChangeFinding): boolean {
  return shownBy !== undefined && shown?.seen.tookEffect.has(shownBy.name) === true;
}

/** Whether the program has sent the request again. */
function wasRetried({ shown, shownBy }: ChangeFinding): boolean {
  return shownBy !== undefined && shown?.seen.repeated.has(shownBy.name) === true;
}

/** `a`, `a and b`, `a, b and c` */
function listWords(words: readonly string[]): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" and ");
}
