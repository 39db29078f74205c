import type { Change, EndedRun } from "./changes.js";
import { type AtLeastOne, groupBy } from "./group-by.js";
import { hasFailed, isAlone, type Turn, turnsOf } from "./turns.js";

/** So often a change must make a test fail if the errors differ from run to run. */
const manyFailures = 3;

/** A test that fails in the same way has the same cause. Without an error, nothing is known of other changes. */
export function testCause({ result, error, change }: Turn): string {
  return `${result} ${error ?? change?.name}`;
}

/** What all runs have shown, and which failures count. */
export class RunEvidence {
  /** Of tests that are flaky, a failure beside those of others is "unknown". */
  readonly turns: readonly Turn[];
  /** Tests that failed in a plain turn, or that failed and passed with the same change, and the run that shows it. */
  readonly flaky: ReadonlyMap<string, EndedRun>;
  /** Failures that are not chance, as far as it is known. */
  readonly failures: readonly Turn[];
  readonly #byChange: ReadonlyMap<Change | undefined, readonly Turn[]>;
  readonly #survived: ReadonlySet<Change | undefined>;
  readonly #chanceErrors: ReadonlySet<string>;
  readonly #byTestAndCause: ReadonlyMap<string, AtLeastOne<Turn>>;
  readonly #byFailure: ReadonlyMap<string, AtLeastOne<Turn>>;

  constructor(runs: readonly EndedRun[]) {
    const all = runs.flatMap(turnsOf);
    this.#survived = new Set(all.filter(({ result }) => result === "survives").map(({ change }) => change));
    const strays = all.filter((turn) => hasFailed(turn) && this.#isContradicted(turn));
    this.flaky = new Map(strays.map(({ test, run }) => [test, run]));
    this.turns = all.map((turn) => this.#clarify(turn));
    this.#byChange = groupBy(this.turns, ({ change }) => change);
    const withError = strays.filter(({ error }) => error !== undefined);
    this.#chanceErrors = new Set(withError.map(({ test, error }) => `${test} ${error}`));
    this.failures = this.turns.filter((turn) => hasFailed(turn) && !this.isChance(turn));
    this.#byTestAndCause = groupBy(this.failures, testAndCause);
    this.#byFailure = groupBy(this.failures, (turn) => this.#failureOf(turn));
  }

  turnsWith(change: Change | undefined): readonly Turn[] {
    return change === undefined ? [] : (this.#byChange.get(change) ?? []);
  }

  /** Whether a failure is without a change, with one that was also survived, or has the error of such a failure. */
  isChance(turn: Turn): boolean {
    return this.#isContradicted(turn) || this.#chanceErrors.has(`${turn.test} ${turn.error}`);
  }

  /** Both are needed: chance often looks like one of them. */
  isConfirmed(turn: Turn): boolean {
    return this.repetitionOf(turn) !== undefined && this.#isSeenOften(turn);
  }

  /** The last turn in which the test failed again, with the same change and cause, or with any errors three times. */
  repetitionOf(turn: Turn): Turn | undefined {
    const sameCause = this.#byTestAndCause.get(testAndCause(turn)) ?? [];
    const sameChange = (one: Turn) => sameCause.filter(({ change }) => change === one.change);
    const repeated = sameCause.findLast((one) => sameChange(one).length > 1);
    return repeated ?? (this.#failsOften(turn) ? turn : undefined);
  }

  /** Whether the same failure of the same operation has led to the same cause at two requests, or often at one. */
  #isSeenOften(turn: Turn): boolean {
    const same = this.#byFailure.get(this.#failureOf(turn)) ?? [];
    const requests = new Set(same.map(({ change }) => change?.of));
    const needed = this.isClearOnlyAlone(turn) ? 2 : manyFailures;
    return requests.size > 1 || same.length >= needed || this.#failsOften(turn);
  }

  /** Whether a test is flaky, or only the exit code is known: then failures beside others show nothing. */
  isClearOnlyAlone({ test }: Turn): boolean {
    return test === "" || this.flaky.has(test);
  }

  /** Whether more runs with this change will not help. */
  isTriedOften({ change }: Turn): boolean {
    return this.turnsWith(change).length > manyFailures;
  }

  #isContradicted({ change }: Turn): boolean {
    return change === undefined || this.#survived.has(change);
  }

  /** Failures of others may be the cause of what a flaky test shows beside them. */
  #clarify(turn: Turn): Turn {
    const isClear = !this.flaky.has(turn.test) || turn.change === undefined || isAlone(turn);
    return hasFailed(turn) && !isClear ? { ...turn, result: "unknown" } : turn;
  }

  #failsOften({ change }: Turn): boolean {
    return this.turnsWith(change).filter(hasFailed).length >= manyFailures;
  }

  /** What must be seen twice. A flaky test proves nothing about others. */
  #failureOf(turn: Turn): string {
    const { test, change } = turn;
    const owner = this.flaky.has(test) ? test : "";
    return `${owner} ${change?.injection?.operation}=${change?.to} ${testCause(turn)}`;
  }
}

function testAndCause(turn: Turn): string {
  return `${turn.test} ${testCause(turn)}`;
}
