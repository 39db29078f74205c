import { counted } from "../../foundation/grammar.js";
import { hint } from "../../foundation/nearest.js";
import { type FailureName, failureNames } from "../../run/injection.js";
import type { RunSeen } from "../../run/run.js";
import { type RecordedTest, testName } from "../../run/test-results.js";
import type { FlagsOf } from "../commands.js";
import { refuseFlag } from "../refuse-flag.js";
import { commandForTest } from "./command-for-test.js";
import { evidenceOf, isBreak } from "./evidence.js";
import type { Exploration, Found, PlannedRun } from "./exploration.js";
import { FaultPlan, type PointFinding } from "./fault-plan.js";
import { breaksAlone, influenceLines, matrixOf, resultsByTest } from "./fault-words.js";
import { matrixLines } from "./matrix.js";
import { pointsOf } from "./points.js";
import { shownTests } from "./test-words.js";

const defaultMaxRuns = 200;

/**
 * `usergroup-mock explore --faults -- <command>`: which single failures of the service does this code survive?
 * Undefined, with words on standard error, when there is nothing to try.
 * @param first what the first run has seen
 */
export async function exploreFaults(
  exploration: Exploration,
  first: RunSeen,
  failures: readonly FailureName[],
  flags: FlagsOf<"explore">,
): Promise<Found | undefined> {
  const { json, bail = false, noConfirm = false, maxRuns = defaultMaxRuns } = flags;
  const { calls } = first;
  if (calls.length === 0) {
    exploration.progress.clear();
    process.stderr.write(
      "Calls reached a mock, but all of them were refused: no failure can be put in their place.\n",
    );
    return undefined;
  }
  const points = pointsOf(calls, failures, first.tests);
  const plan = new FaultPlan(points, first.tests, { maxRuns, bail, confirm: !noConfirm });
  await exploration.runAll(plan);
  const files = new Map(points.map(({ call, test }) => [call, test?.file ?? ""]));
  const fileOf = (call: string) => files.get(call) ?? "";
  const order = calls.toSorted((a, b) => fileOf(a).localeCompare(fileOf(b)));
  const findings = plan
    .findings()
    .toSorted((a, b) => order.indexOf(a.point.call) - order.indexOf(b.point.call));
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
  const influence = disturbed.length > 0 ? influenceLines(disturbed) : [];
  const matrix = matrixOf(order, failures, findings);
  const byTest = resultsByTest(failures, findings, first.tests.length);
  const count = (result: PointFinding["result"]) => findings.filter((one) => one.result === result).length;
  const conclusion =
    `Your code survives ${count("survives")} of ${counted(findings.length - count("not met"), "failure")}.` +
    ` There ${points.length === 1 ? "is" : "are"} ${counted(points.length, "point")}:` +
    ` ${counted(calls.length, "request")} with ${counted(failures.length, "kind")} of failure each.`;
  const found = (text: string) => ({
    text,
    hasBreaks: broken.length > 0,
    matrix,
    summary: [conclusion, ...byTest, ...influence],
  });
  if (json) {
    const faults = findings.map((finding) => ({
      call: finding.point.call,
      failure: finding.point.injection.failure,
      result: finding.result,
      ...(finding.isUnconfirmed && { confirmed: false }),
      ...evidence(finding),
      tests: shownTests(finding.tests),
    }));
    const influenced = disturbed.map((test) => ({ name: testName(test), file: test.file }));
    return found(JSON.stringify({ faults, influenced }, undefined, 2));
  }
  const left = points.length - findings.length;
  const leftOut = `${left} of ${counted(points.length, "point")} ${left === 1 ? "was" : "were"} left out`;
  return found(
    [
      ...matrixLines(matrix),
      "",
      ...(byTest.length > 0 ? [...byTest, ""] : []),
      ...(await evidenceOf(broken.map(evidence))),
      ...influence,
      ...(count("not met") > 0
        ? [
            `${counted(count("not met"), "run")} did not make the call again: no result is known.`,
            "Calls are named by world and group, so give both the same names in every run.",
          ]
        : []),
      ...(left > 0
        ? [
            exploration.isInterrupted
              ? `Interrupted: ${leftOut}.`
              : `${leftOut}; raise --max-runs to try them.`,
          ]
        : []),
      conclusion,
    ].join("\n"),
  );
}

/** A test without a failure, alone. */
interface RunAlone extends PlannedRun {
  readonly test: RecordedTest;
  readonly argv: readonly string[];
}

/** For so many tests that break, it is tried whether they pass alone. */
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
  const waiting = [...tests.values()].slice(0, Math.min(triedAlone, runsLeft)).flatMap((test): RunAlone[] => {
    const argv = commandForTest(exploration.argv, test);
    return argv === undefined ? [] : [{ name: `alone: ${testName(test)}`, test, argv }];
  });
  await exploration.runAll<RunAlone>({
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
