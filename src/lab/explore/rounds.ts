import type { Point } from "./points.js";

/** One test of so many has no failure in a round: if it fails, tests are flaky or influence each other. */
const controlShare = 4;

/**
 * The fewest rounds for all points, with at most one point per test, and a rotating quarter of the tests without any.
 * @param ids the tests that take part, the same every time
 * @param from the number of the first round; numbers decide which tests have no failure
 */
export function planRounds(points: readonly Point[], ids: readonly string[], from = 0) {
  const left = new Map<string, Point[]>(ids.map((id) => [id, []]));
  for (const point of points) left.get(point.test?.id ?? "")?.push(point);
  const groups = Math.min(controlShare, ids.length);
  const digits = Math.max(1, Math.ceil(Math.log(ids.length) / Math.log(groups)));
  const rounds: { readonly number: number; readonly points: readonly Point[] }[] = [];
  for (let number = from; [...left.values()].some((ofTest) => ofTest.length > 0); number++) {
    // Another digit of the index every time, so that of any two tests, each is without a failure while the other has one.
    const digit = Math.floor(number / groups) % digits;
    const isWithout = (index: number) => Math.floor(index / groups ** digit) % groups === number % groups;
    const withFailure = ids.filter((_, index) => groups < 2 || !isWithout(index));
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
