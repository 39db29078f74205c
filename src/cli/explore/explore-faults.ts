import { counted } from "../../foundation/grammar.js";
import { hint } from "../../foundation/nearest.js";
import { type FailureName, failureNames } from "../../run/injection.js";
import type { RunSeen } from "../../run/run.js";
import { testName } from "../../run/test-results.js";
import type { FlagsOf } from "../commands.js";
import { refuseFlag } from "../refuse-flag.js";
import { commandForTest } from "./command-for-test.js";
import { evidenceOf, isBreak } from "./evidence.js";
import type { Exploration, Found } from "./exploration.js";
import { FaultPlan, type PointFinding } from "./fault-plan.js";
import { type Matrix, matrixLines } from "./matrix.js";
import { pointsOf } from "./points.js";
import { breaksAlone, listed, requestOf, resultsByTest, shownTests, testLabel } from "./results-by-test.js";

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
  { bail = false, noConfirm = false, maxRuns = defaultMaxRuns }: FlagsOf<"explore">,
): Promise<Found | undefined> {
  if (first.requests.length === 0) {
    exploration.progress.clear();
    process.stderr.write(
      "Requests reached a mock, but all of them were rejected, so there is no response that a failure could replace.\n",
    );
    return undefined;
  }
  const points = pointsOf(first.requests, failures, first.tests);
  const plan = new FaultPlan(points, first.tests, { maxRuns, bail, confirm: !noConfirm });
  await exploration.runAll(plan);
  const byFile = points.toSorted((a, b) => (a.test?.file ?? "").localeCompare(b.test?.file ?? ""));
  const requests = [...new Set(byFile.map(({ request }) => request))];
  const findings = plan
    .findings()
    .toSorted((a, b) => requests.indexOf(a.point.request) - requests.indexOf(b.point.request));
  const broken = findings.filter(isBreak);
  const commands = bail ? new Map() : await findCommands(exploration, broken, plan.runsLeft);
  const evidence = (finding: PointFinding) => {
    const { exitCode, durationMs, log } = finding.ended;
    const { point } = finding;
    const argv = breaksAlone(finding) ? commands.get(point.test?.id) : undefined;
    const repeat = exploration.repeatLine({ inject: [point.injection], ...(argv && { argv }) });
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

/** For how many tests that break it is tried whether they pass alone. */
const triedAlone = 10;

/** The commands with which tests that break run alone, by their ids: of those that pass alone without a failure. */
async function findCommands(
  exploration: Exploration,
  broken: readonly PointFinding[],
  runsLeft: number,
): Promise<Map<string | undefined, readonly string[]>> {
  const commands = new Map<string | undefined, readonly string[]>();
  const tests = new Map(
    broken.filter(breaksAlone).flatMap(({ point: { test } }) => (test ? [[test.id, test] as const] : [])),
  );
  const waiting = [...tests.values()].slice(0, Math.min(triedAlone, runsLeft)).flatMap((test) => {
    const argv = commandForTest(exploration.given.argv, test);
    return argv === undefined ? [] : [{ name: `alone: ${testName(test)}`, test, argv }];
  });
  await exploration.runAll<(typeof waiting)[number]>({
    left: () => waiting.length,
    next: () => waiting.shift(),
    judge: ({ test, argv }, { exitCode, seen }) => {
      // Tests with the same name may run with it.
      const isAlone = seen.tests.every((one) => testName(one) === testName(test));
      const passes = exitCode === 0 && isAlone && seen.tests.some(({ id }) => id === test.id);
      if (passes) commands.set(test.id, argv);
      return passes ? "passes" : "cannot be run alone";
    },
  });
  return commands;
}

export function wantedFailures(wanted: readonly string[]): readonly FailureName[] {
  const unknown = wanted.find((name) => !failureNames.some((known) => known === name));
  if (unknown !== undefined) {
    refuseFlag(`--only ${unknown}: there is no failure ${unknown}${hint(unknown, failureNames)}`);
  }
  return wanted.length === 0 ? failureNames : failureNames.filter((name) => wanted.includes(name));
}
