import { type Change, type EndedRun, failureChanges } from "../../../src/lab/explore/changes.js";
import { tryAndConfirm } from "../../../src/lab/explore/explore-faults.js";
import { type Judged, judge } from "../../../src/lab/explore/judge.js";
import type { Round } from "../../../src/lab/explore/plan-rounds.js";
import { type FailureName, failureNames } from "../../../src/run/injection.js";
import type { TestResult } from "../../../src/run/report-test.js";

/** A test of a suite without code. */
export interface ModelTest {
  readonly name: string;
  /** How many requests it sends: 2 by default. */
  readonly requests?: number;
  /** Its result if a failure affects one of its requests, `1=lost`, or with another value. It survives all others. */
  readonly under?: Readonly<Record<string, "failed" | "recovers" | "retried" | "waits" | "unfinished">>;
  /** It fails whenever a failure affects a request of this test. */
  readonly dependsOn?: string;
  /** How often it fails for no reason, from 0 to 1, and its error then. */
  readonly flakiness?: number;
  readonly badLuck?: string;
  /** Its error with a failure of this kind. By default, it is "broken" with any. */
  readonly errorOf?: (kind: string) => string;
}

interface ModelOptions {
  readonly failures?: readonly FailureName[];
  readonly random?: () => number;
  /** Whether the results by test are known. Otherwise only places and exit codes are. */
  readonly isKnown?: boolean;
}

/** A suite without processes: what a run of it would record. */
export class ModelSuite {
  readonly #tests: readonly ModelTest[];
  readonly #random: () => number;
  readonly #isKnown: boolean;
  readonly changes: readonly Change[];

  constructor(
    tests: readonly ModelTest[],
    { failures = failureNames, random = () => 1, isKnown = true }: ModelOptions = {},
  ) {
    this.#tests = tests;
    this.#random = random;
    this.#isKnown = isKnown;
    this.changes = failureChanges(this.requests, failures, isKnown ? tests.map(passed) : []);
  }

  get requests(): string[] {
    return this.#tests.flatMap(({ name, requests = 2 }) =>
      Array.from({ length: requests }, (_, n) => `${name}/rotate:acme#${n + 1}`),
    );
  }

  /** The first run, in which all pass. */
  get first(): EndedRun {
    const seen = { ...nothingSeen, requests: this.requests, tests: this.#reported(this.#tests.map(passed)) };
    return { ...endOf(1, []), exitCode: 0, seen };
  }

  /** What a run with these failures shows. */
  run(changes: readonly Change[], number = 2): EndedRun {
    const injected = new Set(changes.map(({ name }) => name));
    const outcomes = this.#tests.map((test) => ({ test, ...this.#outcomeOf(test, changes) }));
    const namesWith = (outcome: string) =>
      new Set(outcomes.flatMap((one) => (one.outcome === outcome && one.change ? one.change.name : [])));
    const tests = outcomes.map(({ result }) => result);
    const exitCode = tests.every(({ result }) => result === "passed" || result === "retried") ? 0 : 1;
    const [waited, recovered] = [namesWith("waits"), namesWith("recovers")];
    const seen = { ...nothingSeen, injected, waited, recovered, tests: this.#reported(tests) };
    return { ...endOf(number, changes), exitCode, seen };
  }

  #outcomeOf(test: ModelTest, changes: readonly Change[]) {
    const { name, under = {}, flakiness = 0, badLuck = "bad luck", errorOf = () => "broken" } = test;
    const change = changes.find(({ injection }) => !injection || injection.world === name);
    const outcome = under[change?.name.replace(/.*#/, "") ?? ""];
    if (outcome === "unfinished" || outcome === "retried")
      return { change, outcome, result: resultOf(test, outcome) };
    const isDisturbed = changes.some(({ place }) => place === test.dependsOn && place !== undefined);
    if (isDisturbed || (outcome !== undefined && outcome !== "waits"))
      return { change, outcome, result: resultOf(test, "failed", errorOf(change?.to ?? "")) };
    if (this.#random() < flakiness) return { change, outcome, result: resultOf(test, "failed", badLuck) };
    return { change, outcome, result: passed(test) };
  }

  #reported(tests: TestResult[]): TestResult[] {
    return this.#isKnown ? tests : [];
  }

  /** Explores it, as `explore --faults` does. */
  async explore(maxRuns = 10_000): Promise<{ judged: Judged; runs: EndedRun[] }> {
    const ended = [this.first];
    const make = async (rounds: readonly Round[]) => {
      for (const round of rounds) {
        if (ended.length >= maxRuns) return false;
        ended.push(this.run(round, ended.length + 1));
      }
      return true;
    };
    const judged = await tryAndConfirm(this.changes, { ended, make });
    return { judged, runs: ended };
  }
}

const none: ReadonlySet<string> = new Set();
const nothingSeen = {
  ...{ isReached: true, requests: [], withOwnFault: none, decided: none, pinned: none, known: none },
  ...{ injected: none, waited: none, recovered: none },
};

function endOf(number: number, changes: readonly Change[]) {
  return { number, changes, hangs: false, log: `/logs/run-${number}.log`, durationMs: 1, messages: [] };
}

function passed(test: ModelTest): TestResult {
  return resultOf(test, "passed");
}

function resultOf({ name }: ModelTest, result: TestResult["result"], message = ""): TestResult {
  const hasFailed = result === "failed" || result === "retried";
  const failure = hasFailed ? { failure: { title: name, error: { message } } } : {};
  const file = `${name}.test.ts`;
  return { id: name, framework: "vitest", file, titles: [name], world: name, ...failure, result };
}

/** The results of all combinations that do not survive: `t0/rotate:acme#1=lost`. */
export function notSurviving({ findings }: Pick<Judged, "findings">): Record<string, string> {
  const found = findings.filter(({ result }) => result !== "survives");
  return Object.fromEntries(found.map(({ change, result }) => [change.name, result]));
}

/** What single runs of each combination show. */
export function resultsAlone(suite: ModelSuite): Record<string, string> {
  const results = suite.changes.map((change) => {
    const runs = [2, 3, 4].map((number) => suite.run([change], number));
    const { findings } = judge([change], [suite.first, ...runs]);
    return [change.name, findings[0]?.result];
  });
  return Object.fromEntries(results);
}

export function modelTests(count: number, more: (n: number) => Partial<ModelTest> = () => ({})): ModelTest[] {
  return Array.from({ length: count }, (_, n) => ({ name: `t${n}`, ...more(n) }));
}

/** Repeatable random numbers from 0 to 1: mulberry32. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
