import { counted } from "../../foundation/grammar.js";
import { doesBreak, sharesWorld, type TestResult } from "../../run/test-results.js";
import { isBreak } from "./evidence.js";
import type { PlannedRun, Shown } from "./exploration.js";
import { failedWithoutFailure, judgePoint, type Verdict } from "./judge-point.js";
import { inSpreadOrder, type Point } from "./points.js";
import { planByFile, planRounds } from "./rounds.js";

/**
 * "round": a failure in most tests. "file": at most one failure per test file. "alone": one failure. "control": none.
 * "again": the failures of an earlier run, in which a test failed that had none.
 */
type RunKind = "round" | "file" | "alone" | "control" | "again";

/** A run with a failure at each of its points. */
export interface FaultRun extends PlannedRun {
  readonly kind: RunKind;
  readonly points: readonly Point[];
  /** Of a round: decides which tests have no failure. */
  readonly number?: number;
  /** The run that is repeated. */
  readonly repeats?: FaultRun;
}

export type FaultResult = Exclude<Verdict, "unknown"> | "flaky";

/** What is known of a point. */
export interface PointFinding {
  readonly point: Point;
  readonly result: FaultResult;
  /** Whether it failed, and was not tried again. */
  readonly isUnconfirmed: boolean;
  /** The run that shows it. Missing: its test is flaky, so that no run was needed. */
  readonly shown?: Shown<FaultRun>;
}

/** What the first run has seen, and the limits of the exploration. */
export interface FaultSuite {
  readonly points: readonly Point[];
  readonly tests: readonly TestResult[];
  readonly maxRuns: number;
  readonly bail: boolean;
}

/** All that is known, and what to do next. */
export interface FaultPlan {
  /** In the order of the points. */
  readonly findings: readonly PointFinding[];
  /** The tests that failed without a failure of the service, by their ids; undefined if tests are not known. */
  readonly flaky: ReadonlyMap<string, TestResult | undefined>;
  /** The tests that failed, twice, because of failures in other tests. */
  readonly influenced: ReadonlyMap<string, TestResult>;
  readonly next: FaultRun | undefined;
  /** About how many runs are left, without those that are running. */
  readonly left: number;
  readonly hasRunsLeft: boolean;
}

/** How often a point has to fail: a failure is confirmed by a second run. More often, if its test failed once and then passed. */
const neededFailures = { usual: 2, doubtful: 4 };

/** How often a test has to pass without a failure before it is said to fail because of one. */
const neededPasses = 2;

/** How often a run is repeated before a test that fails each time is said to be influenced by others. */
const neededRepetitions = 2;

/** The id for what is known of the whole command, if the test of a point is not known. */
const wholeCommand = "";

/**
 * Which failures to try in which run, computed from what the first run saw and what later runs have shown. Each point is
 * tried once, in rounds where possible. What failed is tried again.
 * @param running the runs that have not ended
 */
export function planFaults(
  suite: FaultSuite,
  shown: readonly Shown<FaultRun>[],
  running: readonly FaultRun[],
): FaultPlan {
  const { points, maxRuns, bail } = suite;
  const doubts = findDoubts(suite, shown);
  const tries = collectTries(shown, doubts.flaky);
  const findPoint = (point: Point, needed: number) =>
    conclude(point, tries.get(point) ?? [], needed, doubts.influenced.has(ownerOf(point)));
  const doubtful = new Set(
    points.filter((one) => findPoint(one, neededFailures.usual)?.result === "flaky").map(ownerOf),
  );
  const steady = failingRequests(points, tries);
  const findings = points.flatMap((point): PointFinding[] => {
    const id = ownerOf(point);
    if (doubts.flaky.has(id)) return [{ point, result: "flaky", isUnconfirmed: false }];
    const found = findPoint(point, neededFailures[doubtful.has(id) ? "doubtful" : "usual"]);
    if (found === undefined) return [];
    // A test that asserts the number of requests fails with every failure of the request.
    const isSteady = found.result === "recovers" && steady.has(point.request);
    return [{ ...found, isUnconfirmed: found.isUnconfirmed && !isSteady }];
  });
  const known = new Map(findings.map((finding) => [finding.point, finding]));
  const planned = new Set(running.flatMap((run) => run.points));
  const waiting = points.filter((one) => !planned.has(one) && (known.get(one)?.isUnconfirmed ?? true));
  const inRounds = roundTests(suite);
  const kindOf = (point: Point): RunKind => {
    const ofPoint = tries.get(point) ?? [];
    if (!inRounds.includes(ownerOf(point)) || doubts.influenced.has(ownerOf(point))) return "alone";
    if (ofPoint.some(({ verdict }) => verdict !== "unknown")) return "file";
    if (ofPoint.length > 0) return "alone";
    // If no timeout ends a test, the tests after it in its file would not run.
    const mayHang = point.injection.failure === "silent" && point.test?.timeoutMs === undefined;
    return mayHang ? "file" : "round";
  };
  const ofKind = (kind: RunKind) => waiting.filter((point) => kindOf(point) === kind);
  const started = [...shown.map(({ run }) => run), ...running];
  const from = Math.max(-1, ...started.map(({ number = -1 }) => number)) + 1;
  const rounds = planRounds(ofKind("round"), inRounds, from).map((round) => planRun("round", round));
  const files = planByFile(ofKind("file")).map((inRun) => planRun("file", { points: inRun }));
  const rank = (point: Point) => ["breaks", undefined, "recovers"].indexOf(known.get(point)?.result);
  const isAlone = new Set(ofKind("alone"));
  const alone = inSpreadOrder(points)
    .filter((point) => isAlone.has(point))
    .toSorted((a, b) => rank(a) - rank(b));
  const checks = doubts.checks.filter((check) => !running.some((run) => isSameCheck(run, check)));
  const runs = [
    ...checks,
    ...(bail ? [...files, ...rounds] : [...rounds, ...files]),
    ...alone.map((point) => planRun("alone", { points: [point] })),
    ...planControls(findings, shown, running),
  ];
  const hasRunsLeft = started.length < maxRuns;
  const isDone = bail && findings.some((one) => isBreak(one) && !one.isUnconfirmed);
  const left = isDone ? 0 : Math.min(runs.length, maxRuns - started.length);
  const [first] = left > 0 ? runs : [];
  const next = first && { ...first, name: nameRun(first, started.length + 2) };
  return { findings, flaky: doubts.flaky, influenced: doubts.influenced, next, left, hasRunsLeft };
}

/** One run with a point, and what it has shown. */
interface Try {
  readonly verdict: Verdict;
  readonly shown: Shown<FaultRun>;
}

function collectTries(shown: readonly Shown<FaultRun>[], flaky: FaultPlan["flaky"]) {
  const tries = new Map<Point, Try[]>();
  for (const one of shown) {
    const ended = { points: one.run.points, result: one.result };
    for (const point of ended.points) {
      const verdict = judgePoint(point, ended, ({ id }) => flaky.has(id));
      tries.set(point, [...(tries.get(point) ?? []), { verdict, shown: one }]);
    }
  }
  return tries;
}

/**
 * The result of a point from all its tries. Undefined if nothing is known.
 * @param needed how often it has to fail
 * @param isInfluenced whether its test fails because of failures in other tests: then it has to fail alone
 */
function conclude(
  point: Point,
  tries: readonly Try[],
  needed: number,
  isInfluenced: boolean,
): PointFinding | undefined {
  const counting = tries.filter(
    ({ verdict, shown }) => !(isInfluenced && hasFailed(verdict) && shown.run.points.length > 1),
  );
  const find = (...verdicts: Verdict[]) =>
    counting.filter(({ verdict }) => verdicts.includes(verdict)).at(-1);
  const [hanging, passed, failed, notMet] = [
    find("hangs"),
    find("survives"),
    find("breaks", "recovers"),
    find("not met"),
  ];
  const finding = (result: FaultResult, { shown }: Try, isUnconfirmed = false) => {
    return { point, result, isUnconfirmed, shown };
  };
  if (hanging !== undefined) return finding("hangs", hanging);
  if (failed !== undefined) {
    if (passed !== undefined) return finding("flaky", failed);
    const failures = counting.filter(({ verdict }) => hasFailed(verdict));
    const broken = find("breaks");
    const result = broken === undefined ? finding("recovers", failed) : finding("breaks", broken);
    if (failures.length >= needed) return result;
    return notMet === undefined ? { ...result, isUnconfirmed: true } : finding("not met", notMet);
  }
  if (passed !== undefined) return finding("survives", passed);
  return notMet && finding("not met", notMet);
}

/** The requests at which every failure made the test fail. */
function failingRequests(
  points: readonly Point[],
  tries: ReadonlyMap<Point, readonly Try[]>,
): ReadonlySet<string> {
  const requests = new Map<string, boolean[]>();
  for (const point of points) {
    const ofPoint = tries.get(point) ?? [];
    const failsAlways = ofPoint.length > 0 && ofPoint.every(({ verdict }) => hasFailed(verdict));
    requests.set(point.request, [...(requests.get(point.request) ?? []), failsAlways]);
  }
  const failing = [...requests].filter(([, failed]) => failed.length > 1 && failed.every(Boolean));
  return new Set(failing.map(([request]) => request));
}

/**
 * The tests that failed in a run in which nothing was injected into them. One that also fails without any failure, or
 * passes when the run is repeated, is flaky; otherwise it is influenced by other tests. `checks` are the runs that find out.
 */
function findDoubts({ tests }: FaultSuite, shown: readonly Shown<FaultRun>[]) {
  const flaky = new Map<string, TestResult | undefined>();
  const influenced = new Map<string, TestResult>();
  const checks: FaultRun[] = [];
  for (const test of tests) if (test.result === "retried") flaky.set(test.id, test);
  const passedFirst = new Set(tests.filter(({ result }) => result === "passed").map(({ id }) => id));
  const failedIn = new Map(
    shown.map(({ run, result }) => {
      const failed = failedWithoutFailure({ points: run.points, result });
      return [run, failed.filter(({ id }) => passedFirst.has(id))];
    }),
  );
  const controls = shown.filter(({ run }) => run.kind === "control");
  for (const { run, result } of controls) {
    for (const test of failedIn.get(run) ?? []) flaky.set(test.id, test);
    if (result.exitCode !== 0 && !result.seen.tests.some(doesBreak)) flaky.set(wholeCommand, undefined);
  }
  for (const [run, failed] of failedIn) {
    const unsettled = failed.filter(({ id }) => !flaky.has(id) && !influenced.has(id));
    if (run.kind === "control" || unsettled.length === 0) continue;
    const again = [...failedIn].flatMap(([{ repeats }, tests]) => (repeats === run ? [tests] : []));
    if (controls.length === 0) checks.push(planRun("control", { points: [] }));
    for (const test of unsettled) {
      const isAlways = again.every((tests) => tests.some(({ id }) => id === test.id));
      if (!isAlways) flaky.set(test.id, test);
      else if (again.length >= neededRepetitions) influenced.set(test.id, test);
      else checks.push(planRun("again", { points: run.points, repeats: run }));
    }
  }
  return { flaky, influenced, checks: checks.slice(0, 1) };
}

/** Runs without a failure, until every test that is said to fail because of one has passed often enough without one. */
function planControls(
  findings: readonly PointFinding[],
  shown: readonly Shown<FaultRun>[],
  running: readonly FaultRun[],
): FaultRun[] {
  const passes = new Map<string, number>();
  for (const { run, result } of shown) {
    const withFailure = new Set(run.points.map(ownerOf));
    const passed = result.seen.tests.filter((test) => test.result === "passed").map(({ id }) => id);
    const ids = run.kind === "control" ? [...passed, wholeCommand] : passed;
    for (const id of ids) if (!withFailure.has(id)) passes.set(id, (passes.get(id) ?? 0) + 1);
  }
  const claimed = findings.filter((one) => isBreak(one) || one.result === "recovers");
  const missing = claimed.map(({ point }) => neededPasses - (passes.get(ownerOf(point)) ?? 0));
  const planned = running.filter(({ kind }) => kind === "control").length;
  const count = Math.max(0, Math.max(0, ...missing) - planned);
  return Array.from({ length: count }, () => planRun("control", { points: [] }));
}

/** The ids of the tests that can share a run: those that have their own worlds, so that requests have their own names. */
function roundTests({ points }: FaultSuite): readonly string[] {
  const ids = new Set(points.flatMap(({ test }) => (test && !sharesWorld(test) ? test.id : [])));
  // One test has no other one as its control.
  return ids.size > 1 ? [...ids] : [];
}

function planRun(kind: RunKind, run: Pick<FaultRun, "points" | "number" | "repeats">): FaultRun {
  const { points } = run;
  const silent = points.filter(({ injection }) => injection.failure === "silent");
  return {
    ...run,
    kind,
    name: points[0]?.name ?? "",
    inject: points.map(({ injection }) => injection),
    // Tests of one file wait for their timeouts one after the other.
    extraMs: silent.reduce((sum, { test }) => sum + (test?.timeoutMs ?? 0), 0),
  };
}

/** @param number of the run, the first one included */
function nameRun({ kind, name, points, repeats }: FaultRun, number: number): string {
  if (points.length === 1) return name;
  if (kind === "control") return `run ${number} without a failure`;
  if (kind === "again") return `run ${number} as ${repeats?.name}`;
  return `run ${number} with ${counted(points.length, "failure")}${kind === "file" ? ", at most one per file" : ""}`;
}

function isSameCheck(a: FaultRun, b: FaultRun): boolean {
  return a.kind === b.kind && a.repeats === b.repeats;
}

function hasFailed(verdict: Verdict): boolean {
  return verdict === "breaks" || verdict === "recovers";
}

function ownerOf({ test }: Point): string {
  return test?.id ?? wholeCommand;
}
