import type { AssumptionList } from "../contract/types.js";
import { MockError } from "../foundation/mock-error.js";
import { hint } from "../foundation/nearest.js";

/** One question that the interface document leaves open, and how the fake answers it. */
interface Assumption {
  readonly question: string;
  /** The words of the document that leave it open. */
  readonly openBecause: string;
  /** Every answer that the fake can give; the first is the default. */
  readonly values: Readonly<Record<string, string>>;
  /** Why the first value is the default. */
  readonly why: string;
}

/** The ledger: everything that depends on a guess asks here, so that nothing is guessed in silence. */
export const assumptions = {
  "api-tokens": {
    question: "Which API tokens are accepted?",
    openBecause: "How the token in the Authorization header is issued, its scope, […]: not shown.",
    values: {
      listed: "those that a fixture lists",
      any: "every one; those that no fixture lists belong to the first team",
    },
    why: "A wrong credential should fail in a test, as it would in production.",
  },
  "auth-scheme": {
    question: "Does the case of the word Token matter?",
    openBecause: "Authorization: Token <token> […] (scheme word Token, then a space, then the value).",
    values: { exact: "only Token", "any-case": "token and TOKEN too" },
    why: "The document shows one spelling; code that keeps to it is right under both.",
  },
  "group-scope": {
    question: "Is user_group_id unique within a team or across all?",
    openBecause: "A user group belongs to a team […]. (Whether two teams can use one id is not said.)",
    values: {
      "per-team": "two teams can each have a group of the same id",
      global: "a group is found whichever team asks for it",
    },
    why: "It is the caller's own id, and callers do not know of each other.",
  },
  "name-on-create": {
    question: "Can a group be created without a name?",
    openBecause: "Which body fields are required: not shown.",
    values: { required: "no, the call fails", "defaults-to-id": "yes, its name is its user_group_id" },
    why: "Every group in the document has a name, and code that sends one is right under both.",
  },
  "existing-group": {
    question: "What do name, mapping and properties do to a group that exists?",
    openBecause: "looks up or creates a user group that the caller identifies with the caller's own id.",
    values: { unchanged: "nothing", updated: "those that are sent replace what the group has" },
    why: "The document says look up or create, and does not speak of changing.",
  },
  "created-status": {
    question: "HTTP status when a group was created",
    openBecause: "Error codes, HTTP status codes and the body shape of a failed call: not shown.",
    values: { "200": "200, as for a group that existed", "201": "201 Created" },
    why: "new_user_group already says it, and 200 is what most services of this style answer.",
  },
  "rotated-token": {
    question: "Does rotation give another token?",
    openBecause: "The token being sent is the one to rotate, and the returned user group carries a token.",
    values: { new: "yes", same: "no, the group keeps its token" },
    why: "It is what the word rotate means.",
  },
  "old-token": {
    question: "Does a rotated-out token still name its group in a rotation?",
    openBecause: "The current token held for the user group whose token is to be rotated.",
    values: { rejected: "no, the call fails", accepted: "yes" },
    why: "The field is called current_token; code that keeps the newest token is right under both.",
  },
  "foreign-token": {
    question: "May a team rotate the token of another team's group?",
    openBecause: "[…] its scope, and its difference from the user group token: not shown.",
    values: { rejected: "no, as if the token were unknown", accepted: "yes" },
    why: "A group belongs to a team, so another team should not be able to take its token away.",
  },
  "failure-status": {
    question: "HTTP status of a failed call to /api/user",
    openBecause: "Error codes, HTTP status codes and the body shape of a failed call: not shown.",
    values: { "by-kind": "the status that fits the failure: 400, 401, 404 …", "always-200": "200" },
    why: "Code that looks at the status and code that looks at success both see the failure.",
  },
  "failure-body": {
    question: "What stands beside success: 0?",
    openBecause: "Error codes, HTTP status codes and the body shape of a failed call: not shown.",
    values: {
      "error-object": "error, with code, message and details",
      message: "message, a string",
      bare: "nothing",
    },
    why: "It tells the most to the person whose test fails.",
  },
  "unknown-fields": {
    question: "Body fields that the document does not list",
    openBecause: "Body (JSON object): (the listed fields; whether others may be sent is not said.)",
    values: { ignored: "mean nothing; the journal notes them", rejected: "fail the call" },
    why: "The rotate entry itself lists a field without a meaning, so extra fields seem to be borne.",
  },
  "mapping-values": {
    question: "Mapping values that are not strings",
    openBecause: "Keys and values are strings in the shape shown.",
    values: { rejected: "fail the call", accepted: "are kept as sent" },
    why: "The shape shown has strings; code that sends them is right under both.",
  },
  "numeric-ids": {
    question: "user_group_id sent as a number",
    openBecause: "Format and length constraints on token, name, provided_id, […]: not shown.",
    values: { rejected: "fails the call", coerced: "is taken as its decimal text" },
    why: "The document says string; code that sends one is right under both.",
  },
  "empty-strings": {
    question: "Empty user_group_id, name, current_token",
    openBecause: "Format and length constraints on token, name, provided_id, […]: not shown.",
    values: { rejected: "fail the call", accepted: "are taken as they are" },
    why: "An empty id is far more often a defect of the caller than a wish.",
  },
  "content-type": {
    question: "JSON without Content-Type: application/json",
    openBecause: "Both operations use […] the header Content-Type: application/json […].",
    values: { rejected: "fails the call", accepted: "is read all the same" },
    why: "The document says that both operations use the header.",
  },
  "trailing-slash": {
    question: "/api/user/",
    openBecause: "Path: /api/user",
    values: { rejected: "is no path of the service", accepted: "is the same as /api/user" },
    why: "The document shows one path.",
  },
  "videos-path": {
    question: "POST /videos, the path that heads the rotate entry",
    openBecause: "The reference entry for this operation also heads itself with the path /videos […].",
    values: { absent: "is no path of the service", rotates: "rotates, as POST /api/user does" },
    why: "The request that the document shows for the operation uses /api/user.",
  },
} as const satisfies Record<string, Assumption>;

export type AssumptionId = keyof typeof assumptions;

/** A value for every assumption. */
export type AssumptionValues = {
  readonly [Id in AssumptionId]: keyof (typeof assumptions)[Id]["values"] & string;
};

/** Values for some of the assumptions: `{ "old-token": "accepted" }`. */
export type AssumptionChoice = Partial<AssumptionValues>;

export const assumptionIds = Object.keys(assumptions) as readonly AssumptionId[];

/** The values of an assumption, the default first. Ids like 200 and 201 sort as numbers, which keeps that order. */
export function valuesOf(id: AssumptionId): readonly string[] {
  return Object.keys(assumptions[id].values);
}

export const defaultAssumptions: AssumptionValues = Object.freeze(
  Object.fromEntries(assumptionIds.map((id) => [id, valuesOf(id)[0]])) as AssumptionValues,
);

/** `base` with `choice` laid over it. Refuses an id or a value that does not exist, all of them at once. */
export function withAssumptions(
  base: AssumptionValues,
  choice: Readonly<Record<string, unknown>>,
): AssumptionValues {
  const problems = Object.entries(choice).flatMap(([id, value]) => {
    const path = `/${id}`;
    if (!Object.hasOwn(assumptions, id)) {
      return [{ path, message: `there is no assumption ${id}${hint(id, assumptionIds)}` }];
    }
    const values = valuesOf(id as AssumptionId);
    if ((typeof value === "string" || typeof value === "number") && values.includes(String(value))) return [];
    return [
      { path, message: `${JSON.stringify(value)} is no value of ${id}; it takes ${values.join(" or ")}` },
    ];
  });
  if (problems.length > 0) {
    throw new MockError("invalid_assumption", "These assumptions cannot be made:", problems);
  }
  const values = Object.entries(choice).map(([id, value]) => [id, String(value)]);
  return Object.freeze({ ...base, ...Object.fromEntries(values) });
}

/** The ledger as the admin API shows it, with the values that hold somewhere. */
export function showAssumptions(values: AssumptionValues): AssumptionList {
  return {
    assumptions: assumptionIds.map((id) => {
      const { question, openBecause, why } = assumptions[id];
      const meanings = Object.entries(assumptions[id].values).map(([value, meaning]) => ({ value, meaning }));
      return {
        id,
        question,
        openBecause,
        value: values[id],
        default: defaultAssumptions[id],
        why,
        values: meanings,
      };
    }),
  };
}
