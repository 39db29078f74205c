import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { Operation } from "../../generated/types.js";
import { inEachOperation, serviceFailures } from "./failures.js";
import { operationIds, operations } from "./operations.js";
import type { SchemaProblem } from "./schemas.js";

/** The responses to requests that succeed. They follow from the operation and from `new_user_group`. */
export const successes = {
  created: { operation: "get-or-create", when: "get-or-create created a group" },
  found: { operation: "get-or-create", when: "get-or-create found the group, and may have updated it" },
  rotated: { operation: "rotate", when: "rotate succeeded" },
} as const;

export type SuccessName = keyof typeof successes;

type NameWith<O extends Operation> = {
  [Name in SuccessName]: (typeof successes)[Name]["operation"] extends O ? Name : never;
}[SuccessName];

/** The names of these responses, by operation. */
export type SuccessNames = { readonly [O in Operation]: NameWith<O> };

/** Undefined for the name of a failure. */
export function successOf(name: string): (typeof successes)[SuccessName] | undefined {
  return Object.hasOwn(successes, name) ? successes[name as SuccessName] : undefined;
}

/** How a field of a body can be wrong. The first that applies names the response. */
const fieldKinds = {
  missing: "it is missing",
  null: "it is null",
  type: "its type is wrong",
  empty: "it is empty",
  long: "it is too long, or has too many keys",
  value: "a key or a value in it is wrong",
  format: "it breaks another rule",
} as const;

type FieldKind = keyof typeof fieldKinds;

const kindOrder = Object.keys(fieldKinds) as readonly FieldKind[];

/** The kinds that fall back to another kind before they fall back to the wider name. */
const nextKind: Readonly<Record<string, string>> = { null: "type", malformed: "unknown" };

/** What can be wrong with each field of a request. */
function kindsOf(field: string, schema: { readonly type: string }): readonly FieldKind[] {
  const always = ["missing", "null", "type"] as const;
  if (schema.type === "object")
    return [
      ...always,
      "long",
      "additionalProperties" in schema && isObjectOfTexts(schema) ? "value" : "format",
    ];
  // The mock issues tokens: a profile has no rules about their form.
  return field === "current_token" ? [...always, "empty"] : [...always, "empty", "long", "format"];
}

function isObjectOfTexts({ additionalProperties }: { readonly additionalProperties?: unknown }): boolean {
  return typeof additionalProperties === "object";
}

/**
 * Every response that a profile can describe, with when it is sent. A response without a name of its own in the profile
 * falls back to the wider one: `invalid_body.name.null`, `invalid_body.name.type`, `invalid_body.name`, `invalid_body`.
 */
export const responseNames: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(successes).map(([name, { when }]) => [name, when]),
  ...Object.entries(serviceFailures).flatMap(([code, { when, ...row }]) => {
    const kinds = "kinds" in row ? Object.entries(row.kinds) : code === "invalid_body" ? bodyKinds() : [];
    return [[code, when], ...kinds.map(([kind, whenKind]) => [`${code}.${kind}`, whenKind])];
  }),
]);

/** The name that a response falls back to, or an empty text. */
export function widerName(name: string): string {
  const [, wider = "", last = ""] = /^(?:(.*)\.)?([^.]*)$/.exec(name) ?? [];
  const next = nextKind[last];
  return next === undefined || wider === "" ? wider : `${wider}.${next}`;
}

/** The kinds of `invalid_body`: by the first field that is wrong, in the order of the schema. */
function bodyKinds(): string[][] {
  const ofFields = operationIds.flatMap((id) => {
    const { properties } = shippedSchemas[operations[id].request];
    return Object.entries(properties).flatMap(([field, schema]) => [
      [field, `\`${field}\` is the first field that is wrong`],
      ...kindsOf(field, schema).map((kind) => [`${field}.${kind}`, fieldKinds[kind]]),
    ]);
  });
  return [
    ...ofFields,
    ...ofEachOperation("unknown", "a field is not in the interface, and no other field is wrong"),
    ...ofEachOperation("type", "the body is not an object"),
  ];
}

/** A kind, and a narrower one for each operation. */
function ofEachOperation(kind: string, when: string): string[][] {
  return [[kind, when], ...Object.entries(inEachOperation).map(([id, where]) => [`${kind}.${id}`, where])];
}

/** What is wrong with a body first, in the order of the document. */
export interface BodyMistake {
  /** The kind of `invalid_body`. */
  readonly kind: string;
  /** A JSON pointer to the field that is wrong, or to the key in it. Undefined: the body is not an object. */
  readonly path?: string | undefined;
}

/**
 * Fields come in the order of the request's schema: user_group_id, name, mapping, properties.
 * @param valueAt the value of a field
 */
export function firstMistake(
  operation: Operation,
  problems: readonly SchemaProblem[],
  valueAt: (field: string) => unknown,
): BodyMistake {
  const fields = Object.keys(shippedSchemas[operations[operation].request].properties);
  // A body that is not an object has a problem at the root, and no other.
  let first: BodyMistake = { kind: `type.${operation}` };
  let firstRank = Number.POSITIVE_INFINITY;
  for (const problem of problems) {
    const { path } = problem;
    if (path === "") continue;
    const field = topFieldIn(path);
    const place = fields.indexOf(field);
    const kind = place < 0 ? undefined : fieldKind(problem, field, valueAt(field));
    // An unknown field comes after all others.
    const rank = (kind === undefined ? fields.length : place) * kindOrder.length + kindRank(kind);
    if (rank >= firstRank) continue;
    firstRank = rank;
    first = { kind: kind === undefined ? `unknown.${operation}` : `${field}.${kind}`, path };
  }
  return first;
}

/**
 * The field of the body that a JSON pointer leads into, if the interface has it: no such field has a `~` in its name. To
 * decode the pointer would take more than 1 % of a rejected request.
 */
function topFieldIn(path: string): string {
  const end = path.indexOf("/", 1);
  return end < 0 ? path.slice(1) : path.slice(1, end);
}

function kindRank(kind: FieldKind | undefined): number {
  return kind === undefined ? 0 : kindOrder.indexOf(kind);
}

function fieldKind({ keyword, path }: SchemaProblem, field: string, value: unknown): FieldKind {
  if (path !== `/${field}`) return field === "mapping" ? "value" : "format";
  switch (keyword) {
    case "required":
      return "missing";
    case "type":
      return value === null ? "null" : "type";
    case "minLength":
      return value === "" ? "empty" : "format";
    case "maxLength":
    case "maxProperties":
      return "long";
    default:
      return "format";
  }
}

/** What a placeholder of a profile stands for. */
interface Placeholder {
  /** An object, which is a whole value and never a part of a text. */
  readonly isObject?: true;
  /** Only the response to a success has it: it belongs to the group. */
  readonly isOfGroup?: true;
  /** Only the response to a failure has it: it belongs to what is wrong. */
  readonly isOfMistake?: true;
}

const requestFields = Object.entries(shippedSchemas["get-or-create.request.json"].properties);

/** Every placeholder, by name. */
export const placeholders: Readonly<Record<string, Placeholder>> = Object.fromEntries([
  ...["path", "method", "current_token"].map((name) => [name, {}]),
  ...requestFields.map(([name, { type }]) => [name, type === "object" ? { isObject: true } : {}]),
  ...["number", "uuid"].map((name) => [name, { isOfGroup: true }]),
  ["field", { isOfMistake: true }],
]);

/** The placeholder that a text consists of, and nothing else. */
export function wholePlaceholder(text: string): string | undefined {
  const [, name = ""] = /^\{(\w+)\}$/.exec(text) ?? [];
  return Object.hasOwn(placeholders, name) ? name : undefined;
}

/** The Content-Type of a text, unless headers have one. */
export function textType(text: string): string {
  return `text/${text.trimStart().startsWith("<") ? "html" : "plain"}; charset=utf-8`;
}
