import type { FailureName } from "../../run/injection.js";
import type { TestResult } from "../../run/test-results.js";
import { isBreak } from "./evidence.js";
import type { PointFinding } from "./fault-plan.js";
import { cellOf, type Matrix } from "./matrix.js";
import { breakLine, doesBreak, listed, testLabel } from "./test-words.js";

const labels = { survives: "survives", breaks: "BREAKS", hangs: "HANGS", "not met": "not met" } as const;

/** A row for each request and a column for each failure; before them the test, if any is known. */
export function matrixOf(
  calls: readonly string[],
  failures: readonly FailureName[],
  findings: readonly PointFinding[],
): Matrix {
  const hasTests = findings.some(({ point }) => point.test !== undefined);
  const rows = calls.flatMap((call) => {
    const ofCall = findings.filter(({ point }) => point.call === call);
    if (ofCall.length === 0) return [];
    const test = ofCall[0]?.point.test;
    const cells = failures.map((failure) => {
      const finding = ofCall.find(({ point }) => point.injection.failure === failure);
      if (finding === undefined) return cellOf("-", "-");
      const { result, isUnconfirmed, ended } = finding;
      const world = finding.point.injection.call.world ?? "default";
      return cellOf(result, `${labels[result]}${isUnconfirmed ? "?" : ""}`, { log: ended.log, world });
    });
    const request = test === undefined ? call : requestOf(call);
    return [{ heads: hasTests ? [test ? testLabel(test) : "-", request] : [request], cells }];
  });
  return { titles: [...(hasTests ? ["test"] : []), "call", ...failures], rows };
}

/** Which tests break under which failure, which survive nothing, and which requests nobody recovers from. */
export function resultsByTest(
  failures: readonly FailureName[],
  findings: readonly PointFinding[],
  total: number,
): string[] {
  const broken = findings.filter(isBreak);
  const byFailure = failures.flatMap((failure) => {
    const ofFailure = broken.filter(({ point }) => point.injection.failure === failure);
    return breakLine(
      failure,
      ofFailure.flatMap(({ tests }) => tests),
      total,
    );
  });
  const known = findings.filter(({ point, result }) => point.test !== undefined && result !== "not met");
  const hopeless = (keyOf: (finding: PointFinding) => string) => {
    const hopeful = new Set(known.filter((finding) => !breaksItself(finding)).map(keyOf));
    return listed(known.map(keyOf).filter((key) => !hopeful.has(key)));
  };
  const tests = hopeless(({ point }) => (point.test === undefined ? "" : testLabel(point.test)));
  const requests = hopeless(({ point }) => requestOf(point.call));
  return [
    ...byFailure,
    ...(tests === "" ? [] : [`Tests that survive no failure: ${tests}`]),
    ...(requests === "" ? [] : [`Requests that no test recovers from: ${requests}`]),
  ];
}

/** @param disturbed tests that failed because of others */
export function influenceLines(disturbed: readonly TestResult[]): string[] {
  const tests = listed(disturbed.map(testLabel));
  return [
    `Tests influence each other. These failed without a failure of their own: ${tests}.`,
    "So failures of these tests, and of those that disturb them, were tried one at a time.",
  ];
}

/** Whether the failure breaks the test whose request it meets, and not only another one. */
function breaksItself({ point, tests }: PointFinding): boolean {
  return tests.some((test) => test.id === point.test?.id && doesBreak(test));
}

/** Whether it breaks no other test. */
export function breaksAlone(finding: PointFinding): boolean {
  return breaksItself(finding) && finding.tests.filter(doesBreak).length === 1;
}

/** Without its world: `rotate:acme#1`. */
function requestOf(call: string): string {
  return call.slice(call.indexOf("/") + 1);
}
