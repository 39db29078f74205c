import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dateNow } from "../foundation/clock.js";
import { appendSeen, inRunFolder, type Run } from "./run-folder.js";

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
  /** The label of its epoch in a world that it shares. */
  readonly label?: string;
  /** Missing or 0: the framework has no timeout, or does not expose it. */
  readonly timeoutMs?: number;
}

/** What an attempt failed with. */
export interface TestError {
  readonly message: string;
  /** The code of an error that a method of `World` threw. */
  readonly code?: string;
  /** The line of the test's file. */
  readonly line?: number | undefined;
}

/** How one attempt of a test ended. */
export type AttemptResult = "passed" | "failed" | "skipped";

/** One line of a file that an entry writes: an attempt begins, or ends with a result. */
export interface TestLine extends RecordedTest {
  readonly at: number;
  readonly result?: AttemptResult;
  readonly error?: TestError;
}

/** What became of a test. "retried": it passed, but only when the framework tried it again. */
export interface TestResult extends RecordedTest {
  readonly result: AttemptResult | "retried" | "unfinished";
  /** Its first error. */
  readonly error?: TestError;
}

/**
 * Reports to the run that a test of a framework entry began or ended.
 * @param url of its world
 * @param hasFailed whether the test has failed so far. Unknown if the mock is in another process
 */
export function reportTest(
  run: Run,
  test: Omit<TestLine, "at">,
  url: string,
  hasFailed: () => boolean = () => false,
): void {
  appendSeen(run, { test: { ...test, at: dateNow() } satisfies TestLine });
  const place = placeOf(url, test.world);
  if (test.result === undefined) runningTests().set(place, hasFailed);
  else runningTests().delete(place);
  if (!sharesWorld(test)) return;
  const file = join(run.countsIn, place);
  inRunFolder(() => {
    if (test.result === undefined) writeFileSync(file, test.id);
    else rmSync(file, { force: true });
  });
}

/** The test that uses a world of a mock: its id, if it shares the world, and whether it has failed, if that is known. */
export function testAt(run: Run, url: string | undefined, world: string) {
  const place = placeOf(url, world);
  const id = inRunFolder(() => readFileSync(join(run.countsIn, place), "utf8"));
  return { id, hasFailed: runningTests().get(place)?.() };
}

/** Names a world of a mock. By port: a program may use another name of this machine. */
function placeOf(url: string | undefined, world: string): string {
  return `test-at-${url && new URL(url).port}-${world}`;
}

/**
 * Whether the tests that run in this process have failed, by the places of their worlds. Global, because a mock and the
 * entry of a framework are separate bundles.
 */
function runningTests(): Map<string, () => boolean> {
  const key = Symbol.for("usergroup-mock running tests");
  const tests: Map<string, () => boolean> = Reflect.get(globalThis, key) ?? new Map();
  Reflect.set(globalThis, key, tests);
  return tests;
}

/** The result of each test of a run, in the order in which they began. */
export function collectResults(lines: readonly TestLine[]): TestResult[] {
  const byTime = lines.toSorted((a, b) => a.at - b.at);
  return [...new Set(byTime.map(({ id }) => id))].flatMap((id) => {
    const ofTest = byTime.filter((line) => line.id === id);
    const error = ofTest.find((line) => line.error !== undefined)?.error;
    return ofTest.slice(0, 1).map(({ at, ...test }) => {
      return { ...test, result: judgeAttempts(ofTest), ...(error !== undefined && { error }) };
    });
  });
}

function judgeAttempts(ofTest: readonly TestLine[]): TestResult["result"] {
  const ends = ofTest.flatMap(({ result }) => result ?? []);
  const last = ends.at(-1);
  if (last === undefined || ends.length * 2 < ofTest.length) return "unfinished";
  return last === "passed" && ends.includes("failed") ? "retried" : last;
}

export function doesBreak({ result }: TestResult): boolean {
  return result !== "passed" && result !== "skipped";
}

/** Whether other tests use its world too, one after the other. */
export function sharesWorld({ id, world }: RecordedTest): boolean {
  return world !== id;
}

/** `rotates twice` or `a block > rotates twice`. */
export function testName({ titles }: Pick<RecordedTest, "titles">): string {
  return titles.join(" > ");
}
