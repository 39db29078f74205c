import { assumptionIds, valuesOf } from "../../fake/contract/assumptions.js";
import type { Behaviour } from "../../fake/service/behaviour.js";
import { hint } from "../../foundation/nearest.js";
import { rejectFlag } from "../../options/reject-flag.js";
import { type FailureName, failureNames, type Injection, parseInjection } from "../../run/injection.js";
import type { RecordedTest, TestResult } from "../../run/report-test.js";
import type { CommandEnd } from "../run-command.js";

/** One difference from the first run: another value of an assumption, or a failure at one request. */
export interface Change {
  /** `old-token=accepted` or `rotate:acme#2=lost` */
  readonly name: string;
  /** The assumption or the request. */
  readonly of: string;
  /** The value or the failure. */
  readonly to: string;
  /** Missing if it is the value of an assumption. */
  readonly injection?: Injection;
  /** What may break because of it: the test that sends the request, or any test. Empty: the whole command. */
  readonly tests: readonly RecordedTest[];
}

/** The ids of the tests that may break because of a change. The whole command has the empty id. */
export function ownersOf({ tests }: Change): readonly string[] {
  return tests.length === 0 ? [""] : tests.map(({ id }) => id);
}

/** A run of the command. */
export interface PlannedRun {
  /** Shown as progress. */
  readonly name: string;
  /** What is different in it. Empty: nothing, which shows whether a test also fails by itself. */
  readonly changes: readonly Change[];
  /** The run that it repeats, with the same changes. */
  readonly repeats?: EndedRun | undefined;
}

/** A run that has ended, and what the mocks saw. */
export interface EndedRun extends PlannedRun, CommandEnd {
  /** Whether it took too long and was killed. */
  readonly hangs: boolean;
  /** The file with its output. */
  readonly log: string;
}

/** Whether nothing was changed in a run. */
export function isControl({ changes }: PlannedRun): boolean {
  return changes.length === 0;
}

/** Every other value of every assumption, or of those that are wanted: ids and id=value pairs. */
export function wantedValues(behaviour: Behaviour, wanted: readonly string[]) {
  const all = assumptionIds.flatMap((of) =>
    valuesOf(of)
      .filter((to) => to !== behaviour.valueOf(of))
      .map((to) => ({ name: `${of}=${to}`, of, to })),
  );
  checkOnly(wanted, "assumption or alternative value", [...assumptionIds, ...all.map(({ name }) => name)]);
  return all.filter(({ of, name }) => wanted.length === 0 || wanted.includes(of) || wanted.includes(name));
}

export function wantedFailures(wanted: readonly string[]): readonly FailureName[] {
  checkOnly(wanted, "failure", failureNames);
  return wanted.length === 0 ? failureNames : failureNames.filter((name) => wanted.includes(name));
}

/** Rejects a word of `--only` that is not known. */
function checkOnly(wanted: readonly string[], what: string, known: readonly string[]): void {
  const unknown = wanted.find((word) => !known.includes(word));
  if (unknown !== undefined)
    rejectFlag(`--only ${unknown}: there is no ${what} ${unknown}${hint(unknown, known)}`);
}

/**
 * A change for each request and each failure. First all failures of the first request of each operation, then those of the
 * second ones: each beginning of the list has its share of each operation and failure.
 * @param tests those of the first run. The one that sent the request may break, if it passed, maybe only when it was retried
 */
export function failureChanges(
  requests: readonly string[],
  failures: readonly FailureName[],
  tests: readonly TestResult[],
): Change[] {
  const passed = tests.filter(({ result }) => result === "passed" || result === "retried");
  const counts = new Map<string, number>();
  const ranked = requests.flatMap((of) =>
    failures.map((to) => {
      const name = `${of}=${to}`;
      const injection = parseInjection(name);
      const { operation, world } = injection;
      const rank = (counts.get(`${operation}=${to}`) ?? 0) + 1;
      counts.set(`${operation}=${to}`, rank);
      return { rank, change: { name, of, to, injection, tests: passed.filter(({ id }) => id === world) } };
    }),
  );
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ change }) => change);
}
