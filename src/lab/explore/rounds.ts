import { doesBreak, type TestResult } from "../../run/test-results.js";
import type { RunResult } from "./exploration.js";
import type { Point } from "./points.js";

/** One test of so many has no failure in a round: if it fails, tests influence each other. */
const controlShare = 4;

/**
 * The fewest rounds for all points, with at most one point per test, and a rotating quarter of the tests without any.
 * @param ids the tests that take part, the same every time
 * @param from the number of the first round; numbers decide which tests have no failure
 */
export function planRounds(points: readonly Point[], ids: readonly string[], from = 0) {
  const left = new Map(ids.map((id) => [id, points.filter(({ test }) => test?.id === id)]));
  const groups = Math.min(controlShare, ids.length);
  const rounds: { readonly number: number; readonly points: readonly Point[] }[] = [];
  for (let number = from; [...left.values()].some((ofTest) => ofTest.length > 0); number++) {
    const withFailure = ids.filter((_, index) => groups < 2 || index % groups !== number % groups);
    const inRound = withFailure.flatMap((id) => left.get(id)?.shift() ?? []);
    if (inRound.length > 0) rounds.push({ number, points: inRound });
  }
  return rounds;
}

/** The fewest runs for all points, with at most one point per test file. */
export function planByFile(points: readonly Point[]): Point[][] {
  const runs: Point[][] = [];
  for (const point of points) {
    const free = runs.find((inRun) => inRun.every(({ test }) => test?.file !== point.test?.file));
    if (free === undefined) runs.push([point]);
    else free.push(point);
  }
  return runs;
}

/** What a run has shown of a point. "unknown": nothing, because the test did not run to its end. */
export type Verdict = "survives" | "breaks" | "hangs" | "not met" | "unknown";

/**
 * Reads the results of a round from its tests.
 * @param reliable the ids of tests that passed in the first run
 */
export function judgeRound(
  points: readonly Point[],
  { exitCode, hangs, seen: { injected, tests } }: RunResult,
  reliable: ReadonlySet<string>,
) {
  const hit = new Set(points.filter(({ name }) => injected.has(name)).map(({ test }) => test?.id));
  const unfinished = tests.filter(({ id, result }) => result === "unfinished" && hit.has(id));
  // Something else than a test has failed, such as a promise without a handler. Any of the failures may be the cause.
  const isUnexplained = exitCode !== 0 && !hangs && !tests.some(doesBreak);
  const verdictOn = ({ test: of, name }: Point): Verdict => {
    const test = tests.find(({ id }) => id === of?.id);
    if (isUnexplained || test === undefined || test.result === "skipped") return "unknown";
    if (!injected.has(name)) return test.result === "passed" ? "not met" : "unknown";
    // Of several, one hangs, and others may have crashed.
    if (test.result === "unfinished") return hangs && unfinished.length === 1 ? "hangs" : "unknown";
    return doesBreak(test) ? "breaks" : "survives";
  };
  return {
    verdicts: new Map(points.map((point) => [point, verdictOn(point)])),
    /** Tests that failed although their failure was not injected, or although they had none. */
    disturbed: tests.filter((test) => testFailed(test) && !hit.has(test.id) && reliable.has(test.id)),
  };
}

/** "survives" needs a suite that passes without a retry by its framework. */
export function judgeSingle(
  { exitCode, hangs, seen: { injected, tests } }: RunResult,
  reliable: ReadonlySet<string>,
): Exclude<Verdict, "unknown"> {
  if (injected.size === 0) return "not met";
  if (hangs) return "hangs";
  const isRetried = tests.some(({ id, result }) => result === "retried" && reliable.has(id));
  return exitCode !== 0 || isRetried ? "breaks" : "survives";
}

export function testFailed({ result }: TestResult): boolean {
  return result === "failed" || result === "retried";
}
