import { dateNow } from "../foundation/clock.js";
import type { ReportedTest } from "../report/report-data.js";
import { appendSeen, type Run } from "./run-folder.js";

/** A test of one of our framework entries. */
export interface RecordedTest {
  /** Does not change from run to run. No other test has it. */
  readonly id: string;
  readonly framework: "vitest" | "Jest" | "Playwright" | "node:test";
  /** From the folder that the tests run in. */
  readonly file: string;
  /** The titles of its blocks, then its own title. */
  readonly titles: readonly string[];
  /** The world that it uses: named by its id, or one that it shares with other tests. */
  readonly world: string;
  /** Missing or 0: the framework has no timeout, or does not expose it. */
  readonly timeoutMs?: number;
}

/** How one attempt of a test ended. */
export type AttemptResult = "passed" | "failed" | "skipped";

/** One line of a file that an entry writes: an attempt begins, or ends with a result. */
export interface TestLine extends RecordedTest {
  readonly at: number;
  /** The base URL of its world. */
  readonly url?: string;
  readonly result?: AttemptResult | undefined;
  /** How the attempt failed. */
  readonly failure?: ReportedTest | undefined;
}

/** What became of a test, with the failure of its last attempt that failed. "retried": it passed, but only when the framework tried it again. */
export interface TestResult extends Omit<TestLine, "at" | "result"> {
  readonly result: AttemptResult | "retried" | "unfinished";
}

/** Reports to the run that a test of a framework entry began or ended. */
export function reportTest(run: Run, test: Omit<TestLine, "at">): void {
  appendSeen(run, { test: { ...test, at: dateNow() } satisfies TestLine });
}

/** The result of each test of a run, in the order in which they began. */
export function collectResults(lines: readonly TestLine[]): TestResult[] {
  const results = new Map<string, TestResult>();
  const failed = new Set<string>();
  for (const { at, result = "unfinished", ...test } of lines.toSorted((a, b) => a.at - b.at)) {
    const { id } = test;
    if (result === "failed") failed.add(id);
    const isRetried = result === "passed" && failed.has(id);
    const failure = test.failure ?? results.get(id)?.failure;
    results.set(id, { ...test, failure, result: isRetried ? "retried" : result });
  }
  return [...results.values()];
}

export function doesBreak({ result }: TestResult): boolean {
  return result !== "passed" && result !== "skipped";
}

/** `rotates twice` or `a block > rotates twice`. */
export function testName({ titles }: Pick<RecordedTest, "titles">): string {
  return titles.join(" > ");
}
