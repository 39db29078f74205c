import { counted } from "../../foundation/grammar.js";
import type { FailureName } from "../../run/injection.js";
import { doesBreak, type RecordedTest, type TestResult, testName } from "../../run/test-results.js";
import { isBreak } from "./evidence.js";
import type { PointFinding } from "./fault-plan.js";

/** Tests as `--json` shows them. */
export function shownTests(tests: readonly TestResult[]) {
  return tests.map((test) => ({ name: testName(test), file: test.file, result: test.result }));
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

/** Which tests break under which failure, which survive no failure, and which requests no test recovers from. */
export function resultsByTest(
  failures: readonly FailureName[],
  findings: readonly PointFinding[],
  total: number,
): string[] {
  const byFailure = failures.flatMap((failure) => {
    const broken = findings.filter((one) => one.point.injection.failure === failure && isBreak(one));
    const tests = broken.flatMap((finding) => finding.tests);
    return breakLine(failure, tests, total);
  });
  const known = findings.flatMap((finding) => {
    const { point, result } = finding;
    if (point.test === undefined || result === "not met") return [];
    const [test, request] = [testLabel(point.test), requestOf(point.request)];
    return [{ test, request, survives: !breaksItself(finding) }];
  });
  const withoutSurvival = (kind: "test" | "request", words: string) => {
    const surviving = new Set(known.filter(({ survives }) => survives).map((one) => one[kind]));
    const names = listed(known.map((one) => one[kind]).filter((name) => !surviving.has(name)));
    return names === "" ? [] : [`${words}: ${names}`];
  };
  return [
    ...byFailure,
    ...withoutSurvival("test", "Tests that survive no failure"),
    ...withoutSurvival("request", "Requests that no test recovers from"),
  ];
}

/** Whether the failure breaks the test whose request it affects, and not only another one. */
function breaksItself({ point, tests }: PointFinding): boolean {
  return tests.some((test) => test.id === point.test?.id && doesBreak(test));
}

/** Without its world: `rotate:acme#1`. */
export function requestOf(name: string): string {
  return name.slice(name.indexOf("/") + 1);
}
