import type { RunResult } from "../../src/lab/explore/exploration.js";
import { FaultPlan, type FaultPlanOptions, type FaultRun } from "../../src/lab/explore/fault-plan.js";
import { type Point, pointsOf } from "../../src/lab/explore/points.js";
import { type FailureName, failureNames } from "../../src/run/injection.js";
import type { TestResult } from "../../src/run/test-results.js";

/** A test of a suite without code. */
export interface ModelTest {
  readonly name: string;
  readonly file: string;
  /** How many requests it sends: 2 by default. */
  readonly requests?: number;
  /** Its result if a failure affects one of its requests: `1=lost`. It survives all others. */
  readonly under?: Readonly<Record<string, "failed" | "retried" | "hangs" | "crashes">>;
  /** It fails whenever a failure affects a request of this test. */
  readonly dependsOn?: string;
  /** The world that it shares with other tests. By default it has its own. */
  readonly sharedWorld?: string;
  readonly timeoutMs?: number;
}

/** A suite without processes: what a run of it would record. */
export class ModelSuite {
  readonly #tests: readonly ModelTest[];
  readonly first: readonly TestResult[];
  readonly points: readonly Point[];

  constructor(tests: readonly ModelTest[], failures: readonly FailureName[] = failureNames) {
    this.#tests = tests;
    this.first = tests.map((test) => judgeAttempts(test, "passed"));
    const requests = tests.flatMap(({ name, requests: count = 2 }) =>
      Array.from({ length: count }, (_, n) => `${name}/rotate:acme#${n + 1}`),
    );
    this.points = pointsOf(requests, failures, this.first);
  }

  /** What a run with these failures shows. A file ends where one of its tests crashes or hangs. */
  run({ points }: Pick<FaultRun, "points">): RunResult {
    const failures = new Map(points.map(({ test, injection }) => [test?.id, injection]));
    const tests: TestResult[] = [];
    const injected = new Set<string>();
    const ended = new Set<string>();
    let hangs = false;
    for (const test of this.#tests) {
      if (ended.has(test.file)) continue;
      const failure = failures.get(test.name);
      const point = points.find(({ test: of }) => of?.id === test.name);
      if (point !== undefined) injected.add(point.name);
      const outcome = failure && test.under?.[`${failure.occurrence}=${failure.failure}`];
      const isDisturbed = test.dependsOn !== undefined && failures.has(test.dependsOn);
      if (outcome === "hangs" || outcome === "crashes") {
        hangs ||= outcome === "hangs";
        ended.add(test.file);
        tests.push(judgeAttempts(test, "unfinished"));
      } else {
        tests.push(judgeAttempts(test, outcome ?? (isDisturbed ? "failed" : "passed")));
      }
    }
    const isBad = tests.some(({ result }) => result === "failed" || result === "unfinished");
    const seen = { isReached: true, decided: new Set<string>(), pinned: new Set<string>(), requests: [] };
    return {
      exitCode: isBad ? 1 : 0,
      durationMs: 1,
      hangs,
      log: "",
      seen: { ...seen, injected, tests },
    };
  }

  /** Explores it. */
  explore(options: Partial<FaultPlanOptions> = {}): { plan: FaultPlan; runs: FaultRun[] } {
    const plan = new FaultPlan(this.points, this.first, { maxRuns: 1_000, bail: false, ...options });
    const runs: FaultRun[] = [];
    for (let run = plan.next(); run !== undefined; run = plan.next()) {
      runs.push(run);
      plan.judge(run, this.run(run));
    }
    return { plan, runs };
  }
}

function judgeAttempts(
  { name, file, timeoutMs = 5_000, sharedWorld: world = name }: ModelTest,
  result: TestResult["result"],
): TestResult {
  const timeout = timeoutMs === 0 ? {} : { timeoutMs };
  return { id: name, framework: "vitest", file, titles: [name], world, ...timeout, result };
}

/** The results of all points that do not survive. */
export function brokenIn(plan: FaultPlan): Record<string, string> {
  const found = plan.findings().filter(({ result }) => result !== "survives");
  return Object.fromEntries(found.map(({ point, result }) => [point.name, result]));
}
