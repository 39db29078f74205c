import { resolveResponses } from "../../contract/profile.js";
import { successOf } from "../../contract/response-names.js";
import { printable, shorten } from "../../foundation/printable.js";
import { columns } from "../../foundation/terminal.js";
import type { KnownFailure, Profile } from "../../generated/types.js";
import { isSameResponse } from "./recorded.js";
import { play, responseText } from "./replay.js";
import type { Report } from "./verify-service.js";

type Drift = Awaited<ReturnType<typeof findDrift>>;

/** What has changed since a profile was written: values, and responses of a mock that has it. Texts are not compared. */
export async function findDrift(expected: Profile, { assumptions, profile, run }: Report) {
  const { service, names, learner, played } = run;
  const known = resolveResponses(expected.responses);
  // The response `created` has the status too.
  const isTwice = (id: string) => id === "created-status" && known.get("created")?.status !== undefined;
  const values = assumptions.flatMap(({ id, value: found }) => {
    const value = String(expected.assume?.[id] ?? found);
    return [null, value].includes(found) || isTwice(id) ? [] : [{ id, expected: value, found }];
  });
  const given = [...learner.learned].map(([name, is]) => [name, complete(name, known.get(name), is)]);
  const before = await play(service, { ...profile, responses: Object.fromEntries(given) });
  const responses = names.flatMap((id, i) => {
    const [was, is] = [before[i], played[i]];
    if (!id || !was || !is || isSameResponse(was, is)) return [];
    return [[id, { id, expected: responseText(service, was), found: responseText(service, is) }] as const];
  });
  return [...values, ...new Map(responses).values()];
}

/** What a profile says of a response, and what it does not say as it is today. */
function complete(name: string, was: KnownFailure = {}, is: KnownFailure): KnownFailure {
  // A known success without a body adds no fields.
  const hasContent = successOf(name) ? was.status : "body" in was || "text" in was;
  const { status = 200 } = is;
  return { ...(hasContent ? { status } : is), ...was };
}

/** A response of a profile in one line. */
function summary({ status, headers, body, text = "" }: KnownFailure): string {
  const content = shorten(printable(body === undefined ? text : JSON.stringify(body)), 100);
  return [status, headers?.["Content-Type"], content].filter(Boolean).join(" ");
}

/**
 * The report for a screen.
 * @param file the profile that `drift` compares with
 */
export function reportTable(report: Report, file?: string, drift: Drift = []): string {
  const { against, prefix, facts, assumptions, profile, replay } = report;
  const holding = facts.filter(({ verdict }) => verdict === "holds").length;
  const found = assumptions.filter(({ value }) => value !== null);
  const differing = found.filter(({ value, default: assumed }) => value !== assumed).length;
  const changes = drift.map(({ id, expected, found }) => ["CHANGED", id, `from ${expected} to ${found}`]);
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
    ...columns(Object.entries(profile.responses).map(([name, response]) => [name, summary(response)])),
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
