import { columns } from "../../foundation/terminal.js";
import { type Drift, summary } from "./expect-profile.js";
import type { Report } from "./verify-service.js";

/** A profile, and what has changed since it was written. */
export interface Comparison {
  readonly file: string;
  readonly drift: readonly Drift[];
}

/** The report for a screen. */
export function reportTable(report: Report, compared?: Comparison): string {
  const { against, prefix, facts, assumptions, profile, replay } = report;
  const holding = facts.filter(({ verdict }) => verdict === "holds").length;
  const found = assumptions.filter(({ value }) => value !== null);
  const differing = found.filter(({ value, default: assumed }) => value !== assumed).length;
  return [
    `Checked ${against} (groups ${prefix}-…)`,
    "",
    "Documented facts",
    ...columns(
      facts.map(({ fact, verdict, detail, why }) => [
        verdict,
        [fact, detail ?? why].filter(Boolean).join(": "),
      ]),
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
    "Responses",
    ...columns(Object.entries(profile.responses ?? {}).map(([name, response]) => [name, summary(response)])),
    "",
    `${holding} of ${facts.length} facts hold. ${differing} of ${assumptions.length} assumptions` +
      ` ${differing === 1 ? "differs" : "differ"} from the mock's defaults, ${assumptions.length - found.length} could not be determined.`,
    ...(compared ? ["", ...driftLines(compared)] : []),
    "",
    `With this profile, the mock responds as the service did to ${replay.same} of ${replay.of} requests (${replay.exact} with the same body).`,
    ...replay.different.flatMap(({ request, service, mock }) => [
      `  ${request}`,
      `    service: ${service}`,
      `    mock:    ${mock}`,
    ]),
  ].join("\n");
}

function driftLines({ file, drift }: Comparison): string[] {
  const rows = drift.map(({ id, expected, found }) => ["CHANGED", id, `from ${expected} to ${found}`]);
  return [`Compared with ${file}`, ...columns(rows), "", `Changed: ${drift.length}.`];
}
