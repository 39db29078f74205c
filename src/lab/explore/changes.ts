import { defaultWorld } from "../../fake/contract/world-name.js";
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
  /** Beyond this the failure disturbs nothing: a test, a label or a world. Missing: the whole command. */
  readonly place?: string | undefined;
  /** The test that sends the request. Missing: only the exit code shows what the change does. */
  readonly test?: RecordedTest | undefined;
}

/** A run that has ended, and what the mocks saw. */
export interface EndedRun extends CommandEnd {
  /** From 1, which is the first run: nothing is changed in it. */
  readonly number: number;
  readonly changes: readonly Change[];
  /** Whether it took too long and was killed. */
  readonly hangs: boolean;
  /** The file with its output. */
  readonly log: string;
}

export function wantedFailures(only: readonly string[]): readonly FailureName[] {
  checkOnly(only, "failure", failureNames);
  return only.length === 0 ? failureNames : failureNames.filter((name) => only.includes(name));
}

/** Rejects a word of `--only` that is not known. */
export function checkOnly(only: readonly string[], what: string, possible: readonly string[]): void {
  const unknown = only.find((word) => !possible.includes(word));
  if (unknown !== undefined)
    rejectFlag(`--only ${unknown}: there is no ${what} ${unknown}${hint(unknown, possible)}`);
}

/**
 * A change for each failure at each request. First all failures at the first request of each operation of each place, then
 * those at the second ones: a beginning of the list has its share of each operation and failure.
 * @param tests those of the first run. Only what passed there, maybe when it was retried, can show a break
 */
export function failureChanges(
  requests: readonly string[],
  failures: readonly FailureName[],
  tests: readonly TestResult[],
): Change[] {
  const passed = tests.filter(({ result }) => result === "passed" || result === "retried");
  const testOf = new Map(passed.map((test) => [test.id, test]));
  const counts = new Map<string, number>();
  const ranked = requests.flatMap((of) =>
    failures.map((to) => {
      const name = `${of}=${to}`;
      const injection = parseInjection(name);
      const { world = defaultWorld, operation } = injection;
      const rank = (counts.get(`${world} ${operation} ${to}`) ?? 0) + 1;
      counts.set(`${world} ${operation} ${to}`, rank);
      const place = world === defaultWorld ? undefined : world;
      return { rank, change: { name, of, to, injection, place, test: testOf.get(world) } };
    }),
  );
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ change }) => change);
}
