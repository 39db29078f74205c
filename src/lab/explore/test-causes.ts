import type { Change } from "./changes.js";
import { hasFailed, type Observation, type Observations } from "./observe-runs.js";

/** How a test did in all runs. */
export interface TestRecord {
  /** What the runs with each of its changes have shown, without those that have shown nothing. */
  readonly tries: ReadonlyMap<Change, readonly Observation[]>;
  /** Failures without a change, or with one that it has also survived. */
  readonly strays: readonly Observation[];
  /** How often it passed without a change. */
  readonly controls: number;
  /** Whether it passes much more often than it fails where it should pass. */
  readonly passesOften: boolean;
  /** Whether it fails there so often that more runs will not help. */
  readonly failsOften: boolean;
}

/** A test that fails where it should pass is judged if it passes at least so many times as often there. */
const passesPerStray = 2;

/** So many failures where it should pass decide that a test is flaky. */
const manyStrays = 3;

/** @param isInfluenced whether it fails because of changes in other tests */
export function recordOf(ofTest: readonly Observation[], isInfluenced: boolean): TestRecord {
  const tries = new Map<Change, Observation[]>();
  for (const one of ofTest) {
    if (one.change === undefined || one.verdict === "unknown" || one.verdict === "unclear") continue;
    const ofChange = tries.get(one.change) ?? [];
    ofChange.push(one);
    tries.set(one.change, ofChange);
  }
  const passed = ofTest.filter(({ verdict }) => verdict === "survives");
  const survived = new Set(passed.map(({ change }) => change));
  const strays = ofTest.filter((one) => {
    if (!hasFailed(one)) return false;
    return one.change === undefined ? !isInfluenced : survived.has(one.change);
  });
  return {
    tries,
    strays,
    controls: passed.filter(({ change }) => change === undefined).length,
    passesOften: passed.length >= passesPerStray * strays.length,
    failsOften: strays.length >= manyStrays,
  };
}

/** Changes that make a test fail in the same way, every time that they were tried. */
export interface TestCause {
  readonly changes: readonly Change[];
  readonly result: "breaks" | "recovers";
  readonly isConfirmed: boolean;
  /** The change that was tried most often, which is the one to try again, and its last failure. */
  readonly shownBy: Change;
  readonly shown: Observation;
}

/** How often one change of a cause must fail. The model of flaky tests in plan-runs.test.ts justifies these numbers. */
const neededFailures = { steady: 2, shaky: 3 };

/** A test is steady if it passed so often without a change, and never failed where it should pass. */
const enoughControls = 3;

/** A change that has made a test fail every time that it was tried. */
interface FailedChange {
  readonly change: Change;
  readonly failures: number;
  readonly last: Observation;
}

/** The causes of what has failed every time that it was tried. */
export function causesOf(record: TestRecord, common: CommonErrors): TestCause[] {
  const { strays, controls } = record;
  const isSteady = strays.length === 0 && controls >= enoughControls;
  const needed = isSteady ? neededFailures.steady : neededFailures.shaky;
  const groups = new Map<string, [FailedChange, ...FailedChange[]]>();
  for (const failed of findFailed(record)) {
    const { change, last } = failed;
    // An error that also occurs by chance proves nothing about other changes.
    const isShared = common.has(last) && !strays.some(({ error }) => error === last.error);
    const key = `${last.verdict} ${isShared ? last.error : change.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [failed]);
    else group.push(failed);
  }
  return Array.from(groups.values(), (group) => {
    const most = group.reduce((best, one) => (one.failures > best.failures ? one : best));
    return {
      changes: group.map(({ change }) => change),
      result: most.last.verdict === "recovers" ? "recovers" : "breaks",
      isConfirmed: most.failures >= needed,
      shownBy: most.change,
      shown: most.last,
    };
  });
}

function findFailed({ tries }: TestRecord): FailedChange[] {
  return Array.from(tries).flatMap(([change, ofChange]) => {
    const last = ofChange.at(-1);
    if (last === undefined || !ofChange.every(hasFailed)) return [];
    return { change, failures: ofChange.length, last };
  });
}

/** So many failures of one request with the same error are not chance. */
const manyFailures = 4;

/**
 * Errors that are probably not chance: the same failure of the same operation leads to it at two requests, or many failures
 * of one request do. If one of these failures is confirmed, all of them are.
 */
export class CommonErrors {
  /** The requests at which a failure of an operation led to an error. */
  readonly #requests = new Map<string, Set<string>>();
  /** The failures of a request that led to an error. */
  readonly #failures = new Map<string, Set<string>>();

  constructor(observed: Observations) {
    for (const one of [...observed.values()].flat()) {
      if (!hasFailed(one) || one.error === undefined || one.change?.injection === undefined) continue;
      const { of: request, to: failure, injection } = one.change;
      const addTo = (sets: Map<string, Set<string>>, key: string, item: string) =>
        sets.set(key, (sets.get(key) ?? new Set()).add(item));
      addTo(this.#requests, `${injection.operation}=${failure} ${one.error}`, request);
      addTo(this.#failures, `${request} ${one.error}`, failure);
    }
  }

  has({ change, error }: Observation): boolean {
    if (error === undefined || change?.injection === undefined) return false;
    const requests = this.#requests.get(`${change.injection.operation}=${change.to} ${error}`);
    const failures = this.#failures.get(`${change.of} ${error}`);
    return (requests?.size ?? 0) > 1 || (failures?.size ?? 0) >= manyFailures;
  }
}
