import { type RecordedTest, testName } from "../../run/report-test.js";
import type { Change } from "./changes.js";

/** `rotates twice (rotate.test.ts)` */
export function testLabel(test: RecordedTest): string {
  return `${testName(test)} (${test.file})`;
}

/** `rotates twice (rotate.test.ts), creates (create.test.ts), and 3 more` */
export function labelList(tests: Iterable<RecordedTest>): string {
  return firstOf(new Set(Array.from(tests, testLabel))).join(", ");
}

/** A request without the id of its test, which has a hash. */
export function requestLabel({ of, test }: Change): string {
  return test === undefined ? of : of.replace(`${test.id}/`, "");
}

/** `rotates twice: rotate:acme#2=lost`, or `old-token=accepted` */
export function changeLabel(change: Change): string {
  const { name, to, test } = change;
  return test === undefined ? name : `${testName(test)}: ${requestLabel(change)}=${to}`;
}

/** What is printed of many. `--json` has all of them. */
export function firstOf(items: Iterable<string>): string[] {
  const all = [...items];
  return all.length > 5 ? [...all.slice(0, 5), `and ${all.length - 5} more`] : all;
}
