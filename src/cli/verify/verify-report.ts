import {
  type AssumptionFinding,
  checkCount,
  type FactFinding,
  type Report,
} from "../../conformance/verify-service.js";
import { printable } from "../../foundation/printable.js";
import { columns } from "../terminal.js";
import { driftLines, driftOf, type Expected } from "./verify-drift.js";

/** How many facts and questions an interrupted run did not come to. */
function leftOut({ facts, assumptions }: Report): number {
  return checkCount - facts.length - assumptions.length;
}

/** The report as JSON. `JSON.stringify` does not escape all that a terminal obeys. */
export function reportJson(report: Report, expected?: Expected): string {
  const shown = {
    ...report,
    ...(expected && { drift: driftOf(expected, report) }),
    ...(leftOut(report) > 0 && { interrupted: true }),
  };
  return JSON.stringify(shown, undefined, 2).split("\n").map(printable).join("\n");
}

/** The questions that got no usable response. */
export function unansweredIds({ assumptions }: Report): string[] {
  return assumptions.flatMap(({ id, unanswered }) => (unanswered ? [id] : []));
}

/** The report for a screen. */
export function reportTable(report: Report, expected?: Expected): string {
  const { against, prefix, facts, assumptions } = report;
  const count = (wanted: FactFinding["verdict"]) => facts.filter(({ verdict }) => verdict === wanted).length;
  const unchecked = count("not determinable");
  const notChecked = unchecked > 0 ? `, ${unchecked} could not be checked` : "";
  const found = assumptions.filter(({ value }) => value !== null);
  const differing = found.filter(({ value, default: assumed }) => value !== assumed).length;
  const unanswered = unchecked + unansweredIds(report).length;
  const left = leftOut(report);
  return [
    `Asked ${quoted(against)} (groups ${prefix}-…)`,
    "",
    "Documented facts",
    ...facts.map(factLine),
    "",
    "Open questions",
    ...columns(assumptions.map(questionCells)),
    "",
    `${count("holds")} of ${facts.length} facts hold${notChecked}. ${differing} of ${assumptions.length} assumptions` +
      ` differ from the fake's defaults, ${assumptions.length - found.length} could not be determined.`,
    ...(unanswered > 0 ? [`${unanswered} of ${checkCount} facts and questions got no usable response.`] : []),
    ...(left > 0 ? [`Interrupted: ${left} of ${checkCount} facts and questions were left out.`] : []),
    ...(expected ? ["", ...driftLines(expected, report)] : []),
  ].join("\n");
}

function factLine({ fact, verdict, detail }: FactFinding): string {
  if (verdict === "holds") return `  holds   ${fact}`;
  if (verdict === "broken") return `  BROKEN  ${fact}: ${quoted(detail)}`;
  return `  UNKNOWN ${fact}: not determinable, ${quoted(detail)}`;
}

function questionCells({ id, value, default: assumed, why }: AssumptionFinding): string[] {
  if (value === null) return [id, "not determinable", quoted(why)];
  return [id, value, value === assumed ? "as the fake assumes" : `the fake assumes ${assumed}`];
}

/** A service can send 10 MB; a line shows no more characters than this. */
const maxQuoted = 500;

/** Text of the service for one line on a screen. */
export function quoted(text = ""): string {
  const safe = printable(text);
  return safe.length > maxQuoted ? `${safe.slice(0, maxQuoted)}…` : safe;
}
