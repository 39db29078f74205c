import { type RecordedTest, type TestResult, testName } from "../../run/test-results.js";

/** A test as `--json` shows it. */
export interface ShownTest {
  readonly name: string;
  readonly file: string;
  readonly result: TestResult["result"];
}

export function shownTests(tests: readonly TestResult[]): ShownTest[] {
  return tests.map((test) => ({ name: testName(test), file: test.file, result: test.result }));
}

/** `rotates twice (rotate.test.ts)` */
export function testLabel(test: RecordedTest): string {
  return `${testName(test)} (${test.file})`;
}

/** So many are named; `--json` has all of them. */
const namedTests = 5;

/** `rotates twice (rotate.test.ts), creates (create.test.ts) and 3 more` */
export function listed(words: Iterable<string>): string {
  const all = [...new Set(words)];
  const more = all.length - namedTests;
  return all.slice(0, namedTests).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** `old-token=accepted breaks 2 of 30 tests: …`. Nothing where no test is known to break. */
export function breakLine(change: string, tests: readonly TestResult[], total: number): string[] {
  const broken = new Set(tests.filter(doesBreak).map(testLabel));
  if (broken.size === 0) return [];
  return [`${change} breaks ${broken.size} of ${total} tests: ${listed(broken)}`];
}

export function doesBreak({ result }: TestResult): boolean {
  return result === "failed" || result === "retried" || result === "unfinished";
}
