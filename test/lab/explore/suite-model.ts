import { type Change, type EndedRun, failureChanges } from "../../../src/lab/explore/changes.js";
import { type Plan, planRuns, type Suite } from "../../../src/lab/explore/plan-runs.js";
import { type FailureName, failureNames } from "../../../src/run/injection.js";
import type { TestResult } from "../../../src/run/report-test.js";

/** A test of a suite without code. */
export interface ModelTest {
  readonly name: string;
  readonly file: string;
  /** How many requests it sends: 2 by default. */
  readonly requests?: number;
  /** Its result if a failure affects one of its requests, `1=lost`, or with another value. It survives all others. */
  readonly under?: Readonly<Record<string, "failed" | "recovers" | "retried" | "hangs" | "crashes">>;
  /** It fails whenever a failure affects a request of this test, or one of its requests: `t2#1`. */
  readonly dependsOn?: string;
  /** How often it fails for no reason, from 0 to 1. */
  readonly flakiness?: number;
  /** Its error if it fails for no reason. */
  readonly badLuck?: string;
  /** Its error with a failure of this kind. By default, it is "broken" with any. */
  readonly errorOf?: (kind: string) => string;
  /** The world that it shares with other tests. By default it has its own. */
  readonly sharedWorld?: string;
  readonly timeoutMs?: number;
}

/** A suite without processes: what a run of it would record. */
export class ModelSuite {
  readonly #tests: readonly ModelTest[];
  readonly #random: () => number;
  readonly first: readonly TestResult[];
  readonly changes: readonly Change[];

  /** @param isKnown whether the results by test are known */
  constructor(
    tests: readonly ModelTest[],
    {
      failures = failureNames,
      random = () => 1,
      isKnown = true,
    }: { failures?: readonly FailureName[]; random?: () => number; isKnown?: boolean } = {},
  ) {
    this.#tests = tests;
    this.#random = random;
    this.first = isKnown ? tests.map((test) => resultOf(test, "passed")) : [];
    const requests = tests.flatMap(({ name, requests: count = 2 }) =>
      Array.from({ length: count }, (_, n) => `${name}/rotate:acme#${n + 1}`),
    );
    this.changes = failureChanges(requests, failures, this.first);
  }

  /** What a run with these failures shows. A file ends where one of its tests crashes or hangs. */
  run(changes: readonly Change[], name = ""): EndedRun {
    const tests: TestResult[] = [];
    const injected = new Set<string>();
    const recovered = new Set<string>();
    const ended = new Set<string>();
    let hangs = false;
    for (const test of this.#tests) {
      if (ended.has(test.file)) continue;
      const change = changes.find(({ injection }) => !injection || injection.world === test.name);
      if (change?.injection !== undefined) injected.add(change.name);
      const outcome = test.under?.[change?.name.replace(/.*#/, "") ?? ""];
      if (outcome === "recovers") recovered.add(change?.name ?? "");
      const isDisturbed = changes.some(
        ({ injection: { world, occurrence } = {} }) =>
          world !== undefined && [world, `${world}#${occurrence}`].includes(test.dependsOn ?? ""),
      );
      if (outcome === "hangs" || outcome === "crashes") {
        hangs ||= outcome === "hangs";
        ended.add(test.file);
        tests.push(resultOf(test, "unfinished"));
      } else {
        const fails = isDisturbed || outcome === "recovers";
        const strays = !fails && outcome === undefined && this.#random() < (test.flakiness ?? 0);
        const { badLuck = "bad luck", errorOf = () => "broken" } = test;
        if (strays) tests.push(resultOf(test, "failed", badLuck));
        else tests.push(resultOf(test, fails ? "failed" : (outcome ?? "passed"), errorOf(change?.to ?? "")));
      }
    }
    const isBad = tests.some(({ result }) => result === "failed" || result === "unfinished");
    const reported = this.first.length === 0 ? [] : tests;
    const none = new Set<string>();
    const nothing = { isReached: true, decided: none, pinned: none, known: none, requests: [] };
    const unused = { withOwnFault: none, tookEffect: none, repeated: none };
    const seen = { ...nothing, ...unused, injected, recovered, tests: reported };
    const end = { exitCode: isBad ? 1 : 0, durationMs: 1, messages: [], seen };
    return { name, changes, ...end, hangs, log: "" };
  }

  /** Explores it. */
  explore(options: Partial<Suite> = {}): { plan: Plan; runs: EndedRun[] } {
    const run = this.run([]);
    const first = { ...run, exitCode: 0, seen: { ...run.seen, tests: this.first } };
    const suite = { changes: this.changes, first, maxRuns: 1_000, ...options };
    const runs: EndedRun[] = [];
    for (;;) {
      const plan = planRuns(suite, runs);
      if (plan.next === undefined) return { plan, runs };
      for (const planned of plan.next.runs)
        runs.push({ ...this.run(planned.changes, planned.name), ...planned });
    }
  }
}

function resultOf(
  { name, file, timeoutMs = 5_000, sharedWorld: world = name }: ModelTest,
  result: TestResult["result"],
  message = "",
): TestResult {
  const timeout = timeoutMs === 0 ? {} : { timeoutMs };
  const hasFailed = result === "failed" || result === "retried";
  const failure = hasFailed ? { failure: { title: name, file, error: { message } } } : {};
  return { id: name, framework: "vitest", file, titles: [name], world, ...timeout, ...failure, result };
}

/** The results of all points that do not survive. */
export function notSurviving({ findings }: Plan): Record<string, string> {
  const found = findings.filter(({ result }) => result !== "survives");
  return Object.fromEntries(found.map(({ change, result }) => [change.name, result]));
}

/** `count` tests in some files. */
export function modelTests(
  count: number,
  files: number,
  more: (n: number) => Partial<ModelTest> = () => ({}),
) {
  return Array.from({ length: count }, (_, n) => ({
    name: `t${n}`,
    file: `${n % files}.test.ts`,
    ...more(n),
  }));
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
