import { isDeepStrictEqual } from "node:util";
import { operationIds } from "../../../fake/contract/operations.js";
import { isObject, type JsonObject } from "../../../foundation/json.js";
import type { Accepts, Operation } from "../../../generated/types.js";
import { type ObjectField, objectFields, type ValueType, valueTypes } from "../ask/contents.js";
import type { FoundLength } from "../ask/lengths.js";
import type { OtherIds } from "../ask/probes.js";
import { type VariationKind, variationName, variations } from "../ask/variations.js";
import type { Answer } from "../service/service-client.js";

/** One keyword of `accepts`, as this run has observed it. */
export interface ObservedRule {
  readonly operation: Operation;
  /** Of the body. Empty for a keyword of the body itself. */
  readonly field: string;
  readonly keyword: string;
  /** Undefined: the service has no such rule. */
  readonly value: unknown;
  /** Of a length: the shortest that was rejected, if the limit may be higher than `value`. */
  readonly below?: number;
}

/** Answers by the name of their question. */
export type Answers = ReadonlyMap<string, Answer>;

/** The names of questions that are not in the tables of variations and of behaviour. */
export const lengthQuestion = (field: string) => `${field}: long`;
export const shortestQuestion = "name: short";
export const contentsQuestion = (field: ObjectField) => `${field}: values`;
export const keyCountQuestion = (field: ObjectField) => `${field}: many keys`;
export const wordAsKeyQuestion = "mapping: a word as key";
export const requiredQuestion = "fields that are required";

/** What the bodies of the service may contain. What is known of one field is never said of another. */
export function observeRules(answers: Answers): ObservedRule[] {
  return operationIds.flatMap((operation) => [
    ...extraFieldRule(answers, operation),
    ...fieldRules[operation](answers),
  ]);
}

const fieldRules: Readonly<Record<Operation, (answers: Answers) => ObservedRule[]>> = {
  "get-or-create": (answers) => [
    ...requiredRule(answers),
    ...typeRule(answers, "get-or-create", "user_group_id", "string"),
    ...limitRule(answers.get(lengthQuestion("user_group_id")), "user_group_id", "maxLength"),
    ...idPattern(answers),
    ...typeRule(answers, "get-or-create", "name", "string"),
    ...emptyRules(answers, "get-or-create", "name"),
    ...limitRule(answers.get(lengthQuestion("name")), "name", "maxLength"),
    ...objectFields.flatMap((field) => [
      ...typeRule(answers, "get-or-create", field, "object"),
      ...contentsRule(answers, field),
      ...limitRule(answers.get(keyCountQuestion(field)), field, "maxProperties"),
    ]),
    ...keyRule(answers),
  ],
  rotate: (answers) => [
    ...typeRule(answers, "rotate", "filename", "string"),
    ...emptyRules(answers, "rotate", "filename"),
    ...limitRule(answers.get(lengthQuestion("filename")), "filename", "maxLength", "rotate"),
  ],
};

/** The observed rules as a profile has them, over those of an earlier one. */
export function writeAccepts(rules: readonly ObservedRule[], earlier: Accepts = {}): Accepts {
  let accepts: JsonObject = { ...earlier };
  for (const { operation, field, keyword, value } of rules) {
    const place = field === "" ? [operation] : [operation, "properties", field];
    accepts = withKeyword(accepts, place, keyword, value);
  }
  // Each rule has a keyword and a value that the schema of profiles allows.
  return accepts as Accepts;
}

/** The value of a keyword in a profile. */
export function ruleIn(
  accepts: Accepts,
  { operation, field, keyword }: Pick<ObservedRule, "operation" | "field" | "keyword">,
): unknown {
  const body: JsonObject = { ...accepts[operation] };
  const fields = isObject(body.properties) ? body.properties : {};
  const place = field === "" ? body : fields[field];
  return isObject(place) ? place[keyword] : undefined;
}

function withKeyword(
  object: JsonObject,
  place: readonly string[],
  keyword: string,
  value: unknown,
): JsonObject {
  const [name, ...deeper] = place;
  if (name !== undefined) {
    const inner = isObject(object[name]) ? object[name] : {};
    const changed = withKeyword(inner, deeper, keyword, value);
    const { [name]: _, ...others } = object;
    return Object.keys(changed).length === 0 ? others : { ...object, [name]: changed };
  }
  const { [keyword]: _, ...others } = object;
  return value === undefined ? others : { ...others, [keyword]: value };
}

function requiredRule(answers: Answers): ObservedRule[] {
  const value = answers.get(requiredQuestion)?.value;
  return value === undefined ? [] : [{ operation: "get-or-create", field: "", keyword: "required", value }];
}

function extraFieldRule(answers: Answers, operation: Operation): ObservedRule[] {
  const value = isAccepted(answers, operation, "verify_field", "extra");
  return value === undefined ? [] : [{ operation, field: "", keyword: "additionalProperties", value }];
}

/** What `accepts` can say about each kind of value. An object in place of a text is beyond it. */
const typeOfKind: Readonly<Partial<Record<VariationKind, string>>> = {
  null: "null",
  number: "number",
  boolean: "boolean",
  text: "string",
  list: "array",
};

/** Written once all kinds are known: a type that is missing in the list is rejected. */
function typeRule(answers: Answers, operation: Operation, field: string, usual: string): ObservedRule[] {
  const asked = variations.filter((one) => one.operation === operation && one.field === field);
  const types = [usual];
  for (const { kind } of asked) {
    const type = typeOfKind[kind];
    if (type === undefined || types.includes(type)) continue;
    const isTypeAccepted = isAccepted(answers, operation, field, kind);
    if (isTypeAccepted === undefined) return [];
    if (isTypeAccepted) types.push(type);
  }
  return [{ operation, field, keyword: "type", value: types.length === 1 ? usual : types }];
}

/** Whether a variation is accepted, by a new group or by one that exists. Undefined if that is not known. */
function isAccepted(
  answers: Answers,
  operation: Operation,
  field: string,
  kind: VariationKind,
): boolean | undefined {
  const asked = variations.filter(
    (one) => one.operation === operation && one.field === field && one.kind === kind,
  );
  const values = asked.map((one) => answers.get(variationName(one))?.value);
  if (values.includes(true)) return true;
  return values.length > 0 && values.every((value) => value === false) ? false : undefined;
}

function emptyRules(answers: Answers, operation: Operation, field: string): ObservedRule[] {
  const isEmptyAccepted = isAccepted(answers, operation, field, "empty");
  if (isEmptyAccepted === undefined) return [];
  const shortest = field === "name" ? answers.get(shortestQuestion)?.value : undefined;
  const minLength = { operation, field, keyword: "minLength", value: isEmptyAccepted ? 0 : (shortest ?? 1) };
  const isBlankAccepted = isAccepted(answers, operation, field, "blank");
  if (isBlankAccepted === undefined) return [minLength];
  const hasPattern = !isEmptyAccepted && !isBlankAccepted;
  return [minLength, { operation, field, keyword: "pattern", value: hasPattern ? "\\S" : undefined }];
}

function limitRule(
  answer: Answer | undefined,
  field: string,
  keyword: "maxLength" | "maxProperties",
  operation: Operation = "get-or-create",
): ObservedRule[] {
  const found = answer?.value as FoundLength | undefined;
  if (found === undefined) return [];
  const { accepted, rejected } = found;
  const rule = { operation, field, keyword };
  if (rejected === undefined) return [{ ...rule, value: undefined }];
  return [{ ...rule, value: accepted, ...(rejected > accepted + 1 && { below: rejected }) }];
}

/** Characters that an id may not have. */
function idPattern(answers: Answers): ObservedRule[] {
  const ids = answers.get("id-matching")?.value as OtherIds | undefined;
  if (ids === undefined) return [];
  const { capitals, space } = ids;
  const excluded = `${capitals === "rejected" ? "A-Z" : ""}${space === "rejected" ? "\\s" : ""}`;
  const value = excluded === "" ? undefined : `^[^${excluded}]*$`;
  return [{ operation: "get-or-create", field: "user_group_id", keyword: "pattern", value }];
}

function contentsRule(answers: Answers, field: ObjectField): ObservedRule[] {
  const types = answers.get(contentsQuestion(field))?.value as readonly ValueType[] | undefined;
  if (types === undefined) return [];
  const type = types.length === 1 ? types[0] : types;
  const value = types.length === valueTypes(field).length ? true : { type };
  return [{ operation: "get-or-create", field, keyword: "additionalProperties", value }];
}

/** Schema ids that are numbers in the document. */
function keyRule(answers: Answers): ObservedRule[] {
  const areWordsAccepted = answers.get(wordAsKeyQuestion)?.value;
  if (areWordsAccepted === undefined) return [];
  const value = areWordsAccepted === true ? undefined : { pattern: "^[0-9]+$" };
  return [{ operation: "get-or-create", field: "mapping", keyword: "propertyNames", value }];
}

/** Whether two values of a keyword say the same: the order of a list has no meaning. */
export function isSameRule(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(sorted(one), sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(String).sort();
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sorted(inner)]));
}
