import { isDeepStrictEqual } from "node:util";
import { placeholders, wholePlaceholder } from "../../../fake/contract/response-names.js";
import type { JsonObject } from "../../../foundation/json.js";
import type { Named } from "../replay/name-responses.js";
import { type Recorded, type SentRequest, sentFields } from "../service/recorded.js";
import { mapLeaves } from "../text/json-leaves.js";
import { requestFieldNames } from "../text/request-fields.js";
import { example } from "../text/secrets.js";

// What was sent becomes a placeholder in the response. A short value may be in a response for another reason:
//
// - A value that is a whole value of the response: if its JSON has `minWhole` characters. {} and true are shorter.
// - A part of a text: if it has `minPart` characters, or is a path.
// - A word of a text, from `minWord` characters on: only if the service puts the field into its texts, which was seen from
//   a longer value.
// - The method and the name of a field: as words, always.

const minWhole = 5;
const minPart = 8;
const minWord = 3;

/** The placeholders for what a request sends. */
const ofRequests = Object.keys(placeholders).filter((name) => !placeholders[name]?.isOfGroup);

/**
 * A copy of a value of a response, without words in braces that would be placeholders in a profile: no profile can express
 * them as they are, such as a service that sends "at least {number}".
 */
export function withoutBraces(value: unknown): unknown {
  return mapLeaves(value, ({ value: leaf }) => (typeof leaf === "string" ? textWithoutBraces(leaf) : leaf));
}

export function textWithoutBraces(text: string): string {
  if (wholePlaceholder(text) !== undefined) return example;
  // {mapping} is a placeholder only as a whole text.
  return text.replace(/\{(\w+)\}/g, (braces, name: string) => {
    const isPlaceholder = Object.hasOwn(placeholders, name) && !placeholders[name]?.isObject;
    return isPlaceholder ? example : braces;
  });
}

export function hasPlaceholder(text: string): boolean {
  return textWithoutBraces(text) !== text;
}

/** What a rejected request sent, by the names of placeholders. */
export function sentValues({ request, wrongField }: Named): JsonObject {
  const fields = sentFields(request);
  // A profile has names such as `invalid_body.name` for the fields of the document. `{field}` is for all other fields.
  const field = wrongField !== undefined && requestFieldNames.has(wrongField) ? undefined : wrongField;
  return { ...fields, field, path: request.path.split("?")[0], method: request.method };
}

/**
 * Finds the values of groups, by the names of placeholders. For each success there are two sets, to be replaced one after
 * the other: with what its request sent, and with what was sent when the group was created. A service may show either.
 */
export function valuesByGroup(successes: readonly Recorded[]): (success: Recorded) => JsonObject[] {
  const createdWith = new Map<unknown, JsonObject>();
  for (const { request, response } of successes) {
    const id = response.group.provided_id;
    if (!createdWith.has(id)) createdWith.set(id, documentedFields(request));
  }
  return ({ request, response: { group } }) => {
    const shown = { user_group_id: group.provided_id, name: group.name };
    const created = createdWith.get(group.provided_id) ?? {};
    // What this request sent wins; for what is then left, what was sent when the group was created.
    return [
      { ...created, ...documentedFields(request), ...shown },
      { ...created, ...shown },
    ];
  };
}

/** Others are not known to a group: a sample may have a field with the name of another placeholder, such as `path`. */
function documentedFields(request: SentRequest): JsonObject {
  const fields = Object.entries(sentFields(request));
  return Object.fromEntries(fields.filter(([name]) => requestFieldNames.has(name)));
}

/** The fields that a service puts into its texts: a value that cannot be there by chance is in one. */
export function repeatedFields(entries: readonly Recorded[]): Set<string> {
  const isRepeated = (name: string) => {
    return entries.some(({ request, response }) => {
      const given = sentFields(request)[name];
      return isLongEnough(name, given) && response.text.includes(String(given));
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
  const fields = Object.entries(value).map(([name, inner]) => [
    replaceWord(name, sent.field, "{field}"),
    withPlaceholders(inner, sent, repeated),
  ]);
  return Object.fromEntries(fields);
}

function isDistinctive(value: unknown): boolean {
  return value !== undefined && JSON.stringify(value).length >= minWhole;
}

function textWithPlaceholders(text: string, sent: JsonObject, repeated: ReadonlySet<string>): string {
  let placed = text;
  for (const name of ofRequests) placed = replaceSent(placed, { name, value: sent[name], repeated });
  return placed;
}

interface SentValue {
  /** Of its placeholder. */
  readonly name: string;
  readonly value: unknown;
  readonly repeated: ReadonlySet<string>;
}

function replaceSent(text: string, { name, value, repeated }: SentValue): string {
  const placeholder = `{${name}}`;
  if (name === "method" || name === "field") return replaceWord(text, value, placeholder);
  // A function, because a text could have a meaning in it, such as $&.
  if (isLongEnough(name, value)) return text.replaceAll(String(value), () => placeholder);
  const isRepeatedWord = repeated.has(name) && String(value).length >= minWord;
  return isRepeatedWord ? replaceWord(text, value, placeholder) : text;
}

/** Whether a value is replaced wherever it stands in a text. */
function isLongEnough(name: string, value: unknown): boolean {
  const isText = typeof value === "string" || typeof value === "number";
  if (!isText || placeholders[name]?.isObject) return false;
  // A path has a slash, so it is not a part of a sentence by chance.
  const isPath = name === "path" && value !== "/";
  return isPath || String(value).length >= minPart;
}

function replaceWord(text: string, word: unknown, placeholder: string): string {
  if (typeof word !== "string" || !/^\w+$/.test(word)) return text;
  return text.replace(new RegExp(`\\b${word}\\b`, "g"), placeholder);
}
