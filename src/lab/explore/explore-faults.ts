import { MockError } from "../../fake/contract/mock-error.js";
import { counted } from "../../foundation/grammar.js";
import type { FailureName } from "../../run/injection.js";
import { type Change, type EndedRun, failureChanges } from "./changes.js";
import { describeFaults } from "./describe-faults.js";
import type { Exploration } from "./exploration.js";
import type { Found } from "./findings.js";
import { type Judged, judge } from "./judge.js";
import { eachAlone, planRounds } from "./plan-rounds.js";

/** `usergroup-mock explore --faults -- <command>`: which single failures of the service does this code survive? */
export async function exploreFaults(
  exploration: Exploration,
  first: EndedRun,
  failures: readonly FailureName[],
): Promise<Found> {
  const { requests: made, withOwnFault, tests } = first.seen;
  const requests = made.filter((request) => exploration.flags.all || !withOwnFault.has(request));
  if (requests.length === 0)
    throw new MockError("nothing_found", made.length === 0 ? allRejected : allWithOwnFaults);
  const changes = failureChanges(requests, failures, tests);
  // Usually each kind of failure breaks something in one way, which one more run confirms.
  exploration.announce(whatIsTried(requests, changes), 1 + countRounds(changes), failures.length);
  const judged = await tryAndConfirm(changes, exploration);
  return describeFaults({ requests, failures, changes, first }, judged, exploration);
}

function countRounds(changes: readonly Change[]): number {
  const { ofTests, others } = splitByResults(changes);
  return planRounds(ofTests, true).length + planRounds(others).length;
}

/** Changes of tests whose results are known, and those of which only the exit code shows something. */
function splitByResults(changes: readonly Change[]) {
  return {
    ofTests: changes.filter(({ test }) => test !== undefined),
    others: changes.filter(({ test }) => test === undefined),
  };
}

/** The runs that have ended, and how to make more: false if not all of them could be made. */
type Runs = Pick<Exploration, "make" | "ended">;

/** Every change once; then alone what is not clear, and again what has failed. */
export async function tryAndConfirm(changes: readonly Change[], runs: Runs): Promise<Judged> {
  const { ofTests, others } = splitByResults(changes);
  let isGoingOn = (await tryTests(ofTests, runs)) && (await tryCommand(others, runs));
  for (;;) {
    const judged = judge(changes, runs.ended);
    const next = judged.unknown.length > 0 ? eachAlone(judged.unknown) : judged.again;
    if (!isGoingOn || next.length === 0) return judged;
    isGoingOn = await runs.make(next);
  }
}

/** Of tests whose results are known, a run shows what breaks. */
function tryTests(changes: readonly Change[], runs: Runs): Promise<boolean> {
  return runs.make(planRounds(changes, true));
}

/**
 * Otherwise a run shows only that something breaks: then each of its changes is made alone, and so is from then on what
 * belongs to a place that has failed alone, because it would spoil the runs of others.
 */
async function tryCommand(changes: readonly Change[], runs: Runs): Promise<boolean> {
  const fragile = new Set<string | undefined>();
  for (const round of planRounds(changes)) {
    const weak = round.filter(({ place }) => fragile.has(place));
    const strong = round.filter(({ place }) => !fragile.has(place));
    const planned = [...eachAlone(weak), strong].filter(({ length }) => length > 0);
    if (!(await runs.make(planned))) return false;
    if (!(await runs.make(eachAlone(judge(round, runs.ended).unknown)))) return false;
    for (const { changes: made, exitCode } of runs.ended) {
      const [change] = made;
      if (made.length === 1 && exitCode !== 0 && change?.place !== undefined) fragile.add(change.place);
    }
  }
  return true;
}

/** `13 requests of 6 tests: 91 failures` */
function whatIsTried(requests: readonly string[], changes: readonly Change[]): string {
  const tests = new Set(changes.map(({ test }) => test?.id));
  const ofTests = tests.has(undefined) ? "" : ` of ${counted(tests.size, "test")}`;
  return `${counted(requests.length, "request")}${ofTests}: ${counted(changes.length, "failure")}`;
}

const allRejected =
  "Requests reached a mock, but all of them were rejected, so no failure was tried. Make a test send a request that succeeds.";
const allWithOwnFaults =
  "All requests are those of tests that arm a fault or a hold themselves, so they were left out. Add --all to try them.";
