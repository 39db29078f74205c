import { doesBreak, type TestResult } from "../../run/test-results.js";
import type { RunResult } from "./exploration.js";
import type { Point } from "./points.js";

/** What one run has shown of a point. "unknown": nothing, because another failure of the run may be the cause. */
export type Verdict = "survives" | "recovers" | "breaks" | "hangs" | "not met" | "unknown";

/** A run with failures at these points that has ended. */
export interface FaultedRun {
  readonly points: readonly Point[];
  readonly result: RunResult;
}

/**
 * @param isFlaky whether a test fails without a failure of the service
 */
export function judgePoint(
  point: Point,
  { points, result: { exitCode, hangs, seen } }: FaultedRun,
  isFlaky: (test: TestResult) => boolean,
): Verdict {
  const isAlone = points.length === 1;
  const test = seen.tests.find(({ id }) => id === point.test?.id);
  const broken = seen.tests.filter((one) => doesBreak(one) && !isFlaky(one));
  // Something else than a test has failed, such as a promise without a handler.
  const isUnexplained = exitCode !== 0 && !seen.tests.some(doesBreak);
  if (!seen.injected.has(point.name)) {
    return isAlone || (test?.result === "passed" && !isUnexplained) ? "not met" : "unknown";
  }
  if (isAlone && hangs) return "hangs";
  if (!isAlone) {
    const hasEnded = test?.result === "passed" || test?.result === "failed" || test?.result === "retried";
    if (isUnexplained || !hasEnded) return "unknown";
  }
  const isBroken = test === undefined ? broken.length > 0 : doesBreak(test);
  if (!isBroken && !isUnexplained) return "survives";
  return test !== undefined && seen.recovered.has(point.name) ? "recovers" : "breaks";
}

/** The tests that failed although nothing was injected into them. */
export function failedWithoutFailure({ points, result: { seen } }: FaultedRun): TestResult[] {
  const hit = new Set(points.filter(({ name }) => seen.injected.has(name)).map(({ test }) => test?.id));
  // Without a known test, the failure is one of all tests.
  if (hit.has(undefined)) return [];
  return seen.tests.filter(({ id, result }) => {
    return (result === "failed" || result === "retried") && !hit.has(id);
  });
}
