import { columns } from "../terminal.js";
import type { Report } from "./verify-service.js";

/** The assumptions of a config file. */
export interface Expected {
  readonly file: string;
  readonly assume: Readonly<Record<string, string>>;
}

/** The report for a screen. */
export function reportTable(report: Report, expected?: Expected): string {
  const { against, prefix, facts, assumptions } = report;
  const holding = facts.filter(({ verdict }) => verdict === "holds").length;
  const found = assumptions.filter(({ value }) => value !== null);
  const differing = found.filter(({ value, default: assumed }) => value !== assumed).length;
  return [
    `Checked ${against} (groups ${prefix}-…)`,
    "",
    "Documented facts",
    ...columns(
      facts.map(({ fact, verdict, detail }) => [verdict, detail === undefined ? fact : `${fact}: ${detail}`]),
    ),
    "",
    "Open questions",
    ...columns(
      assumptions.map(({ id, value, default: assumed, why = "" }) => {
        if (value === null) return [id, "not determinable", why];
        return [id, value, value === assumed ? "as the mock assumes" : `the mock assumes ${assumed}`];
      }),
    ),
    "",
    `${holding} of ${facts.length} facts hold. ${differing} of ${assumptions.length} assumptions` +
      ` ${differing === 1 ? "differs" : "differ"} from the mock's defaults, ${assumptions.length - found.length} could not be determined.`,
    ...(expected ? ["", ...driftLines(expected, report)] : []),
  ].join("\n");
}

/** The values that have changed. A value that is not determinable now has not. */
export function findDrift({ assume }: Expected, { assumptions }: Report) {
  return assumptions.flatMap(({ id, value: found }) => {
    const expected = assume[id];
    const hasChanged = expected !== undefined && found !== null && found !== expected;
    return hasChanged ? [{ id, expected, found }] : [];
  });
}

function driftLines(expected: Expected, report: Report): string[] {
  const drift = findDrift(expected, report);
  return [
    `Compared with ${expected.file}`,
    ...columns(drift.map(({ id, expected: before, found }) => ["CHANGED", id, `from ${before} to ${found}`])),
    "",
    `Changed: ${drift.length} of ${Object.keys(expected.assume).length}.`,
  ];
}
