import { counted } from "../../foundation/grammar.js";
import { sharesWorld, type TestResult } from "../../run/test-results.js";
import type { EndedRun } from "./exploration.js";
import {
  collectTries,
  type FaultResult,
  type FaultRun,
  hasFailedTest,
  isUnexplained,
  none,
  type Observed,
  observe,
  ownerOf,
  type Tries,
} from "./fault-runs.js";
import { type Point, planRounds } from "./points.js";

/** What is known of a point. */
export interface PointFinding {
  readonly point: Point;
  readonly result: FaultResult;
  /** The run that shows it. Missing: its test fails too often without a failure, so that no run was needed. */
  readonly shown?: EndedRun<FaultRun>;
}

/** The first run, and the limits of the exploration. */
export interface FaultSuite {
  readonly points: readonly Point[];
  readonly first: EndedRun;
  readonly maxRuns: number;
}

/** A failure without a failure of the service. */
export interface Stray {
  /** The test that failed. */
  readonly test: TestResult;
  readonly shown: EndedRun;
}

/** All that is known, and what to do next. */
export interface FaultPlan {
  /** In the order of the points. */
  readonly findings: readonly PointFinding[];
  /** The tests that failed without a failure of the service, by their ids. */
  readonly flaky: ReadonlyMap<string, Stray>;
  /** The tests that failed, each time, because of failures in other tests. */
  readonly influenced: ReadonlyMap<string, TestResult>;
  /** A run in which the command failed without a failure of the service, although no test is known to fail. */
  readonly flakyCommand: EndedRun | undefined;
  readonly next: FaultRun | undefined;
  /** About how many runs are left, without those that are running. */
  readonly left: number;
}

/** How often a point has to fail, each time. More often if its test is shaky: it has failed where it should pass. */
const neededFailures = { usual: 2, shaky: 4 };

/** A shaky test is judged if it passes at least so many times as often as it fails where it should pass. */
const passesPerStray = 2;

/** A test that fails so often where it should pass, and does not pass often enough, is no longer tried. */
const maxStrays = 3;

/** How often a run is repeated before a test that fails each time is reported as influenced by others. */
const neededRepetitions = 3;

/**
 * Which failures to try in which run, computed from what the first run saw and what later runs have shown. Each point is
 * tried once, in rounds where possible. What failed is tried again.
 * @param running the runs that have not ended
 */
export function planFaults(
  { points, first: firstRun, maxRuns }: FaultSuite,
  ended: readonly EndedRun<FaultRun>[],
  running: readonly FaultRun[],
): FaultPlan {
  const observed = ended.map(observe);
  const { checks, ...doubts } = findDoubts(firstRun, observed);
  const tries = collectTries(observed);
  const { findings, isOpen } = findResults(points, tries, doubts, observed);
  if (isOpen && checks.length === 0) checks.push(none);
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
function findDoubts(first: EndedRun, runs: readonly Observed[]) {
  const flaky = new Map<string, Stray>();
  const influenced = new Map<string, TestResult>();
  const checks: (readonly Point[])[] = [];
  const { tests } = first.seen;
  for (const test of tests) if (test.result === "retried") flaky.set(test.id, { test, shown: first });
  const passedFirst = new Set(tests.filter(({ result }) => result === "passed").map(({ id }) => id));
  const controls = runs.filter(({ points }) => points === none);
  if (controls.length === 0 && runs.some(({ shown }) => shown.exitCode !== 0)) checks.push(none);
  for (const { points, failed, shown } of [...controls, ...runs]) {
    const same = runs.filter((run) => run.points === points);
    for (const test of failed) {
      if (!passedFirst.has(test.id) || flaky.has(test.id) || influenced.has(test.id)) continue;
      const isSteady = same.every((run) => run.failed.some(({ id }) => id === test.id));
      if (points === none || !isSteady) flaky.set(test.id, { test, shown });
      else if (same.length > neededRepetitions) influenced.set(test.id, test);
      else checks.push(points);
    }
  }
  const flakyCommand = controls.find(({ shown }) => isUnexplained(shown))?.shown;
  return { flaky, influenced, flakyCommand, checks: checks.slice(0, 1) };
}

/**
 * What is known of the points, in their order. A point that failed, but not often enough, has to be tried again. `isOpen`:
 * more runs without a failure decide whether a shaky test passes often enough.
 */
function findResults(
  points: readonly Point[],
  tries: Tries,
  { flaky, influenced, flakyCommand }: Pick<FaultPlan, "flaky" | "influenced" | "flakyCommand">,
  runs: readonly Observed[],
) {
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
  const ids = new Set(["", ...points.map(ownerOf)]);
  const countsById = new Map(Array.from(ids, (id) => [id, countStrays(id, runs, tries, influenced)]));
  let isOpen = false;
  const findings = points.flatMap((point): PointFinding | readonly PointFinding[] => {
    const id = ownerOf(point);
    const counts = [id, ...(flakyCommand ? [""] : [])].flatMap((one) => countsById.get(one) ?? []);
    const isShaky = flaky.has(id) || counts.some(({ strays }) => strays > 0);
    const found = conclude(point, neededFailures[isShaky ? "shaky" : "usual"]);
    const isSteady = counts.every(({ passes, strays }) => passes >= passesPerStray * strays);
    if (isSteady || found.some(({ result }) => !hasFailedTest(result))) return found;
    if (counts.some(({ strays }) => strays >= maxStrays)) return { point, ...found[0], result: "flaky" };
    isOpen ||= found.length > 0;
    return found.map((one) => ({ ...one, result: "flaky" }));
  });
  return { findings, isOpen };
}

/**
 * How often a test passed and failed without a failure, or with one that it has also survived. An influenced test fails
 * because of others.
 */
function countStrays(
  id: string,
  runs: readonly Observed[],
  tries: Tries,
  influenced: FaultPlan["influenced"],
) {
  const without = runs.map(({ passes }) => passes.get(id)).filter((passed) => passed || !influenced.has(id));
  const survived = [...tries].flatMap(([point, ofPoint]) => {
    const verdicts = ownerOf(point) === id ? ofPoint.map(({ verdict }) => verdict) : [];
    return verdicts.includes("survives") ? verdicts : [];
  });
  const count = (passed: boolean) => without.filter((one) => one === passed).length;
  return {
    passes: count(true) + survived.filter((verdict) => verdict === "survives").length,
    strays: count(false) + survived.filter(hasFailedTest).length,
  };
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
