import { counted } from "../../foundation/grammar.js";
import type { FailureName } from "../../run/injection.js";
import type { Change, EndedRun } from "./changes.js";
import type { Exploration } from "./exploration.js";
import {
  type Cell,
  type Found,
  isBreak,
  type Section,
  type SumWords,
  shortPath,
  showFinding,
  shownTests,
  sumUp,
} from "./findings.js";
import { groupBy } from "./group-by.js";
import type { Judged, Result } from "./judge.js";
import { causeAdvice, causeText, exampleOf, findSuiteCauses } from "./suite-causes.js";
import { firstOf, requestLabel, testLabel } from "./test-label.js";
import { steadyError } from "./turns.js";

/** What `explore --faults` has tried. */
export interface TriedFailures {
  /** Without those of tests that arm a fault themselves. */
  readonly requests: readonly string[];
  readonly failures: readonly FailureName[];
  /** Each failure at each request. */
  readonly changes: readonly Change[];
  readonly first: EndedRun;
}

/** "unknown": a run with this failure and others failed, and the exploration ended before it was tried alone. */
type FailureResult = Result | "unknown" | "left out" | "not tried";

type FailureCell = Cell<FailureResult>;

/** What of an exploration is shown. */
type Explored = Pick<Exploration, "given" | "logs" | "ended" | "endedEarly" | "silence">;

/** What was found, for a screen and for JSON. Keeps the logs that it names. */
export function describeFaults(tried: TriedFailures, judged: Judged, exploration: Explored): Found {
  const { requests, failures, changes, first } = tried;
  const { findings, flaky, unknown } = judged;
  const cells = new Map<Change, FailureCell>([
    ...findings.map((one) => [one.change, showFinding(one, exploration)] as const),
    ...unknown.map((change) => [change, { result: "unknown" }] as const),
  ]);
  const causes = findSuiteCauses(findings).map((cause) => ({
    text: causeText(cause, failures),
    advice: causeAdvice(cause, failures, exploration.silence),
    example: cells.get(exampleOf(cause).change) ?? notTried,
  }));
  const rows = requests.map((request) => requestRow(request, changes, cells));
  const leftOut = (first.seen.requests.length - requests.length) * failures.length;
  const results = [
    ...rows.flatMap(({ cells }) => cells.map(({ result }) => result)),
    ...Array.from({ length: leftOut }, () => "left out" as const),
  ];
  const made = counted(first.seen.requests.length, "request");
  const what = `${counted(results.length, "failure")} (${made} × ${counted(failures.length, "kind")})`;
  const sum = sumUp(what, results, failureSumWords, exploration);
  const flakyTests = Array.from(flaky, ([id, run]) => ({ id, run, log: exploration.logs.keep(run) }));
  return {
    causes,
    titles: ["request", ...failures],
    sections: layOut(rows.filter(({ cells }) => cells.some(isWorthReading))),
    lines: [
      ...firstOf(flakyTests.map(({ id, run, log }) => flakyTestLine(id, run, log))),
      ...notMetLine(results),
      ...survivingLine(rows),
      sum.line,
    ],
    hasBreak: findings.some(isBreak),
    json: {
      faults: rows.flatMap((row) => showCells(row, cells, first)),
      causes: causes.map(({ text, advice, example: { log, report, repeat } }) => {
        return { text, advice, log, report, repeat };
      }),
      flaky: flakyTests.flatMap(({ id, run, log }) =>
        shownTests(run.seen.tests.filter((test) => test.id === id)).map((test) => ({ ...test, log })),
      ),
      ...sum.json,
    },
  };
}

/** What is known of the failures of a request, for JSON. */
function showCells({ changes }: RequestRow, cells: ReadonlyMap<Change, Cell>, { seen }: EndedRun): object[] {
  const tried = changes.filter((change) => cells.has(change));
  return tried.map((change) => {
    const shown = { call: change.of, failure: change.to, ...cells.get(change) };
    return seen.withOwnFault.has(change.of) ? { ...shown, ownFault: true } : shown;
  });
}

/** A request with all its failures. */
interface RequestRow {
  readonly request: string;
  readonly changes: readonly Change[];
  readonly cells: readonly FailureCell[];
}

/** Of a failure that was not tried. */
const notTried: FailureCell = { result: "not tried" };

function requestRow(
  request: string,
  changes: readonly Change[],
  cells: ReadonlyMap<Change, FailureCell>,
): RequestRow {
  const ofRequest = changes.filter(({ of }) => of === request);
  return { request, changes: ofRequest, cells: ofRequest.map((change) => cells.get(change) ?? notTried) };
}

function isWorthReading({ result }: FailureCell): boolean {
  return !["survives", "unknown", "not tried"].includes(result);
}

/** The rows below the titles of their tests. */
function layOut(rows: readonly RequestRow[]): Section[] {
  const ofTests = groupBy(rows, ({ changes: [change] }) => change?.test?.id);
  return Array.from(ofTests.values(), (ofTest) => {
    const [{ changes }] = ofTest;
    const test = changes[0]?.test;
    return {
      title: test && testLabel(test),
      rows: ofTest.map(({ request, changes: [change], cells }) => ({
        heads: [change === undefined ? request : requestLabel(change)],
        cells,
      })),
    };
  });
}

const failureSumWords: SumWords<FailureResult> = {
  survives: ["survives", "survived"],
  recovers: ["recovers", "recovered, but a test failed"],
  breaks: ["breaks", "broke"],
  hangs: ["hangs", "hung"],
  flaky: ["flaky", "flaky"],
  unconfirmed: ["unconfirmed", "failed once, not tried again"],
  "not met": ["notMet", "not met"],
  unknown: ["unknown", "not clear: the run also had other failures"],
  "left out": [
    "leftOut",
    "left out, because their tests arm a fault or a hold themselves (--all tries them)",
  ],
  "not tried": ["notTried", "NOT TRIED"],
};

function survivingLine(rows: readonly RequestRow[]): string[] {
  const surviving = rows.filter(({ cells }) => cells.every(({ result }) => result === "survives"));
  if (surviving.length === 0) return [];
  return [`${counted(surviving.length, "request")} of ${rows.length}: your tests pass with every failure.`];
}

function notMetLine(results: readonly FailureResult[]): string[] {
  const notMet = results.filter((result) => result === "not met").length;
  if (notMet === 0) return [];
  return [
    `${counted(notMet, "run")} did not make the request again, so the result is unknown. Requests are named by place and group. Use the same names in every run.`,
  ];
}

/** `rotates twice (rotate.test.ts) fails now and then, or because of failures in other tests: bad luck. Log: …` */
function flakyTestLine(id: string, run: EndedRun, log: string): string {
  const test = run.seen.tests.find((one) => one.id === id);
  const end = `Log: ${shortPath(log)}`;
  if (test === undefined) return `Your command fails now and then (exit code ${run.exitCode}). ${end}`;
  const error = steadyError(test) ?? "unknown error";
  return `${testLabel(test)} fails now and then, or because of failures in other tests: ${error}. ${end}`;
}
