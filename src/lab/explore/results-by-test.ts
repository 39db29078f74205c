import { counted } from "../../foundation/grammar.js";
import { doesBreak, type RecordedTest, type TestResult, testName } from "../../run/test-results.js";

/** Tests as `--json` shows them. */
export function shownTests(tests: readonly TestResult[]) {
  return tests.map(({ file, result, error, ...test }) => {
    return { name: testName(test), file, result, ...(error !== undefined && { error }) };
  });
}

/** `rotates twice (rotate.test.ts)` */
export function testLabel(test: RecordedTest): string {
  return `${testName(test)} (${test.file})`;
}

/** How many are listed. `--json` has all of them. */
const listedTests = 5;

/** `rotates twice (rotate.test.ts), creates (create.test.ts) and 3 more` */
export function listed(words: Iterable<string>): string {
  const all = [...new Set(words)];
  const more = all.length - listedTests;
  return all.slice(0, listedTests).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** `old-token=accepted breaks 2 of 30 tests: …`. Empty if no test is known to break. */
export function breakLine(change: string, tests: readonly TestResult[], total: number): string[] {
  const broken = new Set(tests.filter(doesBreak).map(testLabel));
  if (broken.size === 0) return [];
  return [`${change} breaks ${broken.size} of ${counted(total, "test")}: ${listed(broken)}`];
}

/** Without its world: `rotate:acme#1`. */
export function requestOf(name: string): string {
  return name.slice(name.indexOf("/") + 1);
}
