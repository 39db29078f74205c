import { doesBreak } from "../../run/test-results.js";
import type { EndedRun, PlannedRun } from "./exploration.js";
import type { Point } from "./points.js";

/** A run with a failure at each of its points: in most tests, in one of them, or in none. */
export interface FaultRun extends PlannedRun {
  readonly points: readonly Point[];
}

/** What one run has shown of a point. "unknown": nothing, because another failure of the run may be the cause. */
type Verdict = "survives" | "recovers" | "breaks" | "hangs" | "not met" | "unknown";

export type FaultResult = Exclude<Verdict, "unknown"> | "flaky";

/** The points of a run without a failure. */
export const none: readonly Point[] = [];

export type Observed = ReturnType<typeof observe>;

/** A run, the ids of the tests that had a failure, and of the others whether they passed. The whole command has no id. */
export function observe(shown: EndedRun<FaultRun>) {
  const { points } = shown.run;
  const { injected, tests } = shown.seen;
  const hit = new Set(points.filter(({ name }) => injected.has(name)).map(ownerOf));
  const others = hit.has("") ? [] : tests.filter(({ id }) => !hit.has(id));
  const failed = others.filter(({ result }) => result === "failed" || result === "retried");
  const passes = new Map(failed.map(({ id }) => [id, false]));
  for (const { id, result } of others) if (result === "passed") passes.set(id, true);
  if (points === none) passes.set("", shown.exitCode === 0);
  return { shown, points, hit, passes, failed };
}

/** The runs with each point, and what each has shown of it. */
export type Tries = ReturnType<typeof collectTries>;

/**
 * The tries of each point. A test that failed beside failures in other tests counts only if it has passed beside failures in
 * each of them, while it had none itself.
 */
export function collectTries(runs: readonly Observed[]) {
  const passesBeside = (id: string, other: string) =>
    id === other || runs.some(({ hit, passes }) => hit.has(other) && passes.get(id));
  const tries = new Map<Point, { readonly verdict: Verdict; readonly shown: EndedRun<FaultRun> }[]>();
  for (const { shown, points } of runs) {
    for (const point of points) {
      const found = judgePoint(point, shown);
      const isClear =
        !hasFailedTest(found) || points.every((other) => passesBeside(ownerOf(point), ownerOf(other)));
      const tried = { verdict: isClear ? found : "unknown", shown } as const;
      tries.get(point)?.push(tried) ?? tries.set(point, [tried]);
    }
  }
  return tries;
}

export function hasFailedTest(verdict: Verdict | FaultResult): boolean {
  return verdict === "breaks" || verdict === "recovers";
}

/** What one run has shown of one of its points. */
export function judgePoint(point: Point, shown: EndedRun<FaultRun>): Verdict {
  const { hangs, seen } = shown;
  const isAlone = shown.run.points.length === 1;
  const test = seen.tests.find(({ id }) => id === point.test?.id);
  const hasEnded = test !== undefined && test.result !== "unfinished" && !isUnexplained(shown);
  if (!isAlone && !hasEnded) return "unknown";
  if (!seen.injected.has(point.name)) return isAlone || test?.result === "passed" ? "not met" : "unknown";
  if (isAlone && hangs) return "hangs";
  const isBroken = test === undefined ? seen.tests.some(doesBreak) : doesBreak(test);
  if (!isBroken && !isUnexplained(shown)) return "survives";
  return test !== undefined && seen.recovered.has(point.name) ? "recovers" : "breaks";
}

/** Whether something else than a test has failed, such as a promise without a handler. */
export function isUnexplained({ exitCode, seen }: EndedRun): boolean {
  return exitCode !== 0 && !seen.tests.some(doesBreak);
}

/** The id of the test of a point. Empty if it is not known: then the failure is one of the whole command. */
export function ownerOf({ test }: Point): string {
  return test?.id ?? "";
}
