import { counted } from "../../foundation/grammar.js";
import { hint } from "../../foundation/nearest.js";
import { rejectFlag } from "../../options/reject-flag.js";
import { type FailureName, failureNames } from "../../run/injection.js";
import type { RunSeen } from "../../run/run.js";
import { testName } from "../../run/test-results.js";
import { evidenceOf, isBreak } from "./evidence.js";
import type { Exploration, ExploreFlags, Found } from "./exploration.js";
import { FaultPlan, type PointFinding } from "./fault-plan.js";
import { type Matrix, matrixLines } from "./matrix.js";
import { pointsOf } from "./points.js";
import { listed, requestOf, resultsByTest, shownTests, testLabel } from "./results-by-test.js";

const defaultMaxRuns = 200;

/**
 * `usergroup-mock explore --faults -- <command>`: which single failures of the service does this code survive?
 * Undefined, with a message on standard error, if there is nothing to try.
 * @param first what the first run has seen
 */
export async function exploreFaults(
  exploration: Exploration,
  first: RunSeen,
  failures: readonly FailureName[],
  { bail = false, maxRuns = defaultMaxRuns }: ExploreFlags,
): Promise<Found | undefined> {
  if (first.requests.length === 0) {
    exploration.progress.clear();
    process.stderr.write(
      "Requests reached a mock, but all of them were rejected, so there is no response that a failure could replace.\n",
    );
    return undefined;
  }
  const points = pointsOf(first.requests, failures, first.tests);
  const plan = new FaultPlan(points, first.tests, { maxRuns, bail });
  await exploration.runAll(plan);
  const byFile = points.toSorted((a, b) => (a.test?.file ?? "").localeCompare(b.test?.file ?? ""));
  const requests = [...new Set(byFile.map(({ request }) => request))];
  const findings = plan
    .findings()
    .toSorted((a, b) => requests.indexOf(a.point.request) - requests.indexOf(b.point.request));
  const broken = findings.filter(isBreak);
  const evidence = ({ point, ended: { exitCode, durationMs, log } }: PointFinding) => {
    const repeat = exploration.repeatLine({ inject: [point.injection] });
    return { exitCode, durationMs, log, repeat };
  };
  const disturbed = [...plan.disturbed.values()];
  const influence = [
    `Tests influence each other. Failed without an injected failure: ${listed(disturbed.map(testLabel))}.`,
    "Failures in these tests, and in the tests that influence them, were tried one at a time.",
  ].filter(() => disturbed.length > 0);
  const matrix = matrixOf(requests, failures, findings, (finding) => evidence(finding).repeat);
  const byTest = resultsByTest(failures, findings, first.tests.length);
  const count = (result: PointFinding["result"]) => findings.filter((one) => one.result === result).length;
  const notMet = count("not met");
  const conclusion =
    `Your code survives ${count("survives")} of ${counted(findings.length - notMet, "failure")}.` +
    ` There ${points.length === 1 ? "is" : "are"} ${counted(points.length, "combination")}:` +
    ` ${counted(requests.length, "request")} with ${counted(failures.length, "kind")} of failure each.`;
  const left = points.length - findings.length;
  const leftOut =
    `${exploration.isInterrupted ? "Interrupted: " : ""}${left} of ${counted(points.length, "combination")}` +
    ` ${left === 1 ? "was" : "were"} left out.${plan.runsLeft > 0 ? "" : " Raise --max-runs to try them."}`;
  return {
    hasBreaks: broken.length > 0,
    matrix,
    summary: [conclusion, ...byTest, ...influence],
    json: {
      faults: findings.map((finding) => ({
        call: finding.point.request,
        failure: finding.point.injection.failure,
        result: finding.result,
        ...(finding.isUnconfirmed && { confirmed: false }),
        ...evidence(finding),
        tests: shownTests(finding.tests),
      })),
      influenced: disturbed.map((test) => ({ name: testName(test), file: test.file })),
    },
    lines: [
      ...matrixLines(matrix),
      "",
      ...(byTest.length > 0 ? [...byTest, ""] : []),
      ...evidenceOf(broken.map(evidence)),
      ...influence,
      ...(notMet > 0
        ? [
            `${counted(notMet, "run")} did not make the request again, so the result is unknown.`,
            "Requests are named by world and group. Use the same names in every run.",
          ]
        : []),
      ...(left > 0 ? [leftOut] : []),
      conclusion,
    ],
  };
}

const labels = { survives: "survives", breaks: "BREAKS", hangs: "HANGS", "not met": "not met" } as const;

/** A row for each request and a column for each failure; before them the test, if any is known. */
function matrixOf(
  requests: readonly string[],
  failures: readonly FailureName[],
  findings: readonly PointFinding[],
  repeat: (finding: PointFinding) => string,
): Matrix {
  const hasTests = findings.some(({ point }) => point.test !== undefined);
  const rows = requests.flatMap((request) => {
    const ofRequest = findings.filter(({ point }) => point.request === request);
    const [known] = ofRequest;
    if (known === undefined) return [];
    const { test } = known.point;
    const cells = failures.map((failure) => {
      const finding = ofRequest.find(({ point }) => point.injection.failure === failure);
      if (finding === undefined) return { result: "-", label: "-" };
      const { result, isUnconfirmed, ended } = finding;
      const world = test?.world ?? finding.point.injection.request.world ?? "default";
      const label = `${labels[result]}${isUnconfirmed ? "?" : ""}`;
      return { result, label, log: ended.log, world, repeat: repeat(finding) };
    });
    const heads = test === undefined ? ["-", request] : [testLabel(test), requestOf(request)];
    return [{ heads: hasTests ? heads : [request], cells }];
  });
  return { titles: [...(hasTests ? ["test"] : []), "request", ...failures], rows };
}

export function wantedFailures(wanted: readonly string[]): readonly FailureName[] {
  const unknown = wanted.find((name) => !failureNames.some((known) => known === name));
  if (unknown !== undefined) {
    rejectFlag(`--only ${unknown}: there is no failure ${unknown}${hint(unknown, failureNames)}`);
  }
  return wanted.length === 0 ? failureNames : failureNames.filter((name) => wanted.includes(name));
}
