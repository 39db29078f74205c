import { doesBreak, type RecordedTest, type TestResult } from "../../run/report-test.js";
import type { Change, EndedRun } from "./changes.js";
import { type AtLeastOne, groupBy } from "./group-by.js";
import type { Round } from "./plan-rounds.js";
import { steadyError } from "./turns.js";

/** What is known of a value of an assumption. "unconfirmed": tests failed, and were not tried again. */
export interface ValueFinding {
  readonly change: Change;
  readonly result: "passes" | "breaks" | "hangs" | "flaky" | "unconfirmed";
  /** The tests that failed, each time if it breaks. Empty if only the exit code is known. */
  readonly tests: readonly RecordedTest[];
  readonly shown: EndedRun;
  /** Of the first of these tests. */
  readonly error?: string | undefined;
}

/** So often a value must fail. More often if a run of any value has contradicted another one: then chance is about. */
const neededFailures = { usual: 2, withChance: 4 };

/** What the runs have shown of each value, and which to try again. A value concerns all tests: it is alone in a run. */
export function judgeValues(values: readonly Change[], runs: readonly EndedRun[]) {
  const runsOf = groupBy(runs, ({ changes }) => changes[0]);
  const tried = values.flatMap((change) => {
    const ofValue = runsOf.get(change);
    return ofValue === undefined ? [] : tryOf(change, ofValue);
  });
  const isContradicted = tried.some(({ failed, broken }) => failed.size > broken.length);
  const needed = isContradicted ? neededFailures.withChance : neededFailures.usual;
  return {
    findings: tried.map((one) => valueFinding(one, needed)),
    again: tried
      .filter(({ broken, ofValue }) => broken.length > 0 && ofValue.length < needed)
      .map(({ change }): Round => [change]),
  };
}

/** What the runs of one value have shown. */
interface ValueTry {
  readonly change: Change;
  readonly ofValue: AtLeastOne<EndedRun>;
  /** The tests that failed in some run, by id, and those that failed in every run. The command has the id "". */
  readonly failed: ReadonlyMap<string, TestResult | undefined>;
  readonly broken: readonly string[];
}

function tryOf(change: Change, ofValue: AtLeastOne<EndedRun>): ValueTry {
  const failures = ofValue.map(failuresIn);
  const failed = new Map(failures.flat());
  const broken = [...failed.keys()].filter((id) =>
    failures.every((ofRun) => ofRun.some(([one]) => one === id)),
  );
  return { change, ofValue, failed, broken };
}

function failuresIn({ exitCode, seen }: EndedRun): (readonly [id: string, TestResult | undefined])[] {
  const failed = seen.tests.filter(doesBreak);
  if (failed.length > 0) return failed.map((test) => [test.id, test]);
  return exitCode === 0 ? [] : [["", undefined]];
}

function valueFinding({ change, ofValue, failed, broken }: ValueTry, needed: number): ValueFinding {
  const shown = ofValue.findLast((run) => failuresIn(run).length > 0) ?? ofValue[0];
  const ids = broken.length > 0 ? broken : [...failed.keys()];
  const tests = ids.map((id) => failed.get(id)).filter((test) => test !== undefined);
  const [test] = tests;
  const found = { change, tests, shown, error: test && steadyError(test) };
  if (failed.size === 0) return { ...found, result: "passes" };
  if (broken.length === 0) return { ...found, result: "flaky" };
  if (ofValue.length < needed) return { ...found, result: "unconfirmed" };
  return { ...found, result: ofValue.every(({ hangs }) => hangs) ? "hangs" : "breaks" };
}
