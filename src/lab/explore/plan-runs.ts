import { counted } from "../../foundation/grammar.js";
import { sharesWorld } from "../../run/report-test.js";
import type { Change, EndedRun, PlannedRun } from "./changes.js";
import { type Judged, judgeRuns, none } from "./judge-runs.js";

/** The first run, and what to try. */
export interface Suite {
  readonly changes: readonly Change[];
  readonly first: EndedRun;
  readonly maxRuns: number;
}

/** All that is known, and what to do next. */
export interface Plan extends Judged {
  /** Undefined if nothing is left to try, or if it depends on runs that have not ended. */
  readonly next: PlannedRun | undefined;
  /** About how many runs are left, without those that are running. */
  readonly left: number;
}

/**
 * What to try in which run, computed from what the first run saw and what later runs have shown. Each change is tried once,
 * several in one run where possible. What failed is tried again.
 * @param running the runs that have not ended
 */
export function planRuns(
  { changes, first: firstRun, maxRuns }: Suite,
  ended: readonly EndedRun[],
  running: readonly PlannedRun[],
): Plan {
  const { checks, unclear, ...judged } = judgeRuns(changes, firstRun, ended);
  const done = new Set([
    ...judged.findings.map(({ change }) => change),
    ...running.flatMap((run) => run.changes),
  ]);
  const waiting = changes.filter((change) => !done.has(change));
  // Failures in tests that have their own worlds can share a run, as their requests have their own names.
  const together = new Set(changes.flatMap(ownWorld));
  const isInRound = (change: Change) => ownWorld(change).length > 0 && !unclear.has(change);
  const started = [...ended.map(({ run }) => run), ...running];
  const tried = new Set(started.map((run) => run.changes).filter((inRun) => inRun !== none));
  const runs = [
    ...checks.filter((check) => !running.some((run) => run.changes === check)),
    ...planRounds(waiting.filter(isInRound), [...together], tried.size),
    ...waiting.filter((change) => !isInRound(change)).map((change) => [change]),
  ];
  const left = Math.min(runs.length, maxRuns - started.length);
  const [first] = left > 0 ? runs : [];
  return { ...judged, left, next: first && planRun(first, started.length + 2) };
}

/** @param number of the run, the first one included */
function planRun(changes: readonly Change[], number: number): PlannedRun {
  const [only] = changes.length === 1 ? changes : [];
  const failures = changes.length === 0 ? "without a failure" : `with ${counted(changes.length, "failure")}`;
  return { name: only?.name ?? `run ${number} ${failures}`, changes };
}

/** The share of the tests without a failure in a round: if one fails, tests are flaky or influence each other. */
const controlShare = 0.25;

/**
 * Few rounds for all failures, with at most one failure per test, and about a quarter of the tests without any.
 * @param ids the tests that take part, the same every time
 * @param from the number of the first round; numbers decide which tests have no failure
 */
export function planRounds(changes: readonly Change[], ids: readonly string[], from = 0): Change[][] {
  const left = new Map<string, Change[]>(ids.map((id) => [id, []]));
  for (const change of changes) for (const id of ownWorld(change)) left.get(id)?.push(change);
  const rounds: Change[][] = [];
  for (let number = from + 1; [...left.values()].some((ofTest) => ofTest.length > 0); number++) {
    // Multiples of the golden ratio, without their integer parts, are spread evenly.
    const withFailure = ids.filter((_, index) => ((index + 1) * number * 0.618034) % 1 >= controlShare);
    const inRound = withFailure.flatMap((id) => left.get(id)?.shift() ?? []);
    if (inRound.length > 0) rounds.push(inRound);
  }
  return rounds;
}

/** The id of the test of an injected failure, if the test has its own world. */
function ownWorld({ injection, points }: Change): string[] {
  return points.flatMap(({ test }) => (injection && test && !sharesWorld(test) ? test.id : []));
}
