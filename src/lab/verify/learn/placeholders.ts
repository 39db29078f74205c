import { isDeepStrictEqual } from "node:util";
import { operationIds, operations } from "../../../fake/contract/operations.js";
import { placeholders, wholePlaceholder } from "../../../fake/contract/response-names.js";
import type { JsonObject } from "../../../foundation/json.js";
import { shippedSchemas } from "../../../generated/shipped-schemas.js";
import type { Named } from "../replay/play.js";
import { type Recorded, type SentRequest, sentFields } from "../service/recorded.js";
import { mapLeaves } from "../text/json-leaves.js";
import { example } from "../text/secrets.js";

const documented = new Set(
  operationIds.flatMap((id) => Object.keys(shippedSchemas[operations[id].request].properties)),
);

/** Placeholders for what a request sends. */
const ofRequests = Object.keys(placeholders).filter((name) => !placeholders[name]?.isOfGroup);

/** A shorter text may be a part of a sentence for another reason. */
const minPart = 8;

/** A shorter word of a field that the service repeats may be in a text for another reason. */
const minWord = 3;

/** A value whose JSON is shorter, such as {} or true, may be in a response for another reason. */
const minWhole = 5;

/**
 * A copy of a value of a response, without words in braces that would be placeholders in a profile: no profile can express
 * them as they are, such as a service that sends "at least {number}".
 */
export function withoutBraces(value: unknown): unknown {
  return mapLeaves(value, ({ value: leaf }) => (typeof leaf === "string" ? textWithoutBraces(leaf) : leaf));
}

export function textWithoutBraces(text: string): string {
  if (wholePlaceholder(text) !== undefined) return example;
  return text.replace(/\{(\w+)\}/g, (braces, name: string) => {
    const isPlaceholder = Object.hasOwn(placeholders, name) && !placeholders[name]?.isObject;
    return isPlaceholder ? example : braces;
  });
}

/** What a rejected request sent, by the names of placeholders. */
export function sentValues({ request, wrongField }: Named): JsonObject {
  const fields = sentFields(request);
  // The message about a field of the document belongs to that field.
  const field = wrongField !== undefined && documented.has(wrongField) ? undefined : wrongField;
  return { ...fields, field, path: request.path.split("?")[0], method: request.method };
}

/**
 * Each group of the run, by its id, with the fields that placeholders stand for. Where a request sent other values for a
 * group, both may be those of the group.
 */
export function groupValues(entries: readonly Recorded[]): (entry: Recorded) => JsonObject[] {
  const sent = new Map<unknown, JsonObject>();
  for (const { request, response } of entries) {
    const { provided_id } = response.group;
    if (response.isSuccess && !sent.has(provided_id)) sent.set(provided_id, documentedFields(request));
  }
  return ({ request, response: { group } }) => {
    const shown = { user_group_id: group.provided_id, name: group.name };
    const created = sent.get(group.provided_id) ?? {};
    return [
      { ...created, ...documentedFields(request), ...shown },
      { ...created, ...shown },
    ];
  };
}

/** Others are not known to a group: a sample may have a field with the name of another placeholder, such as `path`. */
function documentedFields(request: SentRequest): JsonObject {
  return Object.fromEntries(Object.entries(sentFields(request)).filter(([name]) => documented.has(name)));
}

/** The fields that a service repeats in its texts: those of which a long value is a part of one. */
export function repeatedFields(entries: readonly Recorded[]): Set<string> {
  const isRepeated = (name: string) => {
    return entries.some(({ request, response }) => {
      const given = sentFields(request)[name];
      return isPart(name, given) && response.text.includes(String(given));
    });
  };
  return new Set(ofRequests.filter(isRepeated));
}

const noFields: ReadonlySet<string> = new Set();

/**
 * A copy of a value of a response, with placeholders for what was sent.
 * @param repeated fields of which short values are replaced in texts, too
 */
export function withPlaceholders(
  value: unknown,
  sent: JsonObject,
  repeated: ReadonlySet<string> = noFields,
): unknown {
  const whole = ofRequests.find((name) => isDeepStrictEqual(value, sent[name]) && isDistinctive(value));
  if (whole !== undefined) return `{${whole}}`;
  if (typeof value === "string") return textWithPlaceholders(value, sent, repeated);
  if (Array.isArray(value)) return value.map((inner) => withPlaceholders(inner, sent, repeated));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      replaceWord(name, sent.field, "{field}"),
      withPlaceholders(inner, sent, repeated),
    ]),
  );
}

function isDistinctive(value: unknown): boolean {
  return value !== undefined && JSON.stringify(value).length >= minWhole;
}

function textWithPlaceholders(text: string, sent: JsonObject, repeated: ReadonlySet<string>): string {
  let placed = text;
  for (const name of ofRequests) {
    const given = sent[name];
    if (name === "method" || name === "field") placed = replaceWord(placed, given, `{${name}}`);
    else if (isPart(name, given)) placed = placed.replaceAll(String(given), () => `{${name}}`);
    else if (repeated.has(name) && String(given).length >= minWord)
      placed = replaceWord(placed, given, `{${name}}`);
  }
  return placed;
}

/** Whether a value is replaced in the middle of a text, too. */
function isPart(name: string, value: unknown): boolean {
  if (placeholders[name]?.isObject || (typeof value !== "string" && typeof value !== "number")) return false;
  return String(value).length >= minPart || (name === "path" && value !== "/");
}

function replaceWord(text: string, word: unknown, replacement: string): string {
  if (typeof word !== "string" || !/^\w+$/.test(word)) return text;
  return text.replace(new RegExp(`\\b${word}\\b`, "g"), replacement);
}
