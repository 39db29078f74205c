import { counted } from "../../foundation/grammar.js";
import { sharesWorld } from "../../run/report-test.js";
import { type Change, type EndedRun, ownersOf, type PlannedRun } from "./changes.js";
import { type Judged, judgeRuns } from "./judge-runs.js";

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
  { changes, first, maxRuns }: Suite,
  ended: readonly EndedRun[],
  running: readonly PlannedRun[],
): Plan {
  const { check, unclear, ...judged } = judgeRuns(changes, first, ended);
  const done = new Set([
    ...judged.findings.map(({ change }) => change),
    ...running.flatMap((run) => run.changes),
  ]);
  const waiting = changes.filter((change) => !done.has(change));
  const isInRound = (change: Change) => hasOwnWorld(change) && !unclear.has(change);
  const started = ended.length + running.length;
  const runs = [
    ...(check === undefined || running.some((run) => run.changes === check) ? [] : [check]),
    ...planRounds(waiting.filter(isInRound), started),
    ...waiting.filter((change) => !isInRound(change)).map((change) => [change]),
  ];
  const left = Math.min(runs.length, maxRuns - started);
  const [next] = left > 0 ? runs : [];
  return { ...judged, left, next: next && planRun(next, started + 2) };
}

/** @param number of the run, the first one included */
function planRun(changes: readonly Change[], number: number): PlannedRun {
  const [only] = changes.length === 1 ? changes : [];
  const failures = changes.length === 0 ? "without a failure" : `with ${counted(changes.length, "failure")}`;
  return { name: only?.name ?? `run ${number} ${failures}`, changes };
}

/** Failures in tests that have their own worlds can share a run, as their requests have their own names. */
function hasOwnWorld({ injection, tests: [test] }: Change): boolean {
  return injection !== undefined && test !== undefined && !sharesWorld(test);
}

/** The share of the tests without a failure in a round: if one fails, tests are flaky or influence each other. */
const controlShare = 0.25;

/**
 * Few rounds for all failures, with at most one failure per test, and about a quarter of the tests without any.
 * @param from the number of the first round; numbers decide which tests have no failure
 */
export function planRounds(changes: readonly Change[], from = 0): Change[][] {
  const left = new Map<string, Change[]>();
  for (const change of changes)
    for (const id of ownersOf(change)) left.get(id)?.push(change) ?? left.set(id, [change]);
  const rounds: Change[][] = [];
  for (let number = from + 1; rounds.flat().length < changes.length; number++) {
    // Multiples of the golden ratio, without their integer parts, are spread evenly.
    const hasFailure = (index: number) => ((index + 1) * number * 0.618034) % 1 >= controlShare;
    const round = [...left.values()].flatMap((ofTest, index) => (hasFailure(index) && ofTest.shift()) || []);
    if (round.length > 0) rounds.push(round);
  }
  return rounds;
}
