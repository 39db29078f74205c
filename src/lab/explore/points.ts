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
 * A point for each request and each failure. First all failures of the first request of each operation, then those of the
 * second ones: each beginning of the list has its share of each operation and failure.
 * @param tests those of the first run
 */
export function pointsOf(
  requests: readonly string[],
  failures: readonly FailureName[],
  tests: readonly TestResult[],
): Point[] {
  const hasPassed = ({ result }: TestResult) => result === "passed" || result === "retried";
  const passed = new Map(tests.filter(hasPassed).map((test) => [test.id, test]));
  const counts = new Map<string, number>();
  const ranked = requests.flatMap((request) =>
    failures.map((failure) => {
      const injection = parseInjection(`${request}=${failure}`);
      const test = passed.get(injection.request.world ?? "");
      const kind = `${injection.request.operation}=${failure}`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const point = { name: injectionText(injection), request, injection, ...(test && { test }) };
      return { rank: counts.get(kind) ?? 0, point };
    }),
  );
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ point }) => point);
}

/** The share of the tests without a failure in a round: if one fails, tests are flaky or influence each other. */
const controlShare = 0.25;

/**
 * Few rounds for all points, with at most one point per test, and about a quarter of the tests without any.
 * @param ids the tests that take part, the same every time
 * @param from the number of the first round; numbers decide which tests have no failure
 */
export function planRounds(points: readonly Point[], ids: readonly string[], from = 0): Point[][] {
  const left = new Map<string, Point[]>(ids.map((id) => [id, []]));
  for (const point of points) left.get(point.test?.id ?? "")?.push(point);
  const rounds: Point[][] = [];
  for (let number = from + 1; [...left.values()].some((ofTest) => ofTest.length > 0); number++) {
    // Multiples of the golden ratio, without their integer parts, are spread evenly.
    const withFailure = ids.filter((_, index) => ((index + 1) * number * 0.618034) % 1 >= controlShare);
    const inRound = withFailure.flatMap((id) => left.get(id)?.shift() ?? []);
    if (inRound.length > 0) rounds.push(inRound);
  }
  return rounds;
}
