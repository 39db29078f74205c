import { counted } from "../../foundation/grammar.js";
import type { FailureName } from "../../run/injection.js";
import { isBreak } from "./evidence.js";
import type { FaultPlan, FaultResult, PointFinding } from "./plan-faults.js";
import { listed, testLabel } from "./results-by-test.js";

/** For the legend of the page. */
export const resultMeanings: Readonly<Record<FaultResult, string>> = {
  survives: "your tests pass with this failure",
  recovers:
    "a test fails, but the program got through: a later request succeeded. The test may assert the number or the time of requests",
  breaks: "a test fails with this failure, each time it is tried",
  hangs: "the run had to be ended: the program has no timeout",
  flaky: "a test failed once and passed when it was repeated, or it fails without a failure of the service",
  "not met": "the run did not make this request again",
};

interface Numbers {
  /** How many tests are known. */
  readonly tests: number;
  readonly points: number;
  readonly requests: number;
  readonly failures: readonly FailureName[];
  /** How many requests were left out, as their tests arm faults themselves. */
  readonly withOwnFault: number;
  readonly isInterrupted: boolean;
}

/** What was found, as lines. */
export function describeFindings(
  findings: readonly PointFinding[],
  { flaky, influenced, isCommandFlaky, hasRunsLeft }: FaultPlan,
  { tests, points, requests, failures, withOwnFault, isInterrupted }: Numbers,
) {
  const count = (...results: FaultResult[]) => findings.filter((one) => results.includes(one.result)).length;
  const [recovered, broken, hanging] = [count("recovers"), count("breaks"), count("hangs")];
  const judged = count("survives", "recovers", "breaks", "hangs");
  const survived = judged - recovered - broken - hanging;
  const isAll = recovered === judged - survived;
  const left = points - findings.length;
  const flakyTests = [...flaky.values()].map(testLabel);
  const [flakyCells, notMet] = [count("flaky"), count("not met")];
  const lineIf = (isTrue: boolean, ...lines: string[]) => (isTrue ? lines : []);
  return {
    byTest: [
      ...failures.flatMap((failure) => failureLine(failure, findings, tests)),
      ...assertionLines(findings),
    ],
    doubts: [
      ...lineIf(
        flakyTests.length > 0,
        `These tests fail without a failure of the service: ${listed(flakyTests)}.`,
        "Nothing is claimed about them. Make them pass every time, then explore again.",
      ),
      ...lineIf(
        isCommandFlaky,
        "Your command fails without a failure of the service, so nothing is claimed.",
      ),
      ...lineIf(
        influenced.size > 0,
        `Tests influence each other. Failed because of failures in other tests: ${listed([...influenced.values()].map(testLabel))}.`,
      ),
      ...lineIf(
        flakyCells > 0 && flaky.size === 0 && !isCommandFlaky,
        `${counted(flakyCells, "failure")} flaky: a test failed once, and passed when it was repeated.`,
      ),
      ...lineIf(
        notMet > 0,
        `${counted(notMet, "run")} did not make the request again, so the result is unknown.`,
        "Requests are named by world and group. Use the same names in every run.",
      ),
    ],
    leftOut: [
      ...lineIf(
        withOwnFault > 0,
        `${counted(withOwnFault, "request")} of tests that arm a fault or a hold themselves ${withOwnFault === 1 ? "was" : "were"} left out. Add --all to try them.`,
      ),
      ...lineIf(
        left > 0,
        `${isInterrupted ? "Interrupted: " : ""}${left} of ${counted(points, "combination")}` +
          ` ${left === 1 ? "was" : "were"} left out.${hasRunsLeft ? "" : " Raise --max-runs to try them."}`,
      ),
    ],
    conclusion: [
      `There ${points === 1 ? "is" : "are"} ${counted(points, "combination")}:` +
        ` ${counted(requests, "request")} with ${counted(failures.length, "kind")} of failure each.`,
      [
        `Your tests pass with ${survived} of ${counted(judged, "failure")}.`,
        ...lineIf(
          recovered > 0,
          `The program recovered from ${isAll ? "the other " : ""}${recovered}${isAll ? "" : " of the others"}, but a test failed: it may assert the number or the time of requests.`,
        ),
        ...lineIf(
          broken > 0,
          `${broken} ${broken === 1 ? "breaks" : "break"} ${tests > 0 ? "the program" : "your tests"}.`,
        ),
        ...lineIf(hanging > 0, `${hanging} ${hanging === 1 ? "makes" : "make"} it hang.`),
      ].join(" "),
    ],
  };
}

/** `lost breaks 2 of 30 tests: …`. Empty if no test is known to break. */
function failureLine(failure: FailureName, findings: readonly PointFinding[], total: number): string[] {
  const broken = findings.filter((one) => one.point.injection.failure === failure && isBreak(one));
  const tests = new Set(broken.flatMap(({ point: { test } }) => (test === undefined ? [] : testLabel(test))));
  return tests.size === 0
    ? []
    : [`${failure} breaks ${tests.size} of ${counted(total, "test")}: ${listed(tests)}`];
}

/** How many tests are shown with their error. */
const shownErrors = 5;

/** What the tests assert that fail although the program recovers. */
function assertionLines(findings: readonly PointFinding[]): string[] {
  const lines = findings.flatMap(({ point: { test }, result, shown }) => {
    if (result !== "recovers" || test === undefined) return [];
    const error = shown?.result.seen.tests.find(({ id }) => id === test.id)?.error ?? "unknown error";
    return `The program recovers, but ${testLabel(test)} fails: ${error}`;
  });
  const all = [...new Set(lines)];
  const more = all.length - shownErrors;
  return [...all.slice(0, shownErrors), ...(more > 0 ? [`and ${more} more`] : [])];
}
