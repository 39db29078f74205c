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
import { breakLine, doesBreak, listed, shownTests, testLabel } from "./test-words.js";

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
  const found = (text: string) => ({ text, hasBreaks: broken.length > 0 });
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
  const count = (result: keyof typeof labels) => findings.filter((one) => one.result === result).length;
  const left = points.length - findings.length;
  const leftOut = `${left} of ${points.length} points were left out`;
  return found(
    [
      ...tableOf(order, failures, findings),
      "",
      ...summaryOf(failures, findings, first.tests.length),
      ...(await evidenceOf(broken.map(evidence))),
      ...(disturbed.length > 0
        ? [
            `Tests influence each other. These failed without a failure of their own: ${listed(disturbed.map(testLabel))}.`,
            "So failures of these tests, and of those that disturb them, were tried one at a time.",
          ]
        : []),
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

/** A row for each request and a column for each failure; before them the test, if any is known. */
function tableOf(
  calls: readonly string[],
  failures: readonly FailureName[],
  findings: readonly PointFinding[],
): string[] {
  const hasTests = findings.some(({ point }) => point.test !== undefined);
  const rows = calls.flatMap((call) => {
    const ofCall = findings.filter(({ point }) => point.call === call);
    if (ofCall.length === 0) return [];
    const cells = failures.map((failure) => {
      const finding = ofCall.find(({ point }) => point.injection.failure === failure);
      return finding === undefined ? "-" : `${labels[finding.result]}${finding.isUnconfirmed ? "?" : ""}`;
    });
    const test = ofCall[0]?.point.test;
    return [
      test === undefined
        ? [...(hasTests ? ["-"] : []), call, ...cells]
        : [testLabel(test), requestOf(call), ...cells],
    ];
  });
  return columns([[...(hasTests ? ["test"] : []), "call", ...failures], ...rows]);
}

/** Which tests break under which failure, which survive nothing, and which requests nobody recovers from. */
function summaryOf(
  failures: readonly FailureName[],
  findings: readonly PointFinding[],
  total: number,
): string[] {
  const broken = findings.filter(isBreak);
  const byFailure = failures.flatMap((failure) => {
    const ofFailure = broken.filter(({ point }) => point.injection.failure === failure);
    return breakLine(
      failure,
      ofFailure.flatMap(({ tests }) => tests),
      total,
    );
  });
  const known = findings.filter(({ point, result }) => point.test !== undefined && result !== "not met");
  const hopeless = (keyOf: (finding: PointFinding) => string) => {
    const hopeful = new Set(known.filter((finding) => !breaksItself(finding)).map(keyOf));
    return listed(known.map(keyOf).filter((key) => !hopeful.has(key)));
  };
  const tests = hopeless(({ point }) => (point.test === undefined ? "" : testLabel(point.test)));
  const requests = hopeless(({ point }) => requestOf(point.call));
  const lines = [
    ...byFailure,
    ...(tests === "" ? [] : [`Tests that survive no failure: ${tests}`]),
    ...(requests === "" ? [] : [`Requests that no test recovers from: ${requests}`]),
  ];
  return lines.length > 0 ? [...lines, ""] : [];
}

/** Whether the failure breaks the test whose request it meets, and not only another one. */
function breaksItself({ point, tests }: PointFinding): boolean {
  return tests.some((test) => test.id === point.test?.id && doesBreak(test));
}

/** Whether it breaks no other test. */
function breaksAlone(finding: PointFinding): boolean {
  return breaksItself(finding) && finding.tests.filter(doesBreak).length === 1;
}

/** Without its world: `rotate:acme#1`. */
function requestOf(call: string): string {
  return call.slice(call.indexOf("/") + 1);
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
