import { counted } from "../../foundation/grammar.js";
import { hint } from "../../foundation/nearest.js";
import { rejectFlag } from "../../options/reject-flag.js";
import { type FailureName, failureNames } from "../../run/injection.js";
import type { RunSeen } from "../../run/read-seen.js";
import { doesBreak } from "../../run/test-results.js";
import { evidenceOf, isBreak } from "./evidence.js";
import type { Exploration, ExploreFlags, Found, Shown } from "./exploration.js";
import { describeFindings, resultMeanings } from "./fault-words.js";
import { type Matrix, matrixLines } from "./matrix.js";
import { type FaultRun, judgePoint, type PointFinding, planFaults } from "./plan-faults.js";
import { pointsOf } from "./points.js";
import { requestOf, shownTests, testLabel } from "./results-by-test.js";

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
  { bail = false, all = false, maxRuns = defaultMaxRuns }: ExploreFlags,
): Promise<Found | undefined> {
  const tried = first.requests.filter((request) => all || !first.withOwnFault.has(request));
  if (tried.length === 0) {
    exploration.progress.clear();
    process.stderr.write(`${first.requests.length === 0 ? allRejected : allWithOwnFaults}\n`);
    return undefined;
  }
  const points = pointsOf(tried, failures, first.tests);
  const suite = { points, tests: first.tests, maxRuns, bail };
  const shown = await exploration.carryOut<FaultRun>(
    (ended, running) => planFaults(suite, ended, running),
    describeRun,
  );
  const plan = planFaults(suite, shown, []);
  const byFile = points.toSorted((a, b) => (a.test?.file ?? "").localeCompare(b.test?.file ?? ""));
  const requests = [...new Set(byFile.map(({ request }) => request))];
  const findings = plan.findings.toSorted(
    (a, b) => requests.indexOf(a.point.request) - requests.indexOf(b.point.request),
  );
  const evidence = ({ point, shown: run }: PointFinding) => {
    if (run === undefined) return undefined;
    const { exitCode, durationMs, log } = run.result;
    return { exitCode, durationMs, log, repeat: exploration.repeatLine({ inject: [point.injection] }) };
  };
  const words = describeFindings(findings, plan, {
    tests: first.tests.length,
    points: points.length,
    requests: requests.length,
    failures,
    withOwnFault: first.requests.length - tried.length,
    isInterrupted: exploration.isInterrupted,
  });
  const matrix = matrixOf(requests, failures, findings, (finding) => evidence(finding)?.repeat);
  const broken = findings.filter(isBreak);
  const isKnown = <Item>(item: Item | undefined): item is Item => item !== undefined;
  return {
    hasBreaks: broken.length > 0,
    matrix,
    legend: resultMeanings,
    summary: [...words.conclusion, ...words.byTest, ...words.doubts],
    json: {
      faults: findings.map((finding) => ({
        call: finding.point.request,
        failure: finding.point.injection.failure,
        result: finding.result,
        ...(finding.isUnconfirmed && { confirmed: false }),
        ...evidence(finding),
        tests: shownTests(testsInFinding(finding)),
      })),
      leftOut: first.requests.length - tried.length,
      flaky: shownTests([...plan.flaky.values()]),
      influenced: shownTests([...plan.influenced.values()]),
    },
    lines: [
      ...matrixLines(matrix),
      "",
      ...(words.byTest.length > 0 ? [...words.byTest, ""] : []),
      ...evidenceOf(broken.map(evidence).filter(isKnown)),
      ...words.doubts,
      ...words.leftOut,
      ...words.conclusion,
    ],
  };
}

const allRejected =
  "Requests reached a mock, but all of them were rejected, so there is no response that a failure could replace.";
const allWithOwnFaults =
  "All requests are those of tests that arm a fault or a hold themselves, so they were left out. Add --all to try them.";

/** For the progress. */
function describeRun(shown: Shown<FaultRun>): string {
  const { points } = shown.run;
  const verdicts = points.map((point) => judgePoint(point, shown));
  if (points.length === 0) return shown.result.exitCode === 0 ? "passes" : "fails";
  if (verdicts.length === 1) return verdicts.join();
  const passing = verdicts.filter((verdict) => verdict === "survives").length;
  return `passes in ${passing} of ${counted(points.length, "test")} with a failure`;
}

/** The test of the point; if it is not known, all tests that failed. */
function testsInFinding({ point, shown }: PointFinding) {
  const tests = shown?.result.seen.tests ?? [];
  return tests.filter((test) => (point.test === undefined ? doesBreak(test) : test.id === point.test.id));
}

const labels: Readonly<Record<string, string>> = { breaks: "BREAKS", hangs: "HANGS" };

/** A row for each request and a column for each failure; before them the test, if any is known. */
function matrixOf(
  requests: readonly string[],
  failures: readonly FailureName[],
  findings: readonly PointFinding[],
  repeat: (finding: PointFinding) => string | undefined,
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
      const { result, isUnconfirmed, shown } = finding;
      const label = `${labels[result] ?? result}${isUnconfirmed ? "?" : ""}`;
      if (shown === undefined) return { result, label };
      const world = test?.world ?? finding.point.injection.request.world ?? "default";
      const command = repeat(finding);
      return { result, label, log: shown.result.log, world, ...(command && { repeat: command }) };
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
