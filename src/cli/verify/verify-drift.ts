import type { AssumptionFinding, Report } from "../../conformance/verify-service.js";
import { thrown } from "../../foundation/mock-error.js";
import { printable } from "../../foundation/printable.js";
import { readAssumptionFile } from "../../options/read-options.js";
import { assumptionIds } from "../../service/assumptions.js";
import { refuseFlag } from "../refuse-flag.js";
import { columns } from "../terminal.js";

/** Values that an earlier run found. */
export interface Expected {
  readonly file: string;
  readonly values: Readonly<Record<string, string>>;
}

/** A value that has changed. */
export interface Drift {
  readonly id: string;
  readonly expected: string;
  readonly found: string;
}

/** Reads a file that `--out` wrote. */
export function readExpected(file: string): Expected {
  let values: Expected["values"];
  try {
    values = readAssumptionFile(file);
  } catch (error) {
    refuseFlag(`--expect ${thrown(error).message}`);
  }
  // A check that compares nothing never fails.
  if (Object.keys(values).length === 0) refuseFlag(`--expect ${file} holds no values`);
  return { file, values };
}

/** What has changed. A value that is not determinable now has not. */
export function driftOf(expected: Expected, report: Report): Drift[] {
  return compare(expected, report).flatMap(({ id, expected: before, value }) =>
    typeof value === "string" && value !== before ? [{ id, expected: before, found: value }] : [],
  );
}

/** The comparison for a screen. */
export function driftLines(expected: Expected, report: Report): string[] {
  const drift = driftOf(expected, report);
  const all = compare(expected, report);
  const unknown = all.filter(({ value }) => typeof value !== "string");
  const now = (finding: AssumptionFinding | undefined) => {
    if (finding === undefined) return "not asked";
    return finding.unanswered ? "not determinable (no usable response)" : "not determinable";
  };
  const rows = [
    ...drift.map(({ id, expected: before, found }) => ["CHANGED", id, `from ${before} to ${found}`]),
    ...unknown.map(({ id, expected: before, finding }) => [
      "not known",
      id,
      `was ${before}, now ${now(finding)}`,
    ]),
  ];
  const rest = unknown.length > 0 ? ` ${unknown.length} could not be compared.` : "";
  return [
    `Compared with ${printable(expected.file)}`,
    ...columns(rows),
    "",
    `${drift.length} of ${all.length} expected values have changed.${rest}`,
  ];
}

/** There is no finding where the question was not asked. */
function compare({ values }: Expected, { assumptions }: Report) {
  return assumptionIds
    .filter((id) => Object.hasOwn(values, id))
    .map((id) => {
      const finding = assumptions.find((one) => one.id === id);
      return { id, expected: String(values[id]), value: finding?.value, finding };
    });
}
