import { checkCount, type FactFinding, type Report } from "../../conformance/verify-service.js";
import { printable } from "../../foundation/printable.js";
import { columns } from "../terminal.js";
import { driftLines, driftOf, type Expected } from "./verify-drift.js";

/** The report with `hide` applied to all that may quote the service. */
export function hideIn(report: Report, hide: (text: string) => string): Report {
  return {
    ...report,
    facts: report.facts.map((finding) => ({
      ...finding,
      ...(finding.detail !== undefined && { detail: hide(finding.detail) }),
    })),
    assumptions: report.assumptions.map((finding) => ({
      ...finding,
      ...(finding.why !== undefined && { why: hide(finding.why) }),
    })),
  };
}

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

/** The content of the `--out` file, for `--assume-file`. */
export function foundValues({ assumptions }: Report): Record<string, string> {
  return Object.fromEntries(assumptions.flatMap(({ id, value }) => (value === null ? [] : [[id, value]])));
}

/** The questions that got no usable response. */
export function unansweredIds({ assumptions }: Report): string[] {
  return assumptions.flatMap(({ id, unanswered }) => (unanswered ? [id] : []));
}

/** The report for a screen. */
export function reportTable(report: Report, expected?: Expected): string {
  const { against, prefix, facts, assumptions } = report;
  const factLines = facts.map(factLine);
  const questionLines = assumptions.map(({ id, value, default: assumed, why }) => {
    const found = value === null ? "not determinable" : value;
    const remark =
      value === null
        ? quoted(why)
        : value === assumed
          ? "as the fake assumes"
          : `the fake assumes ${assumed}`;
    return [id, found, remark];
  });
  const count = (wanted: FactFinding["verdict"]) => facts.filter(({ verdict }) => verdict === wanted).length;
  const unchecked = count("not determinable");
  const notChecked = unchecked > 0 ? `, ${unchecked} could not be checked` : "";
  const differing = assumptions.filter(
    ({ value, default: assumed }) => value !== null && value !== assumed,
  ).length;
  const open = assumptions.filter(({ value }) => value === null).length;
  const unanswered = unchecked + unansweredIds(report).length;
  const left = leftOut(report);
  return [
    `Asked ${quoted(against)} (groups ${prefix}-…)`,
    "",
    "Documented facts",
    ...factLines,
    "",
    "Open questions",
    ...columns(questionLines),
    "",
    `${count("holds")} of ${facts.length} facts hold${notChecked}. ${differing} of ${assumptions.length} assumptions` +
      ` differ from the fake's defaults, ${open} could not be determined.`,
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

/** A service can send 10 MB; a line shows no more characters than this. */
const maxQuoted = 500;

/** Text of the service for one line on a screen. */
export function quoted(text = ""): string {
  const safe = printable(text);
  return safe.length > maxQuoted ? `${safe.slice(0, maxQuoted)}…` : safe;
}
