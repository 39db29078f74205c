import { counted } from "../../foundation/grammar.js";
import type { EndedRun } from "./exploration.js";
import type { FaultResult } from "./fault-runs.js";
import { firstOf, labelList, testLabel } from "./findings.js";
import type { FaultPlan, PointFinding, Stray } from "./plan-faults.js";

/** For the legend of the page. */
export const resultMeanings: Readonly<Record<FaultResult, string>> = {
  survives: "your tests pass with this failure",
  recovers:
    "a test fails, but the program got through: a later request succeeded. The test may assert the number or the time of requests",
  breaks: "a test fails with this failure, each time it is tried",
  hangs: "the run exceeded --run-timeout: the program may have no timeout",
  flaky:
    "a test failed once and passed when it was repeated, or it fails too often without a failure of the service",
  "not met": "the run did not make this request again",
};

/**
 * What was found, as lines.
 * @param tried how many tests are known, and how many requests were left out, as their tests arm faults themselves
 */
export function describeFindings(
  findings: readonly PointFinding[],
  { flaky, influenced, flakyCommand }: FaultPlan,
  tried: Readonly<Record<"tests" | "requests" | "kinds" | "leftOut", number>> & { isInterrupted: boolean },
) {
  const { tests, requests, kinds, leftOut, isInterrupted } = tried;
  const count = (...results: FaultResult[]) => findings.filter((one) => results.includes(one.result)).length;
  const [recovered, broken, hanging] = [count("recovers"), count("breaks"), count("hangs")];
  const judged = count("survives", "recovers", "breaks", "hangs");
  const survived = judged - recovered - broken - hanging;
  const others = recovered === judged - survived ? `the other ${recovered}` : `${recovered} of the others`;
  const points = requests * kinds;
  const left = points - findings.length;
  const notMet = count("not met");
  const program = tests > 0 ? "the program" : "your tests";
  const summary = [
    `Your tests pass with ${survived} of ${counted(judged, "failure")}.`,
    recovered > 0 &&
      `The program recovered from ${others}, but a test failed: it may assert the number or the time of requests.`,
    broken > 0 && `${broken} ${broken === 1 ? "breaks" : "break"} ${program}.`,
    hanging > 0 && `${hanging} ${hanging === 1 ? "makes" : "make"} it hang.`,
  ];
  const conclusion = [
    ...firstOf(Array.from(flaky.values(), strayLine)),
    flakyCommand !== undefined &&
      `Your command also failed without a failure of the service: ${runWords(flakyCommand)}`,
    (flaky.size > 0 || flakyCommand !== undefined) &&
      "What fails without a failure was tried more often. Make it pass every time, then explore again.",
    influenced.size > 0 &&
      `Tests influence each other. Failed because of failures in other tests: ${labelList(influenced.values())}.`,
    count("flaky") > 0 &&
      `${count("flaky")} of ${counted(points, "combination")} flaky: ${resultMeanings.flaky}.`,
    notMet > 0 &&
      `${counted(notMet, "run")} did not make the request again, so the result is unknown.` +
        " Requests are named by world and group. Use the same names in every run.",
    leftOut > 0 &&
      `Left out: ${counted(leftOut, "request")} of tests that arm a fault or a hold themselves. Add --all to try them.`,
    left > 0 &&
      `Left out: ${left} of ${counted(points, "combination")}. ${isInterrupted ? "Interrupted." : "Raise --max-runs to try them."}`,
    `${counted(points, "combination")}: ${counted(requests, "request")} with ${counted(kinds, "kind")} of failure each.`,
    summary.filter((line) => line !== false).join(" "),
  ];
  return { byTest: testLines(findings), conclusion: conclusion.filter((line) => line !== false) };
}

/** `rotates twice (rotate.test.ts) also failed without a failure of the service: bad luck, in run 3 … Log: …` */
function strayLine({ test, shown }: Stray): string {
  const error = oneLine(test.error?.message ?? "unknown error");
  return `${testLabel(test)} also failed without a failure of the service: ${error}, ${runWords(shown)}`;
}

function runWords({ run, exitCode, log }: EndedRun): string {
  return `in ${run.name} (exit code ${exitCode}). Log: ${log}`;
}

/** Which tests fail, and how. Breaks come first. */
function testLines(findings: readonly PointFinding[]): string[] {
  const lines = Object.entries(causes).flatMap(([cause, words]) =>
    findings.flatMap(({ point: { test }, result, shown }) => {
      if (result !== cause || test === undefined) return [];
      const error = shown?.seen.tests.find(({ id }) => id === test.id)?.error;
      return `${words} ${testLabel(test)} fails: ${oneLine(error?.message ?? "unknown error")}`;
    }),
  );
  return firstOf(new Set(lines));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 200);
}

const causes = {
  hangs: "The program hangs:",
  breaks: "The program breaks:",
  recovers: "The program recovers, but",
} satisfies { readonly [Result in FaultResult]?: string };
