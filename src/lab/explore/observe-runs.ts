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
  return new Map(
    Array.from(observed, ([id, ofTest]) => {
      const independentOf = findIndependent(ofTest);
      return [id, ofTest.map((one) => clarify(one, id, independentOf))];
    }),
  );
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

/** A test that failed beside changes in other tests counts only if it is known that it does not depend on these. */
function clarify(one: Observation, id: string, independentOf: ReadonlySet<string>): Observation {
  if (one.change === undefined || !hasFailed(one)) return one;
  const others = one.shown.changes.filter((change) => change !== one.change).flatMap(ownersOf);
  const isClear = others.every((other) => other === id || independentOf.has(other));
  return isClear ? one : { ...one, verdict: "unclear" };
}

/** The tests of which it is known that a test does not depend on them: it passed beside changes in them, without one itself. */
export function findIndependent(ofTest: readonly Observation[]): ReadonlySet<string> {
  const passes = ofTest.filter(({ change, verdict }) => change === undefined && verdict === "survives");
  return new Set(passes.flatMap(({ reached }) => [...reached]));
}

/** The error of a test in one line, without numbers that differ from run to run, such as ports. */
function errorOf(test: TestResult | undefined): string | undefined {
  const text = stripVTControlCharacters(test?.failure?.error?.message ?? "").replace(/\s+/g, " ");
  return (
    text
      .replace(/\d{4,}|[\da-f]{16,}/g, "…")
      .trim()
      .slice(0, 200) || undefined
  );
}
