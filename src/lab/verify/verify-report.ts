import { resolveResponses } from "../../contract/profile.js";
import { isObjectPlaceholder, successes, textType } from "../../contract/response-names.js";
import { hasSameShape, mapJson } from "../../foundation/json-shape.js";
import { printable } from "../../foundation/printable.js";
import { columns } from "../../foundation/terminal.js";
import type { KnownFailure, Profile } from "../../generated/types.js";
import { bareType } from "./recorded.js";
import type { Report } from "./verify-service.js";

/** What has changed since a profile was written: values, and status, content type and fields of responses. */
export function findDrift(expected: Profile, { assumptions, learner }: Report) {
  const before = resolveResponses(expected.responses);
  // The response `created` has the status too.
  const isTwice = (id: string) => id === "created-status" && before.get("created")?.status !== undefined;
  const values = assumptions.flatMap(({ id, value: found }) => {
    const value = String(expected.assume?.[id] ?? found);
    return found === null || found === value || isTwice(id)
      ? []
      : [{ id: String(id), expected: value, found }];
  });
  const responses = [...learner.learned].flatMap(([id, is]) => {
    const was = before.get(id) ?? {};
    return isSameKnown(id, was, is) ? [] : [{ id, expected: summary(was), found: summary(is) }];
  });
  return [...values, ...responses];
}

/** Whether status, content type, fields and types are those of `was`, as far as it has them. Texts are not compared. */
function isSameKnown(name: string, was: KnownFailure, is: KnownFailure): boolean {
  // Without a body, a known success adds no fields.
  const nothing = Object.hasOwn(successes, name) && was.status ? {} : undefined;
  const [before, now] = [was, is].map(({ body = nothing }) => withTypes(body));
  const hasContent = before !== undefined || was.text !== undefined;
  return (
    (was.status ?? is.status) === is.status &&
    (!hasContent || (typeIn(was) === typeIn(is) && hasSameShape(before, now)))
  );
}

/** The objects that placeholders stand for may have any fields. */
function withTypes(body: unknown): unknown {
  return mapJson(body, (value) => (isObjectPlaceholder(value) ? {} : undefined));
}

function typeIn({ headers = {}, text }: KnownFailure): string {
  const [, type] = Object.entries(headers).find(([name]) => /^content-type$/i.test(name)) ?? [];
  return bareType(type ?? (text === undefined ? "application/json" : textType(text)));
}

/** A response of a profile in one line. */
function summary(known: KnownFailure): string {
  const { status, body, text = "" } = known;
  const content = printable(body === undefined ? text : JSON.stringify(body));
  return `${status} ${typeIn(known)} ${content.length > 100 ? `${content.slice(0, 100)}…` : content}`.trim();
}

/**
 * The report for a screen.
 * @param file the profile that `drift` compares with
 */
export function reportTable(report: Report, file?: string, drift: ReturnType<typeof findDrift> = []): string {
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
