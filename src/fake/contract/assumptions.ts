import { isObject, pointerTo } from "../../foundation/json.js";
import { hint, nearest } from "../../foundation/nearest.js";
import type { Problem } from "../../generated/types.js";
import {
  defaultOutcome,
  isSituation,
  type OutcomeOf,
  rowOf,
  type SituationId,
  situationIds,
  wordsOf,
} from "./situations.js";

/** Outcomes of some situations. */
export type Outcomes = { readonly [Id in SituationId]?: OutcomeOf<Id> };

/** A behaviour that the interface document does not specify, and how the mock behaves. */
interface Assumption {
  readonly question: string;
  /** The words of the document that leave the question open. */
  readonly openBecause: string;
  /** Every behaviour that the mock supports, with a description. The first one is the default. */
  readonly values: Readonly<Record<string, string>>;
  /** The reason for the default. */
  readonly why: string;
  /**
   * What each value says of situations. Of those that another value names, it says the default. None: the question is
   * about our own responses.
   */
  readonly outcomes?: Readonly<Record<string, Outcomes>>;
}

/** Every behaviour of the mock that the interface document does not specify. */
export const assumptions = {
  "api-tokens": {
    question: "Which API tokens are accepted?",
    openBecause: "How the token in the Authorization header is issued, its scope, […]: not shown.",
    values: { listed: "those in a fixture", any: "every token; unknown ones belong to the first team" },
    why: "A wrong credential should fail in a test, as it would in production.",
    outcomes: { any: { "wrong API token": "accepted" } },
  },
  "auth-scheme": {
    question: "Does the case of the word Token matter?",
    openBecause: "Authorization: Token <token> […] (scheme word Token, then a space, then the value).",
    values: { exact: "only Token", "any-case": "token and TOKEN too" },
    why: "The document shows one spelling. Code that uses it works with both.",
    outcomes: { "any-case": { "scheme in lower case": "accepted" } },
  },
  "group-scope": {
    question: "Is user_group_id unique within a team or across all teams?",
    openBecause: "A user group belongs to a team […]. (Whether two teams can use one id: not shown.)",
    values: { "per-team": "within a team", global: "across all: every team finds the same group" },
    why: "Clients choose the id, and do not know about each other.",
    outcomes: { global: { "id of the other team's group": "same group" } },
  },
  "name-on-create": {
    question: "Can a group be created without a name?",
    openBecause: "Which body fields are required: not shown.",
    values: { required: "no", "defaults-to-id": "yes, its name is its user_group_id" },
    why: "Every group in the document has a name. Code that sends one works with both.",
    outcomes: { "defaults-to-id": { "name: missing": "accepted" } },
  },
  "existing-group": {
    question: "What happens to an existing group if a request sends name, mapping or properties?",
    openBecause: "looks up or creates a user group that the caller identifies with the caller's own id.",
    values: {
      unchanged: "nothing",
      updated: "the fields that are sent replace those of the group",
      merged: "as updated, but mapping and properties key by key",
      rejected: "the request fails if a field differs",
      "name-rejected": "the request fails if the name differs; mapping and properties stay",
    },
    why: "The document describes looking up and creating, but not changing.",
    outcomes: {
      updated: {
        "existing group: other name": "replaced",
        "existing group: other mapping": "replaced",
        "existing group: other properties": "replaced",
      },
      merged: {
        "existing group: other name": "replaced",
        "existing group: other mapping": "merged",
        "existing group: other properties": "merged",
      },
      rejected: {
        "existing group: other name": "rejected",
        "existing group: other mapping": "rejected",
        "existing group: other properties": "rejected",
      },
      "name-rejected": { "existing group: other name": "rejected" },
    },
  },
  "id-matching": {
    question: "Which ids are the same group?",
    openBecause: "Format and length constraints on token, name, provided_id, […]: not shown.",
    values: {
      exact: "equal ones",
      "any-case": "also those that differ in case",
      trimmed: "also those that differ in white space at their ends",
      "trimmed-any-case": "also those that differ in both",
    },
    why: "The document says nothing about changing an id. Code that always sends the same id works with all.",
    outcomes: {
      "any-case": { "user_group_id: capitals": "same group" },
      trimmed: { "user_group_id: spaces": "same group" },
      "trimmed-any-case": { "user_group_id: capitals": "same group", "user_group_id: spaces": "same group" },
    },
  },
  "unique-names": {
    question: "May two groups of a team have the same name?",
    openBecause: "Format and length constraints on token, name, provided_id, […]: not shown.",
    values: { allowed: "yes", rejected: "no" },
    why: "The client's own id identifies a group. The name only describes it.",
    outcomes: { rejected: { "name of another group": "rejected" } },
  },
  "created-status": {
    question: "HTTP status when a group is created",
    openBecause: "Error codes, HTTP status codes and the body shape of a failed call: not shown.",
    values: { "200": "as for a group that existed", "201": "Created" },
    why: "new_user_group already shows whether the group is new, and most services of this style respond with 200.",
  },
  "rotated-token": {
    question: "Does rotation return a new token?",
    openBecause: "The token being sent is the one to rotate, and the returned user group carries a token.",
    values: { new: "yes", same: "no, the group keeps its token" },
    why: "That is the usual meaning of rotate.",
    outcomes: { same: { "rotated token": "same" } },
  },
  "old-token": {
    question: "Does rotation accept an old token (one that was rotated before)?",
    openBecause: "The current token held for the user group whose token is to be rotated.",
    values: {
      rejected: "no",
      accepted: "yes",
      previous: "only the one before the current one",
    },
    why: "The field is called current_token. Code that uses the latest token works with both.",
    outcomes: {
      accepted: { "current_token: previous": "accepted", "current_token: older": "accepted" },
      previous: { "current_token: previous": "accepted" },
    },
  },
  "foreign-token": {
    question: "May a team rotate the token of another team's group?",
    openBecause: "[…] its scope, and its difference from the user group token: not shown.",
    values: { rejected: "no, as if the token were unknown", accepted: "yes" },
    why: "A group belongs to a team, so another team should not be able to change its token.",
    outcomes: { accepted: { "current_token: of the other team": "accepted" } },
  },
  "failure-status": {
    question: "HTTP status of a failed request to /api/user",
    openBecause: "Error codes, HTTP status codes and the body shape of a failed call: not shown.",
    values: { "by-kind": "the status that fits the failure: 400, 401, 404 …", "always-200": "200" },
    why: "Code that checks the status and code that checks success both see the failure.",
  },
  "failure-body": {
    question: "What does the response to a failed request contain besides success: 0?",
    openBecause: "Error codes, HTTP status codes and the body shape of a failed call: not shown.",
    values: { "error-object": "error (code, message, details)", message: "message (text)", bare: "nothing" },
    why: "This body helps most when a test fails.",
  },
  "unknown-fields": {
    question: "Body fields that the document does not list",
    openBecause: "Body (JSON object): (the listed fields; whether others may be sent: not shown.)",
    values: { ignored: "have no effect; the journal notes them", rejected: "the request fails" },
    why: "The rotate entry itself lists a field without a meaning, so extra fields seem to be allowed.",
    outcomes: { rejected: { "GET: unknown field": "rejected", "POST: unknown field": "rejected" } },
  },
  "mapping-values": {
    question: "Mapping values that are not strings",
    openBecause: "Keys and values are strings in the shape shown.",
    values: { rejected: "the request fails", accepted: "are stored as sent" },
    why: "The shape shown has strings. Code that sends strings works with both.",
    outcomes: {
      accepted: {
        "mapping value: number": "accepted",
        "mapping value: boolean": "accepted",
        "mapping value: null": "accepted",
        "mapping value: list": "accepted",
        "mapping value: object": "accepted",
      },
    },
  },
  "numeric-ids": {
    question: "user_group_id sent as a number",
    openBecause: "Format and length constraints on token, name, provided_id, […]: not shown.",
    values: { rejected: "the request fails", coerced: "is converted to a string" },
    why: "The document says string. Code that sends one works with both.",
    outcomes: { coerced: { "user_group_id: number": "accepted" } },
  },
  "empty-strings": {
    question: "Empty user_group_id, name, current_token",
    openBecause: "Format and length constraints on token, name, provided_id, […]: not shown.",
    values: { rejected: "the request fails", accepted: "are accepted" },
    why: "An empty id is far more often a bug in the client than intended.",
    outcomes: {
      accepted: {
        "user_group_id: empty": "accepted",
        "name: empty": "accepted",
        "current_token: empty": "accepted",
      },
    },
  },
  "content-type": {
    question: "JSON without Content-Type: application/json",
    openBecause: "Both operations use […] the header Content-Type: application/json […].",
    values: {
      rejected: "the request fails",
      accepted: "is parsed anyway",
      optional: "is parsed if there is no Content-Type",
    },
    why: "The document says that both operations use the header.",
    outcomes: {
      accepted: {
        "GET: no Content-Type": "accepted",
        "POST: no Content-Type": "accepted",
        "GET: other Content-Type": "accepted",
        "POST: other Content-Type": "accepted",
      },
      optional: { "GET: no Content-Type": "accepted", "POST: no Content-Type": "accepted" },
    },
  },
  "trailing-slash": {
    question: "/api/user/, with a trailing slash",
    openBecause: "Path: /api/user",
    values: { rejected: "gets 404", accepted: "is the same as /api/user" },
    why: "The document shows one path.",
    outcomes: { accepted: { "trailing slash": "accepted" } },
  },
  "videos-path": {
    question: "POST /videos, the path in the heading of the rotate entry",
    openBecause: "The reference entry for this operation also heads itself with the path /videos […].",
    values: { absent: "gets 404", rotates: "rotates, as POST /api/user does" },
    why: "The request that the document shows for the operation uses /api/user.",
    outcomes: { rotates: { "POST /videos": "accepted" } },
  },
} as const satisfies Record<string, Assumption>;

/** @example "old-token" */
export type AssumptionId = keyof typeof assumptions;

/** A value for every assumption. @example { "old-token": "rejected", "existing-group": "unchanged" } */
export type AssumptionValues = { readonly [Id in AssumptionId]: keyof (typeof assumptions)[Id]["values"] };

export const assumptionIds = Object.keys(assumptions) as readonly AssumptionId[];

/** The values of an assumption, the default first. */
export function valuesOf(id: AssumptionId): readonly string[] {
  return Object.keys(assumptions[id].values);
}

/** The assumptions about our own responses, which no situation says. */
export type ResponseOption = "failure-status" | "failure-body" | "created-status";

export function isAssumption(name: string): name is AssumptionId {
  return Object.hasOwn(assumptions, name);
}

export function isResponseOption(id: AssumptionId): id is ResponseOption {
  return !("outcomes" in assumptions[id]);
}

/** The situations that a value of an assumption is about, with what it says of each: all that any value names. */
export function outcomesOf(id: AssumptionId, value: string): ReadonlyMap<SituationId, string> {
  const { outcomes = {} }: Assumption = assumptions[id];
  const named = Object.values(outcomes).flatMap((one) => Object.keys(one) as SituationId[]);
  const said: Readonly<Partial<Record<SituationId, string>>> = outcomes[value] ?? {};
  return new Map(named.map((row) => [row, said[row] ?? String(defaultOutcome(row))]));
}

/** The situations of an assumption, in the order of the table. */
export function situationsOf(id: AssumptionId): SituationId[] {
  return [...outcomesOf(id, "").keys()];
}

/** The assumption that a situation belongs to. A situation has at most one. */
export const assumptionOf: ReadonlyMap<SituationId, AssumptionId> = new Map(
  assumptionIds.flatMap((id) => situationsOf(id).map((row) => [row, id] as const)),
);

/** What the document leaves open, and neither an assumption nor a situation changes. The docs list it, and a test shows each one. */
export const fixedChoices = {
  versions: "There is one version of the interface.",
  events: "The service sends nothing on its own.",
  limits: "There is no rate limit, and no time limit.",
  "equal-keys": "If a key is sent twice, the last value is used.",
  ids: "Unicode is not normalised.",
  "existing-group": "A group that exists is found by its `user_group_id` alone.",
  mapping: "`mapping` is not compared with data sources: any schema id and any text are accepted.",
  properties: "`properties` can have any JSON values.",
  "query-string": "The query string of a request with a body is ignored.",
  tokens:
    "Only a rotation changes a token. Tokens are 64 lower-case hex characters, unless a fixture has others.",
  "api-tokens":
    "The API token is checked first, once the body has arrived. It belongs to one team; a team can have several.",
  "kinds-of-tokens": "An API token is not valid as `current_token`, nor a group's token as API token.",
  rejections: "A request that is rejected changes nothing.",
} as const;

/** What is wrong with values for assumptions and outcomes for situations: `{ "old-token": "accepted" }`. */
export function assumptionProblems(choice: unknown): Problem[] {
  if (!isObject(choice)) return [{ path: "", message: "must be object" }];
  return Object.entries(choice).flatMap(([name, value]) => {
    const message = problemWith(name, value);
    return message === undefined ? [] : { path: pointerTo(name), message };
  });
}

function problemWith(name: string, value: unknown): string | undefined {
  if (isAssumption(name)) return expectOneOf(valuesOf(name), value);
  if (!isSituation(name)) return unknownName(name);
  const words = wordsOf(name);
  if (words.length === 0) return "has a response, which only a profile can set";
  const problem = expectOneOf(words, value);
  const { limit } = rowOf(name);
  return problem !== undefined && limit !== undefined
    ? `${problem}; to reject, a profile needs ${limit}`
    : problem;
}

function expectOneOf(words: readonly string[], value: unknown): string | undefined {
  if (words.some((word) => word === value)) return undefined;
  return `must be ${words.map((word) => JSON.stringify(word)).join(" or ")}`;
}

/** A list of all situations would fill a screen, so only the nearest one is named. */
function unknownName(name: string): string {
  const near = nearest(name, [...assumptionIds, ...situationIds]);
  const meant = near === undefined ? hint(name, assumptionIds) : `; did you mean ${near}?`;
  return `is not an assumption or a situation${meant}`;
}
