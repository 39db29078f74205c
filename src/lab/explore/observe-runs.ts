import { stripVTControlCharacters } from "node:util";
import { doesBreak, type TestResult } from "../../run/report-test.js";
import { type Change, type EndedRun, isControl, ownersOf } from "./changes.js";

/**
 * What one run has shown of a test. "recovers": it failed, but the program got through. "not met": its change had no
 * effect. "unclear": it failed, but a change in another test may be the cause. "unknown": it did not end.
 */
export type Verdict = "hangs" | "breaks" | "recovers" | "not met" | "survives" | "unclear" | "unknown";

/** A test in a run. */
export interface Observation {
  readonly verdict: Verdict;
  /** The error of a failed test, if it is known. */
  readonly error: string | undefined;
  /** The change that concerned the test, if any. */
  readonly change: Change | undefined;
  readonly shown: EndedRun;
  /** The ids of all tests that a change of the run has reached. */
  readonly reached: ReadonlySet<string>;
}

/** What the runs have shown of each test, by its id. The whole command has the empty id. */
export type Observations = ReadonlyMap<string, readonly Observation[]>;

export function hasFailed(one: { readonly verdict: Verdict }): boolean {
  return one.verdict === "breaks" || one.verdict === "recovers";
}

export function observeRuns(runs: readonly EndedRun[]): Observations {
  const observed = new Map<string, Observation[]>();
  for (const run of runs)
    for (const [id, one] of observeRun(run)) {
      const ofTest = observed.get(id) ?? [];
      ofTest.push(one);
      observed.set(id, ofTest);
    }
  return observed;
}

/** What one run has shown of each test: first of those with a change, then of those without. */
function observeRun(shown: EndedRun): [id: string, one: Observation][] {
  const { changes, exitCode, seen } = shown;
  const met = changes.filter(({ name, injection }) => injection === undefined || seen.injected.has(name));
  const reached = new Set(met.flatMap(ownersOf));
  const observation = (id: string, verdict: Verdict, change?: Change): [string, Observation] => {
    const error = errorOf(seen.tests.find((test) => test.id === id));
    return [id, { verdict, error, change, shown, reached }];
  };
  const withChange = changes.flatMap((change) =>
    ownersOf(change).flatMap((id) => {
      const verdict = judgeTest(id, change, shown);
      return verdict === undefined ? [] : [observation(id, verdict, change)];
    }),
  );
  const without = seen.tests
    .filter(({ id, result }) => !reached.has(id) && result !== "skipped" && result !== "unfinished")
    .map(({ id, result }) => observation(id, result === "passed" ? "survives" : "breaks"));
  // A change of the whole command concerns every test.
  const ofTests = reached.has("") ? withChange : [...withChange, ...without];
  if (!isControl(shown)) return ofTests;
  return [...ofTests, observation("", exitCode === 0 ? "survives" : "breaks")];
}

/** What one run has shown of a test with one of its changes. Undefined if the test was not reached. */
export function judgeTest(id: string, change: Change, shown: EndedRun): Verdict | undefined {
  const { seen, changes } = shown;
  const { injection, name } = change;
  const isAlone = changes.length === 1;
  const test = seen.tests.find((one) => one.id === id);
  if (!isAlone && shown.hangs) {
    const hanging = findHanging(shown);
    if (hanging === change) return "hangs";
    // The test that hangs kept it from starting.
    if (hanging !== undefined && test === undefined) return undefined;
  }
  const hasEnded = test !== undefined && test.result !== "unfinished" && !isUnexplained(shown);
  if (!isAlone && !hasEnded) return "unknown";
  if (injection && !seen.injected.has(name))
    return isAlone || test?.result === "passed" ? "not met" : "unknown";
  if (injection && isAlone && shown.hangs) return "hangs";
  const isBroken = test === undefined ? seen.tests.some(doesBreak) : doesBreak(test);
  if (!isBroken && !isUnexplained(shown)) return "survives";
  return test !== undefined && seen.recovered.has(name) ? "recovers" : "breaks";
}

/** The failure that made a run hang: that of the only test that has not ended. Undefined if several may be the cause. */
function findHanging({ changes, seen }: EndedRun): Change | undefined {
  const [test, ...others] = seen.tests.filter(({ result }) => result === "unfinished");
  if (test === undefined || others.length > 0) return undefined;
  return changes.find((change) => ownersOf(change).includes(test.id) && seen.injected.has(change.name));
}

/** Whether something else than a test has failed, such as a promise without a handler. */
export function isUnexplained({ exitCode, seen }: EndedRun): boolean {
  return exitCode !== 0 && !seen.tests.some(doesBreak);
}

/** Whether it is known that a test does not depend on another one. */
export type IsIndependent = (id: string, other: string) => boolean;

/**
 * A test does not depend on those beside whose changes it passed, without one itself.
 * @param influenced tests that also failed in such a run, because of others: they may depend on all that had a change then
 */
export function findIndependent(observed: Observations, influenced: ReadonlySet<string>): IsIndependent {
  const independent = new Map(
    Array.from(observed, ([id, ofTest]) => {
      const without = ofTest.filter(({ change }) => change === undefined);
      const failed = influenced.has(id) ? without.filter(hasFailed) : [];
      const suspects = new Set(failed.flatMap(({ reached }) => [...reached]));
      const passed = without.filter(({ verdict }) => verdict === "survives");
      const others = passed.flatMap(({ reached }) => [...reached]);
      return [id, new Set(others.filter((other) => !suspects.has(other)))];
    }),
  );
  return (id, other) => id === other || independent.get(id)?.has(other) === true;
}

/** A test that failed beside changes in other tests counts only if it does not depend on these. */
export function clarify(observed: Observations, isIndependent: IsIndependent): Observations {
  return new Map(
    Array.from(observed, ([id, ofTest]) => {
      const isClear = ({ change, shown }: Observation) => {
        const others = shown.changes.filter((one) => one !== change).flatMap(ownersOf);
        return others.every((other) => isIndependent(id, other));
      };
      const clear = ofTest.map((one): Observation => {
        if (one.change === undefined || !hasFailed(one) || isClear(one)) return one;
        return { ...one, verdict: "unclear" };
      });
      return [id, clear];
    }),
  );
}

/** The error of a test in one line, without what differs from run to run, such as ports and tokens. */
function errorOf(test: TestResult | undefined): string | undefined {
  const text = stripVTControlCharacters(test?.failure?.error?.message ?? "").replace(/\s+/g, " ");
  return (
    text
      .replace(/[\da-f]{16,}|\d{4,}/g, "…")
      .trim()
      .slice(0, 200) || undefined
  );
}
