import { resolveResponses } from "../../fake/contract/profile.js";
import { successOf } from "../../fake/contract/response-names.js";
import { columns } from "../../foundation/terminal.js";
import type { Profile } from "../../generated/types.js";
import { isSameResponse } from "./recorded.js";
import { oneLine, play } from "./replay.js";
import type { Report } from "./verify-service.js";

type Drift = Awaited<ReturnType<typeof findDrift>>;

/** What has changed since a profile was written. Compares a mock with its responses to one with those of today. */
export async function findDrift(expected: Profile, { assumptions, profile, run }: Report) {
  const known = resolveResponses(expected.responses);
  const values = assumptions.flatMap(({ id, value: found }) => {
    const was = expected.assume?.[id] ?? found;
    const isInResponse = id === "created-status" && known.get("created")?.status !== undefined;
    return found === null || found === was || isInResponse ? [] : [{ id, expected: `${was}`, found }];
  });
  const given = [...run.responses].map(([name, is]) => {
    const was = known.get(name) ?? {};
    // What the profile does not have is as it is today. A known success without a body adds no fields.
    const isWhole = successOf(name) ? was.status !== undefined : "body" in was || "text" in was;
    return [name, { headers: {}, ...(isWhole ? { status: is.status } : is), ...was }];
  });
  const before = await play(run.service, { ...profile, responses: Object.fromEntries(given) });
  const responses = before.flatMap(({ mocked: was }, i) => {
    const [id, is] = [run.names[i], run.played[i]?.mocked];
    if (!id || !is || (was.type === is.type && isSameResponse(was, is))) return [];
    return [{ id, expected: oneLine(run.service, was), found: oneLine(run.service, is) }];
  });
  return [...values, ...new Map(responses.map((change) => [change.id, change])).values()];
}

/** The report for a screen. `file` has the profile that `drift` compares with. */
export function reportTable(report: Report, file?: string, drift: Drift = []): string {
  const { against, prefix, facts, assumptions, profile, replay, run } = report;
  const holding = facts.filter(({ verdict }) => verdict === "holds").length;
  const found = assumptions.filter(({ value }) => value !== null);
  const differing = found.filter(({ value, default: assumed }) => value !== assumed).length;
  const factRows = facts.map(({ fact, verdict, detail = "", why = detail }) => {
    return [verdict, why ? `${fact}: ${why}` : fact];
  });
  const assumptionRows = assumptions.map(({ id, value, default: assumed, why = "" }) => {
    if (value === null) return [id, "not determinable", why];
    return [id, value, value === assumed ? "as the mock assumes" : `the mock assumes ${assumed}`];
  });
  const responseRows = Object.entries(profile.responses).map(([name, known]) => {
    const { headers = {}, body, text = JSON.stringify(body) } = known;
    return [name, oneLine(run.service, { ...known, type: headers["Content-Type"] ?? "", text })];
  });
  const changes = drift.map(({ id, expected, found }) => ["CHANGED", id, `from ${expected} to ${found}`]);
  return [
    `Checked ${against} (groups ${prefix}-…)`,
    ...["", "Documented facts", ...columns(factRows)],
    ...["", "Open questions", ...columns(assumptionRows)],
    ...["", "Responses", ...columns(responseRows)],
    "",
    `${holding} of ${facts.length} facts hold. ${differing} of ${assumptions.length} assumptions` +
      ` ${differing === 1 ? "differs" : "differ"} from the mock's defaults, ${assumptions.length - found.length} could not be determined.`,
    ...(file ? ["", `Compared with ${file}`, ...columns(changes), "", `Changed: ${drift.length}.`] : []),
    "",
    `With this profile, the mock responds as the service did to ${replay.same} of ${replay.of} requests (${replay.exact} with the same body).`,
    ...replay.different.flatMap(({ request, service, mock, fixed }) => [
      `  ${request}`,
      `    service: ${service}`,
      `    mock:    ${mock}`,
      ...(fixed === undefined ? [] : [`    This is fixed in the mock: ${fixed}`]),
    ]),
  ].join("\n");
}
