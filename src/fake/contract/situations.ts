import type { Operation } from "../../generated/types.js";
import type { FailureCode } from "./failures.js";
import { operationIds, operations } from "./operations.js";

/** What a request can meet, and what the service can do then. */
export interface Row {
  /** The request meets it when … */
  readonly when: string;
  /**
   * What the service can do. The first one is the default. Only "rejected": there is nothing else to perform. None: the
   * row is about the response of a request that succeeds, or of all.
   */
  readonly outcomes: readonly string[];
  /** The failure of ours that a rejection is. */
  readonly code?: FailureCode;
  /** The field of the body that it is about. */
  readonly field?: string;
  /** The row whose response a rejection has that has none of its own. It has the same code. */
  readonly like?: string;
  /** The row whose outcome counts while nothing is known of this one. */
  readonly same?: string;
  /** Rejected is only what is beyond a limit, which the profile has under this name. */
  readonly limit?: "over" | "under" | "characters";
  /** No schema describes it. The mock looks for it only where its outcome is not the default. */
  readonly isBeyond?: true;
  /** A decoder with types finds it before it looks at anything else. */
  readonly isOfType?: true;
  /** Whether the document shows the default. The others are assumed. */
  readonly isDocumented?: true;
}

/** What can be wrong with the value of a field. */
const kinds = {
  missing: "is missing",
  null: "is null",
  number: "is a number",
  boolean: "is true or false",
  text: "is a text",
  list: "is a list",
  "empty list": "is an empty list",
  object: "is an object",
  "other type": "has another wrong type",
  empty: "is empty",
  blank: "is white space only",
  long: "has more characters than `over`",
  short: "has fewer characters than `under`",
  characters: "has a character that is not one of `characters`",
  "first character": "begins with a character that is not one of `characters`",
  unstorable: "has a NUL, or half of a surrogate pair",
} as const;

type Kind = keyof typeof kinds;

const kindsOfType: ReadonlySet<string> = new Set([
  "number",
  "boolean",
  "text",
  "list",
  "empty list",
  "object",
  "other type",
]);

/** Rows whose names begin with the same words. */
type Prefixed<Prefix extends string, Given> = {
  readonly [K in keyof Given & string as `${Prefix}${K}`]: Given[K] & { readonly when: string };
};

/** The rows of one field, a line each: `name: null`, `mapping value: null`. A rejection is an `invalid_body`. */
function ofField<
  Prefix extends string,
  const Given extends { readonly [K in Kind]?: Omit<Row, "when"> & Partial<Row> },
>(field: string, prefix: Prefix, given: Given): Prefixed<Prefix, Given> {
  const ofExisting = "existing group: ";
  const subject = prefix.startsWith(ofExisting)
    ? `the group exists, and its ${prefix.slice(ofExisting.length, -1)}`
    : prefix.slice(0, -2);
  const rows: Record<string, unknown> = {};
  // A loop: every import of the package makes these rows.
  for (const kind in given) {
    const when = `${subject} ${kinds[kind as Kind]}`;
    const row = { when, code: "invalid_body", field };
    rows[prefix + kind] = Object.assign(row, kindsOfType.has(kind) && { isOfType: true }, given[kind]);
  }
  return rows as Prefixed<Prefix, Given>;
}

type OperationMethod = (typeof operations)[Operation]["method"];

/** Rows that begin with a method: `GET: no body`. */
type OfMethods<Given> = {
  readonly [Name in `${OperationMethod}: ${keyof Given & string}`]: Name extends `${OperationMethod}: ${infer Kind extends keyof Given & string}`
    ? Omit<Given[Kind], "like" | "when"> & { readonly when: string }
    : never;
};

/** The rows that every operation has. A rejection is as that of the first operation, if it resembles no other row. */
function ofMethods<const Given extends Readonly<Record<string, Row>>>(given: Given): OfMethods<Given> {
  const [first, ...others] = operationIds.map((id) => operations[id].method);
  const rows = Object.entries(given).flatMap(([kind, { like, when, ...row }]) => {
    const ofMethod = (method: OperationMethod | undefined, resembled: string | undefined) => [
      `${method}: ${kind}`,
      { ...row, when: `a ${method} ${when}`, ...(resembled !== undefined && { like: resembled }) },
    ];
    return [
      ofMethod(first, like && `${first}: ${like}`),
      ...others.map((method) => ofMethod(method, like ? `${method}: ${like}` : `${first}: ${kind}`)),
    ];
  });
  return Object.fromEntries(rows);
}

/** Rows whose rejections have the same code. */
function ofCode<const Given extends Readonly<Record<string, Row>>>(code: FailureCode, given: Given): Given {
  const rows = Object.entries(given).map(([name, row]) => [name, { code, ...row }]);
  return Object.fromEntries(rows);
}

// Outcomes that many rows have, the default first.
const never = ["rejected"] as const;
const no = ["rejected", "accepted"] as const;
const yes = ["accepted", "rejected"] as const;

/**
 * Every situation, in the order in which a request meets them. The first one whose outcome is "rejected" gives the
 * response. If there is none, the operation is carried out as the rows say.
 *
 * A row is added here; where its outcome is asked for, the compiler knows its name and its outcomes.
 */
export const situations = {
  // All requests.
  "every response": { when: "always: the headers that most responses have", outcomes: [] },
  "several problems": {
    when: "a body has several problems: which of them gives the response",
    outcomes: ["first", "types first", "all", "types first then all", "id first then all"],
  },

  // The path and the method.
  ...ofCode("not_found", {
    "other path": { when: "the path is none of the service", outcomes: never },
    "trailing slash": { when: "the path is /api/user/", outcomes: no, like: "other path" },
    "POST /videos": { when: "a POST to /videos", outcomes: no, like: "other path" },
  }),
  ...ofCode("method_not_allowed", {
    "other method": { when: "the method is another one, such as PUT", outcomes: never },
    HEAD: { when: "the method is HEAD", outcomes: never, like: "other method" },
    OPTIONS: { when: "the method is OPTIONS", outcomes: ["no content", "rejected"], like: "other method" },
  }),
  "too large": { when: "the body is over --body-limit", outcomes: never, code: "payload_too_large" },

  // The API token.
  ...ofCode("unauthorized", {
    "no API token": { when: "there is no Authorization header", outcomes: never, isDocumented: true },
    "API token without scheme": {
      when: "the Authorization header is one word, or has white space in the token",
      outcomes: no,
      like: "other scheme",
      isDocumented: true,
    },
    "other scheme": {
      when: "the scheme is another word than Token, in any case",
      outcomes: no,
      like: "no API token",
      isDocumented: true,
    },
    "scheme in lower case": {
      when: "the scheme is Token in another case",
      outcomes: no,
      like: "other scheme",
    },
    "wrong API token": { when: "no team has the API token", outcomes: no, like: "no API token" },
  }),

  // The body, before its fields.
  "fields in the query": {
    when: "a GET has no body, and user_group_id in its query string",
    outcomes: no,
    code: "missing_body",
    like: "GET: no body",
  },
  ...ofMethods({
    "no body": { when: "has no body", outcomes: no, code: "missing_body", isDocumented: true },
  }),
  ...ofCode("unsupported_media_type", {
    gzip: { when: "the body is compressed", outcomes: yes },
    ...ofMethods({
      "no Content-Type": {
        when: "has a body without Content-Type",
        outcomes: no,
        like: "other Content-Type",
      },
      form: {
        when: "has a form as its body, by its Content-Type, and not JSON",
        outcomes: no,
        like: "other Content-Type",
      },
      "other Content-Type": { when: "has a Content-Type that is not JSON in UTF-8", outcomes: no },
    }),
  }),
  ...ofMethods({
    "broken JSON": {
      when: "has a body that is not JSON, not UTF-8, or nested too deep",
      outcomes: never,
      code: "invalid_json",
    },
  }),
  "GET: text after the JSON": {
    when: "the body of a GET is JSON, and more text follows",
    outcomes: no,
    code: "invalid_json",
    like: "GET: broken JSON",
    same: "GET: broken JSON",
  },
  ...ofMethods({
    "not an object": {
      when: "has a list, a text, a number, a boolean or null as its JSON",
      outcomes: never,
      code: "invalid_body",
      isOfType: true,
    },
  }),

  // The fields of get-or-create.
  ...ofField("user_group_id", "user_group_id: ", {
    missing: { outcomes: never },
    null: { outcomes: never, like: "user_group_id: missing" },
    number: { outcomes: no },
    "other type": {
      when: "user_group_id is true, false, a list or an object",
      outcomes: no,
      like: "user_group_id: number",
    },
    empty: { outcomes: no, like: "user_group_id: missing" },
    long: { outcomes: yes, limit: "over", isBeyond: true },
    short: { outcomes: yes, limit: "under", isBeyond: true, like: "user_group_id: long" },
    characters: { outcomes: yes, limit: "characters", isBeyond: true, like: "user_group_id: long" },
    "first character": {
      outcomes: yes,
      limit: "characters",
      isBeyond: true,
      like: "user_group_id: characters",
    },
    unstorable: { outcomes: never, like: "user_group_id: characters" },
  }),
  ...ofField("name", "name: ", {
    null: { outcomes: ["rejected", "accepted", "empty"] },
    number: { outcomes: ["rejected", "accepted", "as sent"], isDocumented: true },
    boolean: { outcomes: ["rejected", "accepted", "as sent"], like: "name: number" },
    list: { outcomes: ["rejected", "accepted", "ignored", "as text"], like: "name: number" },
    object: { outcomes: ["rejected", "accepted", "ignored", "as text"], like: "name: number" },
    empty: { outcomes: ["rejected", "accepted", "ignored"] },
    blank: { outcomes: yes, isBeyond: true, like: "name: empty" },
    long: { outcomes: yes, limit: "over", isBeyond: true },
    short: { outcomes: yes, limit: "under", isBeyond: true, like: "name: long" },
    characters: { outcomes: yes, limit: "characters", isBeyond: true, like: "name: long" },
  }),
  ...ofField("name", "existing group: name ", {
    missing: { outcomes: yes, isBeyond: true, like: "name: missing" },
    null: { outcomes: ["rejected", "accepted", "empty"], like: "name: null", same: "name: null" },
    number: { outcomes: ["rejected", "accepted", "as sent"], like: "name: number", same: "name: number" },
    empty: { outcomes: ["rejected", "accepted", "ignored"], like: "name: empty", same: "name: empty" },
    long: { outcomes: yes, limit: "over", isBeyond: true, like: "name: long", same: "name: long" },
  }),
  ...ofField("mapping", "mapping: ", {
    missing: { when: "the group does not exist, and mapping is missing", outcomes: yes, isBeyond: true },
    null: { outcomes: no },
    text: { outcomes: no, isDocumented: true },
    "other type": { outcomes: no, like: "mapping: text", same: "mapping: text" },
    list: { outcomes: ["rejected", "accepted", "by index"], like: "mapping: text", isDocumented: true },
    "empty list": { outcomes: no, like: "mapping: list", same: "mapping: list" },
    empty: { outcomes: yes, isBeyond: true },
  }),
  ...ofField("mapping", "existing group: mapping ", {
    missing: { outcomes: ["kept", "removed", "rejected"], isBeyond: true, like: "mapping: missing" },
  }),
  ...ofCode("invalid_body", {
    "mapping key: text": {
      when: "a key of mapping is neither a number nor empty",
      outcomes: yes,
      field: "mapping",
      isBeyond: true,
      like: "mapping value: number",
    },
    "mapping key: empty": {
      when: "a key of mapping is empty",
      outcomes: yes,
      field: "mapping",
      isBeyond: true,
      like: "mapping key: text",
      same: "mapping key: text",
    },
  }),
  ...ofField("mapping", "mapping value: ", {
    number: { outcomes: ["rejected", "accepted", "as text"] },
    boolean: { outcomes: ["rejected", "accepted", "as text"], like: "mapping value: number" },
    null: { outcomes: no, like: "mapping value: number" },
    list: { outcomes: no, like: "mapping value: number" },
    object: { outcomes: no, like: "mapping value: number" },
    empty: { outcomes: yes, isBeyond: true, like: "mapping value: number" },
    long: { outcomes: yes, limit: "over", isBeyond: true, like: "mapping value: empty" },
  }),
  ...ofField("properties", "properties: ", {
    missing: {
      when: "the group does not exist, and properties is missing",
      outcomes: yes,
      isBeyond: true,
      like: "mapping: missing",
    },
    null: { outcomes: no, like: "mapping: null" },
    text: { outcomes: no, like: "mapping: text" },
    "other type": { outcomes: no, like: "properties: text", same: "properties: text" },
    list: { outcomes: ["rejected", "accepted", "by index"], like: "properties: text" },
    "empty list": { outcomes: no, like: "properties: list", same: "properties: list" },
  }),
  ...ofField("properties", "properties value: ", {
    number: { when: "a value of properties is a number, true or false", outcomes: yes, isBeyond: true },
    null: {
      when: "a value of properties is null",
      outcomes: ["accepted", "ignored", "rejected"],
      isBeyond: true,
      like: "properties value: number",
    },
    object: {
      when: "a value of properties is a list or an object",
      outcomes: yes,
      isBeyond: true,
      like: "properties value: number",
    },
  }),
  ...ofField("properties", "existing group: properties ", {
    missing: {
      outcomes: ["kept", "removed", "rejected"],
      isBeyond: true,
      like: "properties: missing",
      same: "existing group: mapping missing",
    },
  }),

  // The fields of rotate. A token that is accepted here is that of no group.
  ...ofField("current_token", "current_token: ", {
    missing: { outcomes: no },
    null: { outcomes: no, like: "current_token: missing" },
    number: { when: "current_token is a number, true or false", outcomes: no, isDocumented: true },
    list: { outcomes: no, like: "current_token: number" },
    object: { outcomes: no, like: "current_token: number" },
    empty: { outcomes: no, like: "current_token: missing" },
  }),
  ...ofField("filename", "filename: ", {
    null: { outcomes: no },
    number: { outcomes: no, isDocumented: true },
    "other type": { outcomes: no, like: "filename: number", same: "filename: number" },
  }),
  ...ofMethods({
    "unknown field": {
      when: "has a field that is not in the document",
      outcomes: yes,
      code: "invalid_body",
      isOfType: true,
    },
  }),
  "filename: sent": {
    when: "there is a filename",
    outcomes: yes,
    code: "invalid_body",
    field: "filename",
    like: "POST: unknown field",
    isBeyond: true,
    isDocumented: true,
  },

  // The groups: get-or-create.
  "id of the other team's group": {
    when: "the id is that of a group of another team only",
    outcomes: ["another group", "same group", "rejected"],
    code: "conflict",
    field: "user_group_id",
  },
  "user_group_id: capitals": {
    when: "the id differs only in case from that of a group",
    outcomes: ["another group", "same group", "rejected"],
    code: "invalid_body",
    field: "user_group_id",
    like: "user_group_id: characters",
  },
  "user_group_id: spaces": {
    when: "the id differs only in white space at its ends from that of a group",
    outcomes: ["another group", "same group", "rejected"],
    code: "invalid_body",
    field: "user_group_id",
    like: "user_group_id: characters",
  },
  "new id: capitals": {
    when: "a new group gets an id with capitals",
    outcomes: ["kept", "lower case"],
  },
  "new id: spaces": {
    when: "a new group gets an id with white space at its ends",
    outcomes: ["kept", "trimmed"],
  },
  "name: spaces": {
    when: "a name has white space at its ends",
    outcomes: ["kept", "trimmed", "rejected"],
    code: "invalid_body",
    field: "name",
  },
  "name: missing": {
    when: "the group does not exist, and there is no name, or one that counts as not sent",
    outcomes: ["rejected", "accepted", "empty"],
    code: "invalid_body",
    field: "name",
  },
  "existing group: other name": {
    when: "the group exists, and its name differs",
    outcomes: ["kept", "replaced", "rejected"],
    code: "conflict",
    field: "name",
  },
  "existing group: other mapping": {
    when: "the group exists, and its mapping differs",
    outcomes: ["kept", "replaced", "merged", "rejected"],
    code: "conflict",
    field: "mapping",
    like: "existing group: other name",
  },
  "existing group: other properties": {
    when: "the group exists, and its properties differ",
    outcomes: ["kept", "replaced", "merged", "rejected"],
    code: "conflict",
    field: "properties",
    like: "existing group: other mapping",
    same: "existing group: other mapping",
  },
  "name of another group": {
    when: "another group of the team has the name",
    outcomes: yes,
    code: "conflict",
    field: "name",
  },
  created: { when: "get-or-create created the group", outcomes: [], isDocumented: true },
  found: {
    when: "get-or-create found the group, and may have changed it",
    outcomes: [],
    isDocumented: true,
  },

  // The groups: rotate.
  ...ofCode("unknown_token", {
    "current_token: other form": {
      when: "no group has the token, and its length is not that of a token of this world",
      outcomes: no,
      field: "current_token",
      like: "current_token: unknown",
    },
    "current_token: unknown": { when: "no group has the token", outcomes: never, field: "current_token" },
    "current_token: of the other team": {
      when: "a group of another team has the token",
      outcomes: no,
      field: "current_token",
      like: "current_token: unknown",
    },
    "current_token: previous": {
      when: "it is the token before the current one",
      outcomes: no,
      field: "current_token",
      like: "current_token: unknown",
    },
    "current_token: older": {
      when: "it is an older one of the group",
      outcomes: no,
      field: "current_token",
      like: "current_token: previous",
    },
  }),
  "rotated token": { when: "a rotation succeeds: the token of the group", outcomes: ["new", "same"] },
  rotated: { when: "a rotation succeeded", outcomes: [], isDocumented: true },
} as const satisfies Readonly<Record<string, Row>>;

/** @example "name: empty" */
export type SituationId = keyof typeof situations;

/** What the service can do in a situation. */
export type OutcomeOf<Id extends SituationId> = (typeof situations)[Id]["outcomes"][number];

export const situationIds = Object.keys(situations) as readonly SituationId[];

/** The situations of a body that no schema describes. */
export type BeyondId = {
  [Id in SituationId]: (typeof situations)[Id] extends { readonly isBeyond: true } ? Id : never;
}[SituationId];

export const beyondIds = situationIds.filter((id): id is BeyondId => rowOf(id).isBeyond === true);

/** A row, for code that handles every row in the same way. */
interface AnyRow extends Row {
  readonly like?: SituationId;
  readonly same?: SituationId;
}

export function rowOf(id: SituationId): AnyRow {
  return situations[id];
}

export function isSituation(name: string): name is SituationId {
  return Object.hasOwn(situations, name);
}

/** The default outcome. Undefined: the row is about a response only. */
export function defaultOutcome(id: SituationId): string | undefined {
  return rowOf(id).outcomes[0];
}

/** Whether the service can reject a request in this situation. */
export function canReject(id: SituationId): boolean {
  return rowOf(id).outcomes.includes("rejected");
}

/** Whether anything can be performed in this situation: otherwise it is always rejected. */
export function canPerform(id: SituationId): boolean {
  return rowOf(id).outcomes.some((outcome) => outcome !== "rejected");
}

/** The words with which a profile or a setting can say what the service does. "rejected" needs the limit, if there is one. */
export function wordsOf(id: SituationId): readonly string[] {
  const { outcomes, limit } = rowOf(id);
  if (limit !== undefined) return ["accepted"];
  const isPlainWord = canReject(id) && canPerform(id) && !outcomes.includes("accepted");
  return isPlainWord ? [...outcomes, "accepted"] : outcomes;
}

/**
 * The outcome that a word means. "accepted", where there are words for how: the default, or if that is a rejection, the
 * first other one.
 */
export function outcomeFor(id: SituationId, word: string): string {
  const { outcomes } = rowOf(id);
  if (word !== "accepted" || outcomes.includes("accepted")) return word;
  return outcomes.find((outcome) => outcome !== "rejected") ?? word;
}

/** The situations of requests that succeed, with their operations. */
export const successes = {
  created: "get-or-create",
  found: "get-or-create",
  rotated: "rotate",
} as const satisfies { readonly [Id in SituationId]?: string };

export type SuccessId = keyof typeof successes;

export function isSuccess(id: SituationId): id is SuccessId {
  return Object.hasOwn(successes, id);
}

/** What a profile can say of a situation besides a word: the name of a definition in `schemas/profile.json`. */
export type KnownShape = "rejection" | "success" | "word" | "common";

export function knownShape(id: SituationId): KnownShape {
  if (canReject(id)) return "rejection";
  if (isSuccess(id)) return "success";
  return wordsOf(id).length > 0 ? "word" : "common";
}

/** Whether it is about a key or a value in mapping or properties. Then `{field}` is that key. */
export function isOfMember(id: SituationId): boolean {
  return /^\w+ (?:key|value): /.test(id);
}

/** The kind of a JSON value, as the names of situations say it. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  return typeof value === "string" ? "text" : typeof value;
}

/** The first of these names that the table has. */
export function firstSituation(...names: readonly string[]): SituationId {
  const found = names.find(isSituation);
  if (found === undefined) throw new Error(`The table has no situation ${names[0]}.`);
  return found;
}
