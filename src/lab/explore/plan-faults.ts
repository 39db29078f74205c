import { counted } from "../../foundation/grammar.js";
import { doesBreak, sharesWorld, type TestResult } from "../../run/test-results.js";
import type { EndedRun, PlannedRun } from "./exploration.js";
import { type Point, planRounds } from "./points.js";

/** A run with a failure at each of its points: in most tests, in one of them, or in none. */
export interface FaultRun extends PlannedRun {
  readonly points: readonly Point[];
}

/** What one run has shown of a point. "unknown": nothing, because another failure of the run may be the cause. */
type Verdict = "survives" | "recovers" | "breaks" | "hangs" | "not met" | "unknown";

export type FaultResult = Exclude<Verdict, "unknown"> | "flaky";

/** What is known of a point. */
export interface PointFinding {
  readonly point: Point;
  readonly result: FaultResult;
  /** The run that shows it. Missing: its test is flaky, so that no run was needed. */
  readonly shown?: EndedRun<FaultRun>;
}

/** What the first run has seen, and the limits of the exploration. */
export interface FaultSuite {
  readonly points: readonly Point[];
  readonly tests: readonly TestResult[];
  readonly maxRuns: number;
}

/** All that is known, and what to do next. */
export interface FaultPlan {
  /** In the order of the points. */
  readonly findings: readonly PointFinding[];
  /** The tests that failed without a failure of the service, by their ids. */
  readonly flaky: ReadonlyMap<string, TestResult>;
  /** The tests that failed, each time, because of failures in other tests. */
  readonly influenced: ReadonlyMap<string, TestResult>;
  /** Whether the command failed without a failure of the service, although no test is known to fail. */
  readonly isCommandFlaky: boolean;
  readonly next: FaultRun | undefined;
  /** About how many runs are left, without those that are running. */
  readonly left: number;
}

/** How often a point has to fail: a failure is confirmed by a second run. More often, if its test failed once and then passed. */
const neededFailures = { usual: 2, doubtful: 4 };

/** How often a run is repeated before a test that fails each time is reported as influenced by others. */
const neededRepetitions = 3;

/** The points of a run without a failure. */
const none: readonly Point[] = [];

/**
 * Which failures to try in which run, computed from what the first run saw and what later runs have shown. Each point is
 * tried once, in rounds where possible. What failed is tried again.
 * @param running the runs that have not ended
 */
export function planFaults(
  { points, tests, maxRuns }: FaultSuite,
  ended: readonly EndedRun<FaultRun>[],
  running: readonly FaultRun[],
): FaultPlan {
  const observed = ended.map(observe);
  const { checks, ...doubts } = findDoubts(tests, observed);
  const tries = collectTries(observed, doubts.flaky);
  const findings = findResults(points, tries, doubts);
  const done = new Set([...findings.map(({ point }) => point), ...running.flatMap((run) => run.points)]);
  const waiting = points.filter((point) => !done.has(point));
  // Tests that have their own worlds can share a run, as their requests have their own names.
  const together = new Set(points.flatMap(({ test }) => (test && !sharesWorld(test) ? test.id : [])));
  const isInRound = (point: Point) =>
    together.has(ownerOf(point)) && !tries.get(point)?.some(({ verdict }) => verdict === "unknown");
  const started = [...ended.map(({ run }) => run), ...running];
  const tried = new Set(started.map((run) => run.points).filter((inRun) => inRun !== none));
  const runs = [
    ...checks.filter((check) => !running.some((run) => run.points === check)),
    ...planRounds(waiting.filter(isInRound), [...together], tried.size),
    ...waiting.filter((point) => !isInRound(point)).map((point) => [point]),
  ];
  const left = Math.min(runs.length, maxRuns - started.length);
  const [first] = left > 0 ? runs : [];
  const next = first && planRun(first, started.length + 2);
  return { ...doubts, findings, next, left };
}

/**
 * A test that fails without a failure in it is flaky if it also fails in a run without any failure, or passes when the run is
 * repeated; otherwise it is influenced by other tests. `checks` are the points of the runs that find out.
 */
function findDoubts(tests: readonly TestResult[], runs: readonly Observed[]) {
  const flaky = new Map<string, TestResult>();
  const influenced = new Map<string, TestResult>();
  const checks: (readonly Point[])[] = [];
  for (const test of tests) if (test.result === "retried") flaky.set(test.id, test);
  const passedFirst = new Set(tests.filter(({ result }) => result === "passed").map(({ id }) => id));
  const control = runs.find(({ points }) => points === none);
  if (control === undefined && runs.some(({ shown }) => shown.exitCode !== 0)) checks.push(none);
  for (const test of control?.failed ?? []) if (passedFirst.has(test.id)) flaky.set(test.id, test);
  for (const { points, failed } of runs) {
    const same = runs.filter((run) => run.points === points);
    for (const test of failed) {
      if (!passedFirst.has(test.id) || flaky.has(test.id) || influenced.has(test.id)) continue;
      const isSteady = same.every((run) => run.failed.some(({ id }) => id === test.id));
      if (!isSteady) flaky.set(test.id, test);
      else if (same.length > neededRepetitions) influenced.set(test.id, test);
      else checks.push(points);
    }
  }
  const isCommandFlaky = control !== undefined && isUnexplained(control.shown);
  return { flaky, influenced, isCommandFlaky, checks: checks.slice(0, 1) };
}

type Observed = ReturnType<typeof observe>;

/** A run, the ids of the tests that had a failure, and those of the others that passed or failed. */
function observe(shown: EndedRun<FaultRun>) {
  const { points } = shown.run;
  const { injected, tests } = shown.seen;
  const hit = new Set(points.filter(({ name }) => injected.has(name)).map(ownerOf));
  const others = hit.has("") ? [] : tests.filter(({ id }) => !hit.has(id));
  const passed = new Set(others.filter(({ result }) => result === "passed").map(({ id }) => id));
  const failed = others.filter(({ result }) => result === "failed" || result === "retried");
  return { shown, points, hit, passed, failed };
}

/** The runs with each point, and what each has shown of it. */
type Tries = ReturnType<typeof collectTries>;

/**
 * The tries of each point. A test that failed beside failures in other tests counts only if it has passed beside failures in
 * each of them, while it had none itself.
 */
function collectTries(runs: readonly Observed[], flaky: FaultPlan["flaky"]) {
  const passesBeside = (id: string, other: string) =>
    id === other || runs.some(({ hit, passed }) => hit.has(other) && passed.has(id));
  const tries = new Map<Point, { readonly verdict: Verdict; readonly shown: EndedRun<FaultRun> }[]>();
  for (const { shown, points } of runs) {
    for (const point of points) {
      const found = judgePoint(point, shown, flaky);
      const isClear =
        !hasFailedTest(found) || points.every((other) => passesBeside(ownerOf(point), ownerOf(other)));
      const tried = { verdict: isClear ? found : "unknown", shown } as const;
      tries.get(point)?.push(tried) ?? tries.set(point, [tried]);
    }
  }
  return tries;
}

function hasFailedTest(verdict: Verdict): boolean {
  return verdict === "breaks" || verdict === "recovers";
}

/** What one run has shown of one of its points. */
export function judgePoint(point: Point, shown: EndedRun<FaultRun>, flaky?: FaultPlan["flaky"]): Verdict {
  const { hangs, seen } = shown;
  const isAlone = shown.run.points.length === 1;
  const test = seen.tests.find(({ id }) => id === point.test?.id);
  const hasEnded = test !== undefined && test.result !== "unfinished" && !isUnexplained(shown);
  if (!isAlone && !hasEnded) return "unknown";
  if (!seen.injected.has(point.name)) return isAlone || test?.result === "passed" ? "not met" : "unknown";
  if (isAlone && hangs) return "hangs";
  const broken = seen.tests.filter((one) => doesBreak(one) && !flaky?.has(one.id));
  const isBroken = test === undefined ? broken.length > 0 : doesBreak(test);
  if (!isBroken && !isUnexplained(shown)) return "survives";
  return test !== undefined && seen.recovered.has(point.name) ? "recovers" : "breaks";
}

/** Whether something else than a test has failed, such as a promise without a handler. */
function isUnexplained({ exitCode, seen }: EndedRun<FaultRun>): boolean {
  return exitCode !== 0 && !seen.tests.some(doesBreak);
}

/** What is known of the points, in their order. A point that failed, but not often enough, has to be tried again. */
function findResults(
  points: readonly Point[],
  tries: Tries,
  { flaky, isCommandFlaky }: Pick<FaultPlan, "flaky" | "isCommandFlaky">,
): PointFinding[] {
  const conclude = (point: Point, needed: number): readonly PointFinding[] => {
    const ofPoint = tries.get(point) ?? [];
    const found = (verdict: FaultResult, result = verdict) => {
      const shown = ofPoint.findLast((one) => one.verdict === verdict)?.shown;
      return shown && [{ point, result, shown }];
    };
    const sure = found("hangs") ?? found("not met");
    const passed = found("survives");
    const failures = ofPoint.filter(({ verdict }) => hasFailedTest(verdict)).length;
    if (sure !== undefined || failures === 0) return sure ?? passed ?? [];
    if (passed !== undefined) return found("breaks", "flaky") ?? found("recovers", "flaky") ?? [];
    return (failures >= needed && (found("breaks") ?? found("recovers"))) || [];
  };
  const concluded = points.flatMap((point) => conclude(point, neededFailures.usual));
  const doubtful = new Set(concluded.flatMap((one) => (one.result === "flaky" ? ownerOf(one.point) : [])));
  return points.flatMap((point) => {
    if (isCommandFlaky || flaky.has(ownerOf(point))) return { point, result: "flaky" };
    return conclude(point, neededFailures[doubtful.has(ownerOf(point)) ? "doubtful" : "usual"]);
  });
}

/** @param number of the run, the first one included */
function planRun(points: readonly Point[], number: number): FaultRun {
  const [only] = points.length === 1 ? points : [];
  const failures = points.length === 0 ? "without a failure" : `with ${counted(points.length, "failure")}`;
  const silent = points.filter(({ injection }) => injection.failure === "silent");
  return {
    name: only?.name ?? `run ${number} ${failures}`,
    points,
    inject: points.map(({ injection }) => injection),
    // Tests of one file wait for their timeouts one after the other.
    extraMs: silent.reduce((sum, { test }) => sum + (test?.timeoutMs ?? 0), 0),
  };
}

/** The id of the test of a point. Empty if it is not known: then the failure is one of the whole command. */
function ownerOf({ test }: Point): string {
  return test?.id ?? "";
}
