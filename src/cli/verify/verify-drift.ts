import type { Report } from "../../conformance/verify-service.js";
import { asError } from "../../foundation/mock-error.js";
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

/** Reads a file that `--out` wrote. */
export function readExpected(file: string): Expected {
  let values: Expected["values"];
  try {
    values = readAssumptionFile(file);
  } catch (error) {
    refuseFlag(`--expect ${asError(error).message}`);
  }
  // A check that compares nothing never fails.
  if (Object.keys(values).length === 0) refuseFlag(`--expect ${file} holds no values`);
  return { file, values };
}

/** Each expected value, and what was found now. */
function compare({ values }: Expected, { assumptions }: Report) {
  const ids = assumptionIds.filter((id) => Object.hasOwn(values, id));
  return ids.map((id) => {
    const finding = assumptions.find((one) => one.id === id);
    const why = finding?.unanswered ? "not determinable (no usable response)" : "not determinable";
    return {
      id,
      expected: String(values[id]),
      found: finding?.value ?? null,
      unknown: finding === undefined ? "not asked" : why,
    };
  });
}

/** What has changed. A value that is not determinable now has not. */
export function driftOf(expected: Expected, report: Report) {
  return compare(expected, report).flatMap(({ id, expected: before, found }) =>
    found !== null && found !== before ? [{ id, expected: before, found }] : [],
  );
}

/** The comparison for a screen. */
export function driftLines(expected: Expected, report: Report): string[] {
  const all = compare(expected, report);
  const drift = driftOf(expected, report);
  const open = all.filter(({ found }) => found === null);
  const rest = open.length > 0 ? ` ${open.length} could not be compared.` : "";
  return [
    `Compared with ${printable(expected.file)}`,
    ...columns([
      ...drift.map(({ id, expected: before, found }) => ["CHANGED", id, `from ${before} to ${found}`]),
      ...open.map(({ id, expected: before, unknown }) => ["not known", id, `was ${before}, now ${unknown}`]),
    ]),
    "",
    `${drift.length} of ${all.length} expected values have changed.${rest}`,
  ];
}
