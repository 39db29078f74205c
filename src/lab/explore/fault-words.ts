import { counted } from "../../foundation/grammar.js";
import type { FailureName } from "../../run/injection.js";
import { breakLine, firstOf, isBreak, labelList, testLabel } from "./findings.js";
import type { FaultPlan, FaultResult, PointFinding } from "./plan-faults.js";

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

/**
 * What was found, as lines.
 * @param tried how many tests are known, and how many requests were left out, as their tests arm faults themselves
 */
export function describeFindings(
  findings: readonly PointFinding[],
  { flaky, influenced, isCommandFlaky, hasRunsLeft }: FaultPlan,
  tried: { tests: number; requests: number; leftOut: number; isInterrupted: boolean },
  failures: readonly FailureName[],
) {
  const { tests, requests, leftOut, isInterrupted } = tried;
  const count = (...results: FaultResult[]) => findings.filter((one) => results.includes(one.result)).length;
  const [recovered, broken, hanging] = [count("recovers"), count("breaks"), count("hangs")];
  const judged = count("survives", "recovers", "breaks", "hangs");
  const survived = judged - recovered - broken - hanging;
  const isAll = recovered === judged - survived;
  const points = requests * failures.length;
  const left = points - findings.length;
  const [flakyCells, notMet] = [count("flaky"), count("not met")];
  const lineIf = (isTrue: boolean, ...lines: string[]) => (isTrue ? lines : []);
  return {
    byTest: [
      ...failures.flatMap((failure) => {
        const ofFailure = findings.filter((one) => isBreak(one) && one.point.injection.failure === failure);
        const broken = ofFailure.flatMap(({ point }) => point.test ?? []);
        return breakLine(failure, broken, tests);
      }),
      ...assertionLines(findings),
    ],
    conclusion: [
      ...lineIf(
        flaky.size > 0,
        `These tests fail without a failure of the service: ${labelList(flaky.values())}.`,
        "Nothing is claimed about them. Make them pass every time, then explore again.",
      ),
      ...lineIf(
        isCommandFlaky,
        "Your command fails without a failure of the service, so nothing is claimed.",
      ),
      ...lineIf(
        influenced.size > 0,
        `Tests influence each other. Failed because of failures in other tests: ${labelList(influenced.values())}.`,
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
      ...lineIf(
        leftOut > 0,
        `${counted(leftOut, "request")} of tests that arm a fault or a hold themselves ${leftOut === 1 ? "was" : "were"} left out. Add --all to try them.`,
      ),
      ...lineIf(
        left > 0,
        `${isInterrupted ? "Interrupted: " : ""}${left} of ${counted(points, "combination")}` +
          ` ${left === 1 ? "was" : "were"} left out.${hasRunsLeft ? "" : " Raise --max-runs to try them."}`,
      ),
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

/** What the tests assert that fail although the program recovers. */
function assertionLines(findings: readonly PointFinding[]): string[] {
  const lines = findings.flatMap(({ point: { test }, result, shown }) => {
    if (result !== "recovers" || test === undefined) return [];
    const error = shown?.result.seen.tests.find(({ id }) => id === test.id)?.error ?? "unknown error";
    return `The program recovers, but ${testLabel(test)} fails: ${error}`;
  });
  const { first, more } = firstOf(new Set(lines));
  return [...first, ...(more > 0 ? [`and ${more} more`] : [])];
}
