import { type FailureName, type Injection, injectionText, parseInjection } from "../../run/injection.js";
import type { RecordedTest, TestResult } from "../../run/test-results.js";

/** One failure at one request that the first run has made. */
export interface Point {
  /** `rotate:acme#2=lost` */
  readonly name: string;
  /** `rotate:acme#2` */
  readonly call: string;
  readonly injection: Injection;
  /** The test whose world the request belongs to, if no other test uses that world. */
  readonly test?: RecordedTest;
}

/**
 * A point for each request and each failure, failure by failure: in a round, all tests meet the same failure where they
 * can, so that tests which wait for a timeout do so at the same time.
 * @param tests those of the first run
 */
export function pointsOf(
  calls: readonly string[],
  failures: readonly FailureName[],
  tests: readonly TestResult[],
): Point[] {
  // A test that did not simply pass says nothing when it fails again.
  const byWorld = new Map(
    tests.flatMap((test) => (test.world === undefined ? [] : [[test.world, test] as const])),
  );
  return failures.flatMap((failure) =>
    calls.map((call) => {
      const injection = parseInjection(`${call}=${failure}`);
      const test = byWorld.get(injection.call.world ?? "");
      const name = injectionText(injection);
      return { name, call, injection, ...(test?.result === "passed" && { test }) };
    }),
  );
}

/** At most so many points, spread over all operations and failures, and within these over all requests. */
export function spread(points: readonly Point[], most: number): readonly Point[] {
  if (points.length <= most) return points;
  const kinds = new Map<string, Point[]>();
  for (const point of points) {
    const kind = `${point.injection.call.operation}=${point.injection.failure}`;
    kinds.get(kind)?.push(point) ?? kinds.set(kind, [point]);
  }
  // Equal shares. What a small kind does not need is left for the larger ones.
  const bySize = [...kinds.values()].sort((a, b) => a.length - b.length);
  let left = most;
  const chosen = bySize.flatMap((ofKind, index) => {
    const share = Math.min(ofKind.length, Math.floor(left / (bySize.length - index)));
    left -= share;
    // Each kind begins at another request.
    const at = (nth: number) => Math.floor(((nth + index / bySize.length) * ofKind.length) / share);
    return Array.from({ length: share }, (_, nth) => ofKind[at(nth)]);
  });
  const wanted = new Set(chosen);
  return points.filter((point) => wanted.has(point));
}
