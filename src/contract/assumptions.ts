import { type LocatedProblem, MockError } from "../foundation/mock-error.js";
import { hint } from "../foundation/nearest.js";
import type { AssumptionList } from "../generated/types.js";

/** A behaviour that the interface document does not specify, and how the mock behaves. */
interface Assumption<Value extends string> {
  readonly question: string;
  /** The words of the document that leave the question open. */
  readonly openBecause: string;
  /** Every behaviour that the mock supports, with a description. */
  readonly values: Readonly<Record<Value, string>>;
  readonly default: NoInfer<Value>;
  /** The reason for the default. */
  readonly why: string;
}

/** Lets the compiler check that the default is one of the values. */
function assumption<const Value extends string>(spec: Assumption<Value>): Assumption<Value> {
  return spec;
}

/** Every behaviour of the mock that the interface document does not specify. */
export const assumptions = {
  "api-tokens": assumption({
    question: "Which API tokens are accepted?",
    openBecause: "How the token in the Authorization header is issued, its scope, […]: not shown.",
    values: { listed: "those in a fixture", any: "every token; unknown ones belong to the first team" },
    default: "listed",
    why: "A wrong credential should fail in a test, as it would in production.",
  }),
  "auth-scheme": assumption({
    question: "Does the case of the word Token matter?",
    openBecause: "Authorization: Token <token> […] (scheme word Token, then a space, then the value).",
    values: { exact: "only Token", "any-case": "token and TOKEN too" },
    default: "exact",
    why: "The document shows one spelling. Code that uses it works with both.",
  }),
  "group-scope": assumption({
    question: "Is user_group_id unique within a team or across all teams?",
    openBecause: "A user group belongs to a team […]. (Whether two teams can use one id: not shown.)",
    values: { "per-team": "within a team", global: "across all: every team finds the same group" },
    default: "per-team",
    why: "Callers choose the id, and do not know about each other.",
  }),
  "name-on-create": assumption({
    question: "Can a group be created without a name?",
    openBecause: "Which body fields are required: not shown.",
    values: { required: "no, the request fails", "defaults-to-id": "yes, its name is its user_group_id" },
    default: "required",
    why: "Every group in the document has a name. Code that sends one works with both.",
  }),
  "existing-group": assumption({
    question: "What happens to an existing group if a request sends name, mapping or properties?",
    openBecause: "looks up or creates a user group that the caller identifies with the caller's own id.",
    values: { unchanged: "nothing", updated: "the fields that are sent replace those of the group" },
    default: "unchanged",
    why: "The document describes looking up and creating, but not changing.",
  }),
  "created-status": assumption({
    question: "HTTP status when a group is created",
    openBecause: "Error codes, HTTP status codes and the body shape of a failed call: not shown.",
    values: { "200": "200, as for a group that existed", "201": "201 Created" },
    default: "200",
    why: "new_user_group already shows whether the group is new, and most services of this style respond with 200.",
  }),
  "rotated-token": assumption({
    question: "Does rotation return a new token?",
    openBecause: "The token being sent is the one to rotate, and the returned user group carries a token.",
    values: { new: "yes", same: "no, the group keeps its token" },
    default: "new",
    why: "That is the usual meaning of rotate.",
  }),
  "old-token": assumption({
    question: "Does rotation still accept an old token (one that was rotated before)?",
    openBecause: "The current token held for the user group whose token is to be rotated.",
    values: { rejected: "no, the request fails", accepted: "yes" },
    default: "rejected",
    why: "The field is called current_token. Code that uses the latest token works with both.",
  }),
  "foreign-token": assumption({
    question: "May a team rotate the token of another team's group?",
    openBecause: "[…] its scope, and its difference from the user group token: not shown.",
    values: { rejected: "no, as if the token were unknown", accepted: "yes" },
    default: "rejected",
    why: "A group belongs to a team, so another team should not be able to change its token.",
  }),
  "failure-status": assumption({
    question: "HTTP status of a failed request to /api/user",
    openBecause: "Error codes, HTTP status codes and the body shape of a failed call: not shown.",
    values: { "by-kind": "the status that fits the failure: 400, 401, 404 …", "always-200": "200" },
    default: "by-kind",
    why: "Code that checks the status and code that checks success both see the failure.",
  }),
  "failure-body": assumption({
    question: "What does the response to a failed request contain besides success: 0?",
    openBecause: "Error codes, HTTP status codes and the body shape of a failed call: not shown.",
    values: { "error-object": "error (code, message, details)", message: "message (text)", bare: "nothing" },
    default: "error-object",
    why: "This body helps most when a test fails.",
  }),
  "unknown-fields": assumption({
    question: "Body fields that the document does not list",
    openBecause: "Body (JSON object): (the listed fields; whether others may be sent: not shown.)",
    values: { ignored: "have no effect; the journal notes them", rejected: "the request fails" },
    default: "ignored",
    why: "The rotate entry itself lists a field without a meaning, so extra fields seem to be allowed.",
  }),
  "mapping-values": assumption({
    question: "Mapping values that are not strings",
    openBecause: "Keys and values are strings in the shape shown.",
    values: { rejected: "the request fails", accepted: "are stored as sent" },
    default: "rejected",
    why: "The shape shown has strings. Code that sends strings works with both.",
  }),
  "numeric-ids": assumption({
    question: "user_group_id sent as a number",
    openBecause: "Format and length constraints on token, name, provided_id, […]: not shown.",
    values: { rejected: "the request fails", coerced: "is converted to a string" },
    default: "rejected",
    why: "The document says string. Code that sends one works with both.",
  }),
  "empty-strings": assumption({
    question: "Empty user_group_id, name, current_token",
    openBecause: "Format and length constraints on token, name, provided_id, […]: not shown.",
    values: { rejected: "the request fails", accepted: "are accepted" },
    default: "rejected",
    why: "An empty id is far more often a bug in the caller than intended.",
  }),
  "content-type": assumption({
    question: "JSON without Content-Type: application/json",
    openBecause: "Both operations use […] the header Content-Type: application/json […].",
    values: { rejected: "the request fails", accepted: "is parsed anyway" },
    default: "rejected",
    why: "The document says that both operations use the header.",
  }),
  "trailing-slash": assumption({
    question: "/api/user/, with a trailing slash",
    openBecause: "Path: /api/user",
    values: { rejected: "is not a path of the service", accepted: "is the same as /api/user" },
    default: "rejected",
    why: "The document shows one path.",
  }),
  "videos-path": assumption({
    question: "POST /videos, the path in the heading of the rotate entry",
    openBecause: "The reference entry for this operation also heads itself with the path /videos […].",
    values: { absent: "is not a path of the service", rotates: "rotates, as POST /api/user does" },
    default: "absent",
    why: "The request that the document shows for the operation uses /api/user.",
  }),
};

/** @example "old-token" */
export type AssumptionId = keyof typeof assumptions;

/** A value for every assumption. @example { "old-token": "rejected", "existing-group": "unchanged" } */
export type AssumptionValues = { readonly [Id in AssumptionId]: (typeof assumptions)[Id]["default"] };

export const assumptionIds = Object.keys(assumptions) as readonly AssumptionId[];

/** The values of an assumption, the default first. */
export function valuesOf(id: AssumptionId): readonly string[] {
  const { values, default: first } = assumptions[id];
  return [first, ...Object.keys(values).filter((value) => value !== first)];
}

export const defaultAssumptions: AssumptionValues = Object.freeze(
  Object.fromEntries(assumptionIds.map((id) => [id, assumptions[id].default])) as AssumptionValues,
);

/** `base` with the values of `choice`. Throws one error that lists every unknown id and value. */
export function withAssumptions(
  base: AssumptionValues,
  choice: Readonly<Record<string, unknown>>,
): AssumptionValues {
  const problems: LocatedProblem[] = [];
  for (const [id, value] of Object.entries(choice)) {
    const message = findProblem(id, value);
    if (message !== undefined) problems.push({ path: `/${id}`, message });
  }
  if (problems.length > 0) {
    throw new MockError("invalid_assumption", "Invalid assumptions:", problems);
  }
  const values = Object.entries(choice).map(([id, value]) => [id, String(value)]);
  return Object.freeze({ ...base, ...Object.fromEntries(values) });
}

function findProblem(id: string, value: unknown): string | undefined {
  if (!Object.hasOwn(assumptions, id)) return `there is no assumption ${id}${hint(id, assumptionIds)}`;
  const values = valuesOf(id as AssumptionId);
  // The number 201 is accepted for "201".
  if ((typeof value === "string" || typeof value === "number") && values.includes(String(value)))
    return undefined;
  return `${JSON.stringify(value)} is not a value of ${id}; use ${values.join(" or ")}`;
}

/** All assumptions as the admin API shows them, with the given values. */
export function showAssumptions(values: AssumptionValues): AssumptionList {
  return {
    assumptions: assumptionIds.map((id) => {
      const meanings = Object.entries(assumptions[id].values);
      return {
        id,
        ...assumptions[id],
        value: values[id],
        values: meanings.map(([value, meaning]) => ({ value, meaning })),
      };
    }),
  };
}
