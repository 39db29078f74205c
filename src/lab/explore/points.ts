import { type FailureName, type Injection, injectionText, parseInjection } from "../../run/injection.js";
import type { RecordedTest, TestResult } from "../../run/test-results.js";

/** One failure at one request that the first run has made. */
export interface Point {
  /** `rotate:acme#2=lost` */
  readonly name: string;
  /** `rotate:acme#2` */
  readonly request: string;
  readonly injection: Injection;
  /** The test that makes the request, if it is known and passed in the first run, maybe only when it was retried. */
  readonly test?: RecordedTest;
}

/**
 * A point for each request and each failure, failure by failure: in a round, all tests have the same failure where
 * possible, so that tests that wait for a timeout do so at the same time.
 * @param tests those of the first run
 */
export function pointsOf(
  requests: readonly string[],
  failures: readonly FailureName[],
  tests: readonly TestResult[],
): Point[] {
  const hasPassed = ({ result }: TestResult) => result === "passed" || result === "retried";
  const passed = new Map(tests.filter(hasPassed).map((test) => [test.id, test]));
  return failures.flatMap((failure) =>
    requests.map((request) => {
      const injection = parseInjection(`${request}=${failure}`);
      const test = passed.get(injection.request.world ?? "");
      return { name: injectionText(injection), request, injection, ...(test && { test }) };
    }),
  );
}

/** In an order in which each beginning has an equal share of each operation and failure, spread over the requests. */
export function inSpreadOrder(points: readonly Point[]): readonly Point[] {
  const kinds = new Map<string, Point[]>();
  for (const point of points) {
    const kind = `${point.injection.request.operation}=${point.injection.failure}`;
    kinds.get(kind)?.push(point) ?? kinds.set(kind, [point]);
  }
  return [...kinds.values()]
    .flatMap((ofKind, kind) =>
      spreadOrder(ofKind.length, kind).map((at, rank) => ({ rank, point: ofKind[at] })),
    )
    .sort((a, b) => a.rank - b.rank)
    .flatMap(({ point }) => point ?? []);
}

/** The numbers below `count`, in an order in which each beginning of the list is spread over all of them. */
function spreadOrder(count: number, start: number): number[] {
  // Multiples of the golden ratio, without their integer parts, have nearly equal gaps.
  const keyOf = (at: number) => ((at + start) * 0.618034) % 1;
  return Array.from({ length: count }, (_, at) => at).sort((a, b) => keyOf(a) - keyOf(b));
}
