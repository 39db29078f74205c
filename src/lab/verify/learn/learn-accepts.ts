import { operationIds } from "../../../fake/contract/operations.js";
import type { Operation } from "../../../generated/types.js";
import { type ObjectField, objectFields, valueTypes } from "../ask/contents.js";
import type { FoundLength } from "../ask/find-length.js";
import { exampleId, type IdCharacters } from "../ask/id-characters.js";
import type { OtherIds } from "../ask/other-ids.js";
import type { Answers } from "../ask/questions.js";
import { type VariationKind, variations } from "../ask/variations.js";
import type { Answer } from "../service/service-client.js";

/** A field of a body. Empty: the body itself. */
interface FieldPlace {
  readonly operation: Operation;
  readonly field: string;
}

/** One keyword of `accepts`, as this run has observed it. */
export interface ObservedRule extends FieldPlace {
  readonly keyword: string;
  /** Undefined: the service has no such rule. */
  readonly value: unknown;
  /** Of a length: the shortest that was rejected, if the limit may be higher than `value`. */
  readonly below?: number;
  /** Of a length, if none was rejected: the longest that was accepted. There may be a limit above it. */
  readonly from?: number;
  /** Of a pattern: texts that were tried. There may be another pattern that says the same of them. */
  readonly tried?: { readonly accepted: readonly string[]; readonly rejected: readonly string[] };
}

const body = (operation: Operation): FieldPlace => ({ operation, field: "" });
const created = (field: string): FieldPlace => ({ operation: "get-or-create", field });

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
    ...typeRule(answers, created("user_group_id"), "string"),
    ...limitRule(answers.get("user_group_id: long"), created("user_group_id"), "maxLength"),
    ...idPattern(answers),
    ...typeRule(answers, created("name"), "string"),
    ...shortNameRules(answers),
    ...limitRule(answers.get("name: long"), created("name"), "maxLength"),
    ...objectFields.flatMap((field) => [
      ...typeRule(answers, created(field), "object"),
      ...contentsRule(answers, field),
      ...limitRule(answers.get(`${field}: many keys`), created(field), "maxProperties"),
    ]),
    ...keyRule(answers),
  ],
  rotate: (answers) => {
    const filename: FieldPlace = { operation: "rotate", field: "filename" };
    return [
      ...typeRule(answers, filename, "string"),
      ...emptyRule(answers, filename),
      ...limitRule(answers.get("filename: long"), filename, "maxLength"),
    ];
  },
};

function requiredRule(answers: Answers): ObservedRule[] {
  const value = answers.get("fields that are required")?.value;
  return value === undefined ? [] : [{ ...body("get-or-create"), keyword: "required", value }];
}

function extraFieldRule(answers: Answers, operation: Operation): ObservedRule[] {
  const value = isAccepted(answers, { operation, field: "verify_field" }, "extra");
  return value === undefined ? [] : [{ ...body(operation), keyword: "additionalProperties", value }];
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
function typeRule(answers: Answers, place: FieldPlace, usual: string): ObservedRule[] {
  const types = [usual];
  for (const kind of kindsAsked(place)) {
    const type = typeOfKind[kind];
    if (type === undefined) continue;
    const isTypeAccepted = isAccepted(answers, place, kind);
    if (isTypeAccepted === undefined) return [];
    if (isTypeAccepted) types.push(type);
  }
  return [{ ...place, keyword: "type", value: types.length === 1 ? usual : types }];
}

function kindsAsked({ operation, field }: FieldPlace): Set<VariationKind> {
  const asked = variations.filter((one) => one.operation === operation && one.field === field);
  return new Set(asked.map(({ kind }) => kind));
}

/** Whether a variation is accepted, by a new group or by one that exists. Undefined if that is not known. */
function isAccepted(
  answers: Answers,
  { operation, field }: FieldPlace,
  kind: VariationKind,
): boolean | undefined {
  const asked = variations.filter(
    (one) => one.operation === operation && one.field === field && one.kind === kind,
  );
  const values = asked.map((one) => answers.ofVariation(one)?.value);
  if (values.includes(true)) return true;
  return values.length > 0 && values.every((value) => value === false) ? false : undefined;
}

function emptyRule(answers: Answers, place: FieldPlace): ObservedRule[] {
  const isEmptyAccepted = isAccepted(answers, place, "empty");
  if (isEmptyAccepted === undefined) return [];
  return [{ ...place, keyword: "minLength", value: isEmptyAccepted ? 0 : 1 }];
}

/** A name can also have to be longer than one character, or have to be more than white space. */
function shortNameRules(answers: Answers): ObservedRule[] {
  const place = created("name");
  const [empty] = emptyRule(answers, place);
  if (empty === undefined) return [];
  const isEmptyAccepted = empty.value === 0;
  const shortest = answers.get("name: short")?.value ?? 1;
  const minLength = { ...empty, value: isEmptyAccepted ? 0 : shortest };
  const isBlankAccepted = isAccepted(answers, place, "blank");
  if (isBlankAccepted === undefined) return [minLength];
  // An empty name does not match the pattern either.
  const hasPattern = !isBlankAccepted && !isEmptyAccepted;
  const tried = { accepted: isBlankAccepted ? ["   "] : [], rejected: hasPattern ? ["   "] : [] };
  return [minLength, { ...place, keyword: "pattern", value: hasPattern ? "\\S" : undefined, tried }];
}

function limitRule(
  answer: Answer<FoundLength> | undefined,
  place: FieldPlace,
  keyword: "maxLength" | "maxProperties",
): ObservedRule[] {
  if (answer?.value === undefined) return [];
  const { accepted, rejected } = answer.value;
  if (rejected === undefined) return [{ ...place, keyword, value: undefined, from: accepted }];
  const isExact = rejected === accepted + 1;
  return [{ ...place, keyword, value: accepted, ...(!isExact && { below: rejected }) }];
}

/** Which characters an id may have, and where. */
function idPattern(answers: Answers): ObservedRule[] {
  const ids = answers.get("id-matching")?.value;
  if (ids === undefined) return [];
  const characters = answers.get("user_group_id: characters")?.value ?? { accepted: [], rejected: [] };
  const similar = [
    ["UGM-A1", ids.capitals],
    ["ugm-a1 ", ids.space],
  ] as const;
  const similarIds = (isRejected: boolean) =>
    similar.filter(([, found]) => (found === "rejected") === isRejected).map(([id]) => id);
  const tried = {
    accepted: ["ugm-a1", ...similarIds(false), ...characters.accepted.map(exampleId)],
    rejected: [...similarIds(true), ...characters.rejected.map(exampleId)],
  };
  const value = idExpression(ids, characters);
  return [{ ...created("user_group_id"), keyword: "pattern", value, tried }];
}

/** Undefined if all ids are accepted. */
function idExpression(
  { capitals, space }: OtherIds,
  { accepted, rejected }: IdCharacters,
): string | undefined {
  const isEndRejected = space === "rejected";
  const isSpaceAccepted = accepted.includes(" ");
  const excluded = [
    capitals === "rejected" ? "A-Z" : "",
    isEndRejected && !isSpaceAccepted ? "\\s" : "",
    ...rejected.filter((one) => one !== " " || !isEndRejected),
  ].join("");
  // Another rule can hold at the end: a space that is accepted within an id is rejected there, or the reverse.
  const isOnlyEndRejected = isEndRejected && isSpaceAccepted;
  const isTrimmed = !isEndRejected && rejected.includes(" ");
  const end = isOnlyEndRejected ? "(?<!\\s)" : isTrimmed ? " *" : "";
  if (excluded === "") return end === "" ? undefined : `${end}$`;
  return `^[^${excluded}]*${end}$`;
}

function contentsRule(answers: Answers, field: ObjectField): ObservedRule[] {
  const types = answers.get(`${field}: values`)?.value;
  if (types === undefined) return [];
  const isEveryType = types.length === valueTypes(field).length;
  const type = types.length === 1 ? types[0] : types;
  return [{ ...created(field), keyword: "additionalProperties", value: isEveryType ? true : { type } }];
}

/** Schema ids that are numbers in the document. */
function keyRule(answers: Answers): ObservedRule[] {
  const areWordsAccepted = answers.get("mapping: a word as key")?.value;
  if (areWordsAccepted === undefined) return [];
  const value = areWordsAccepted ? undefined : { pattern: "^[0-9]+$" };
  return [{ ...created("mapping"), keyword: "propertyNames", value }];
}
