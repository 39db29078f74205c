import type { RecordedTest } from "../../run/report-test.js";
import { type Change, type EndedRun, isControl, ownersOf } from "./changes.js";
import {
  clarify,
  findIndependent,
  hasFailed,
  type IsIndependent,
  isUnexplained,
  type Observation,
  type Observations,
  observeRuns,
  type Verdict,
} from "./observe-runs.js";
import { CommonErrors, causesOf, recordOf, type TestCause, type TestRecord } from "./test-causes.js";

/**
 * What is known of a test with a change. The result of a change is the first of these that one of its tests has.
 * "unconfirmed": it failed, and was not tried again.
 */
const results = ["hangs", "breaks", "recovers", "unconfirmed", "flaky", "not met", "survives"] as const;

export type Result = (typeof results)[number];

/** What is known of a change. */
export interface ChangeFinding {
  readonly change: Change;
  readonly result: string;
  /** The tests with this result. */
  readonly tests: readonly RecordedTest[];
  /** The run that shows it. Missing if no run was needed. */
  readonly shown?: EndedRun | undefined;
  /** The change in that run: this one, or one that makes the same test fail with the same error. */
  readonly shownBy?: Change | undefined;
  /** The error of the first of these tests, if it is known. */
  readonly error?: string | undefined;
}

/** What the runs that have ended show. */
export interface Judged {
  /** In the order of the changes. A change of which nothing is known has none. */
  readonly findings: readonly ChangeFinding[];
  /** The ids of the tests that failed without a change, and the run that shows it. The whole command has the empty id. */
  readonly flaky: ReadonlyMap<string, EndedRun>;
  /** The ids of the tests that failed, each time, because of changes in other tests. */
  readonly influenced: ReadonlySet<string>;
  /** Changes whose tests have failed, maybe because of changes in other tests. */
  readonly unclear: ReadonlySet<Change>;
  /** Changes whose tests did not end in a run with other changes. */
  readonly unknown: ReadonlySet<Change>;
  /** Whether it is known that a test does not depend on another one. */
  readonly isIndependent: IsIndependent;
  /** One change for each test and cause that is not confirmed yet. */
  readonly toConfirm: readonly Change[];
  /** Whether a run without a change would show more. */
  readonly needsControl: boolean;
  /** A run to repeat: it shows whether a test that failed without a change is flaky. */
  readonly check: EndedRun | undefined;
}

/**
 * What the runs that have ended show of each change.
 * @param first the run without a change that came first
 */
export function judgeRuns(changes: readonly Change[], first: EndedRun, runs: readonly EndedRun[]): Judged {
  const seen = observeRuns(runs);
  const { flaky, influenced, check } = findDoubts(first, runs, seen);
  const isIndependent = findIndependent(seen, influenced);
  const observed = clarify(seen, isIndependent);
  const common = new CommonErrors(observed);
  const ofCommand = recordOf(observed.get("") ?? [], false);
  const judges = new Map(
    [...new Set(changes.flatMap(ownersOf))].map((id) => {
      const record = recordOf(observed.get(id) ?? [], influenced.has(id));
      const records = flaky.has("") ? [record, ofCommand] : [record];
      return [id, new TestJudge(record, records, common)];
    }),
  );
  const findings = changes.flatMap((change): ChangeFinding | [] => {
    const judged = ownersOf(change).map((id) => ({ id, judgement: judges.get(id)?.judge(change) }));
    if (judged.some(({ judgement }) => judgement === undefined)) return [];
    const result = results.find((one) => judged.some(({ judgement }) => judgement?.result === one));
    const worst = judged.filter(({ judgement }) => judgement?.result === result);
    const tests = change.tests.filter((test) => worst.some(({ id }) => id === test.id));
    return { change, result: "survives", ...worst[0]?.judgement, tests };
  });
  const changesWith = (verdict: Verdict) => {
    const some = [...observed.values()].flat().filter((one) => one.verdict === verdict);
    return new Set(some.flatMap(({ change }) => change ?? []));
  };
  const isOpen = [...judges.values()].some((judge) => judge.isOpen);
  const isFailing = runs.some(({ exitCode }) => exitCode !== 0);
  // Values of assumptions are only compared with each other.
  const canControl = changes.some(({ injection }) => injection !== undefined);
  return {
    findings,
    flaky,
    influenced,
    check,
    unclear: changesWith("unclear"),
    unknown: changesWith("unknown"),
    isIndependent,
    toConfirm: [...new Set([...judges.values()].flatMap((judge) => judge.toConfirm))],
    needsControl: canControl && (isOpen || (isFailing && !runs.some(isControl))),
  };
}

/** What is known of one test with one of its changes. */
type Judgement = Pick<ChangeFinding, "shown" | "shownBy" | "error"> & { readonly result: Result };

/** Judges the changes of one test. */
class TestJudge {
  readonly #record: TestRecord;
  readonly #causes: readonly TestCause[];
  /** Whether it passes so often that its failures count. */
  readonly #isReliable: boolean;
  /** Whether no more runs can show that. */
  readonly #isHopeless: boolean;

  /** @param records of the test, and of the whole command if that also fails without a change */
  constructor(record: TestRecord, records: readonly TestRecord[], common: CommonErrors) {
    this.#record = record;
    this.#causes = causesOf(record, common);
    this.#isReliable = records.every((one) => one.passesOften);
    this.#isHopeless = records.some((one) => one.failsOften && !one.passesOften);
  }

  /** Whether runs without a change may show that its failures count. */
  get isOpen(): boolean {
    return this.#causes.length > 0 && !this.#isReliable && !this.#isHopeless;
  }

  /** What to try again. */
  get toConfirm(): readonly Change[] {
    if (this.#isHopeless) return [];
    return this.#causes.flatMap(({ isConfirmed, shownBy }) => (isConfirmed ? [] : shownBy));
  }

  /** Undefined if nothing is known. */
  judge(change: Change): Judgement | undefined {
    const tries = this.#record.tries.get(change) ?? [];
    const hanging = tries.findLast(({ verdict }) => verdict === "hangs");
    if (hanging !== undefined) return judgeBy(hanging, "hangs");
    const missing = tries.findLast(({ verdict }) => verdict === "not met");
    if (missing !== undefined) return judgeBy(missing, "not met");
    const failed = tries.findLast(hasFailed);
    if (failed === undefined) return tries[0] && judgeBy(tries[0], "survives");
    const cause = this.#causes.find(({ changes }) => changes.includes(change));
    // Without a cause it has also passed.
    if (cause === undefined || this.#isHopeless) return judgeBy(failed, "flaky");
    if (!cause.isConfirmed) return judgeBy(failed, "unconfirmed");
    return this.#isReliable ? judgeBy(cause.shown, cause.result) : judgeBy(failed, "flaky");
  }
}

function judgeBy({ shown, change, error }: Observation, result: Result): Judgement {
  return { shown, shownBy: change, error, result };
}

/** So many runs show that a test without a change fails because of the changes in others. */
const neededRepetitions = 3;

/**
 * A test that fails without a change in it is flaky if it also fails in a run without any change, or passes when the run is
 * repeated; otherwise it is influenced by other tests. `check` is a run to repeat.
 */
function findDoubts(first: EndedRun, runs: readonly EndedRun[], observed: Observations) {
  const flaky = new Map<string, EndedRun>();
  const influenced = new Set<string>();
  let check: EndedRun | undefined;
  for (const { id, result } of first.seen.tests) {
    if (result === "retried") flaky.set(id, first);
    if (result !== "passed") continue;
    const failed = (observed.get(id) ?? [])
      .filter((one) => one.change === undefined && hasFailed(one))
      .map(({ shown }) => shown);
    const isStray = (run: EndedRun) =>
      isControl(run) || repetitionsOf(run, runs).some((one) => !failed.includes(one));
    const stray = failed.find(isStray);
    if (stray !== undefined) flaky.set(id, stray);
    else if (failed.some((run) => repetitionsOf(run, runs).length >= neededRepetitions)) influenced.add(id);
    else check ??= failed[0];
  }
  const unexplained = runs.find((run) => isControl(run) && isUnexplained(run));
  if (unexplained !== undefined) flaky.set("", unexplained);
  return { flaky, influenced, check };
}

/** A run and those that repeat it. */
function repetitionsOf(run: EndedRun, runs: readonly EndedRun[]): readonly EndedRun[] {
  const original = run.repeats ?? run;
  return runs.filter((one) => one === original || one.repeats === original);
}
