import { counted } from "../../foundation/grammar.js";
import { sharesWorld } from "../../run/report-test.js";
import { type Change, type EndedRun, ownersOf, type PlannedRun } from "./changes.js";
import { type Judged, judgeRuns } from "./judge-runs.js";
import { changeLabel } from "./test-label.js";

/** The first run, and what to try. */
export interface Suite {
  readonly changes: readonly Change[];
  readonly first: EndedRun;
  readonly maxRuns: number;
}

/** Runs that can be made in any order, or at the same time. */
export interface Stage {
  /** "trying": everything once, if possible. "confirming": what has failed, again. */
  readonly name: "trying" | "confirming";
  readonly runs: readonly PlannedRun[];
}

type UnnamedRun = Omit<PlannedRun, "name">;

/** All that is known, and what to do next. */
export interface Plan extends Judged {
  /** Undefined if nothing is left to try. */
  readonly next: Stage | undefined;
}

/**
 * What to try in which run, computed from what the first run saw and what later runs have shown. Each change is tried once,
 * several in one run where possible. Then what failed is tried again.
 */
export function planRuns({ changes, first, maxRuns }: Suite, ended: readonly EndedRun[]): Plan {
  const judged = judgeRuns(changes, first, ended);
  const tried = new Set(judged.findings.map(({ change }) => change));
  const waiting = changes.filter((change) => !tried.has(change));
  const name = waiting.length > 0 ? "trying" : "confirming";
  const planned = name === "trying" ? planTries(waiting, judged) : planConfirmation(judged);
  const runs = planned
    .slice(0, Math.max(0, maxRuns - ended.length))
    // The first run is number 1.
    .map((run, n) => ({ ...run, name: nameRun(run.changes, ended.length + n + 2) }));
  return { ...judged, next: runs.length === 0 ? undefined : { name, runs } };
}

/** Every change of which nothing is known. */
function planTries(waiting: readonly Change[], judged: Judged): UnnamedRun[] {
  const { unclear, unknown } = judged;
  const canShare = (change: Change) => hasOwnWorld(change) && !unknown.has(change);
  const untried = waiting.filter((change) => canShare(change) && !unclear.has(change));
  const again = waiting.filter((change) => canShare(change) && unclear.has(change));
  const alone = waiting.filter((change) => !canShare(change));
  // One failure of each test: when it is clear on which others a test depends, its other failures may be clear too.
  const oneOfEach = [...groupByOwner(again).values()].flatMap((ofTest) => ofTest.slice(0, 1));
  const runs = [...planRounds(untried), ...packRuns(oneOfEach, judged), ...alone.map((change) => [change])];
  return runs.map((changes) => ({ changes }));
}

/** A run without a failure, or one to repeat, and what has failed, again. */
function planConfirmation(judged: Judged): UnnamedRun[] {
  const { needsControl, check, toConfirm } = judged;
  const confirming = packRuns(toConfirm, judged).map((changes) => ({ changes }));
  if (needsControl) return [{ changes: [] }, ...confirming];
  return check === undefined ? confirming : [{ changes: check.changes, repeats: check }, ...confirming];
}

/** As many changes in each run as possible: of tests that do not depend on each other. */
function packRuns(changes: readonly Change[], { unknown, isIndependent }: Judged): Change[][] {
  const canShare = (change: Change) => hasOwnWorld(change) && !unknown.has(change);
  const fits = (change: Change, run: readonly Change[]) =>
    canShare(change) &&
    run.every((other) => {
      const pairs = ownersOf(change).flatMap((a) => ownersOf(other).map((b) => [a, b] as const));
      return (
        canShare(other) && pairs.every(([a, b]) => a !== b && isIndependent(a, b) && isIndependent(b, a))
      );
    });
  const runs: Change[][] = [];
  for (const change of changes) {
    const run = runs.find((one) => fits(change, one));
    if (run === undefined) runs.push([change]);
    else run.push(change);
  }
  return runs;
}

/** `rotates twice: rotate:acme#2=lost`, or `run 7 with 5 failures` */
function nameRun(changes: readonly Change[], number: number): string {
  const [only] = changes.length === 1 ? changes : [];
  if (only !== undefined) return changeLabel(only);
  const failures = changes.length === 0 ? "without a failure" : `with ${counted(changes.length, "failure")}`;
  return `run ${number} ${failures}`;
}

/** Failures in tests that have their own worlds can share a run, as their requests have their own names. */
function hasOwnWorld({ injection, tests: [test] }: Change): boolean {
  return injection !== undefined && test !== undefined && !sharesWorld(test);
}

/** The changes of each test. */
function groupByOwner(changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> {
  const owned = new Map<string, Change[]>();
  for (const change of changes)
    for (const id of ownersOf(change)) {
      const ofTest = owned.get(id) ?? [];
      ofTest.push(change);
      owned.set(id, ofTest);
    }
  return owned;
}

/** In each of the first blocks of four rounds, every test has three failures and one round without. */
const blockSize = 4;
const blocks = 3;

/**
 * Few rounds for all failures, at most one per test and round. In a round without a failure, a test that fails is flaky, or
 * influenced by another one. Which round of a block that is follows from a digit of the test's number, another digit in each
 * block. So any two of 64 tests differ in some block: each is seen without a failure while the other one has one.
 */
export function planRounds(changes: readonly Change[]): Change[][] {
  const rounds: Change[][] = [];
  const byTest = [...groupByOwner(changes).values()];
  const digits = Math.ceil(Math.log(byTest.length) / Math.log(blockSize)) || 1;
  for (const [index, ofTest] of byTest.entries()) {
    for (const [n, change] of ofTest.entries()) {
      const block = Math.min(Math.floor(n / (blockSize - 1)), blocks);
      const place = n - block * (blockSize - 1);
      const without =
        block < blocks ? Math.floor(index / blockSize ** (block % digits)) % blockSize : undefined;
      const round = block * blockSize + place + (without !== undefined && place >= without ? 1 : 0);
      rounds[round] = [...(rounds[round] ?? []), change];
    }
  }
  return rounds.filter((round) => round.length > 0);
}
