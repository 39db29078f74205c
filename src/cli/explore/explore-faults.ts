import { hint } from "../../foundation/nearest.js";
import { type FailureName, failureNames } from "../../run/injection.js";
import type { RunSeen } from "../../run/run.js";
import { type RecordedTest, testName } from "../../run/test-results.js";
import type { FlagsOf } from "../commands.js";
import { refuseFlag } from "../refuse-flag.js";
import { columns } from "../terminal.js";
import { commandForTest } from "./command-for-test.js";
import { evidenceOf, isBreak } from "./evidence.js";
import type { Exploration, Found, PlannedRun } from "./exploration.js";
import { FaultPlan, type PointFinding } from "./fault-plan.js";
import { pointsOf } from "./points.js";

const defaultMaxRuns = 200;

const labels = { survives: "survives", breaks: "BREAKS", hangs: "HANGS", "not met": "not met" } as const;

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
  const findings = plan
    .findings()
    .toSorted((a, b) => calls.indexOf(a.point.call) - calls.indexOf(b.point.call));
  const broken = findings.filter(isBreak);
  const commands = bail ? new Map() : await findCommands(exploration, broken, plan.runsLeft);
  const evidence = (finding: PointFinding) => {
    const { point, ended } = finding;
    const { exitCode, durationMs, log } = ended;
    const argv = commands.get(point.test?.id);
    const repeat = exploration.repeatLine({ inject: [point.injection], ...(argv && { argv }) });
    return { exitCode, durationMs, log, repeat };
  };
  const found = (text: string) => ({ text, hasBreaks: broken.length > 0 });
  if (json) {
    const faults = findings.map((finding) => ({
      call: finding.point.call,
      failure: finding.point.injection.failure,
      result: finding.result,
      ...(finding.isUnconfirmed && { confirmed: false }),
      ...evidence(finding),
    }));
    return found(JSON.stringify({ faults }, undefined, 2));
  }
  const label = ({ result, isUnconfirmed }: PointFinding) => `${labels[result]}${isUnconfirmed ? "?" : ""}`;
  const cells = new Map(findings.map((finding) => [finding.point.name, label(finding)]));
  const rows = calls
    .map((call) => [call, ...failures.map((failure) => cells.get(`${call}=${failure}`) ?? "-")])
    .filter(([, ...results]) => results.some((cell) => cell !== "-"));
  const count = (result: keyof typeof labels) => findings.filter((one) => one.result === result).length;
  const left = points.length - findings.length;
  const leftOut = `${left} of ${points.length} points were left out`;
  return found(
    [
      ...columns([["call", ...failures], ...rows]),
      "",
      ...(await evidenceOf(broken.map(evidence))),
      ...(count("not met") > 0
        ? [
            `${count("not met")} runs did not make the call again: nothing is known of them.`,
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
      `Your code survives ${count("survives")} of ${findings.length - count("not met")} failures, of ${points.length} points:` +
        ` ${calls.length} calls and ${failures.length} failures.`,
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
  const tests = new Map(broken.flatMap(({ point: { test } }) => (test ? [[test.id, test] as const] : [])));
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
