import { isDeepStrictEqual } from "node:util";
import { placeholders } from "../../fake/contract/response-names.js";
import type { JsonObject } from "../../foundation/json.js";
import { type Recorded, type SentRequest, sentFields } from "./recorded.js";

/** Placeholders for what a request sends. */
const ofRequests = Object.keys(placeholders).filter((name) => !placeholders[name]?.isOfGroup);

/** A shorter text may be a part of a sentence for another reason. */
const minPart = 8;

/** A value whose JSON is shorter, such as {} or true, may be in a response for another reason. */
const minWhole = 5;

/** What a request sent, by the names of placeholders. */
export function sentValues(request: SentRequest): JsonObject {
  return { ...sentFields(request), path: request.path.split("?")[0], method: request.method };
}

/**
 * Each group of the run, by its id, with the fields that placeholders stand for. Where a request sent other values for a
 * group, both may be those of the group.
 */
export function groupValues(entries: readonly Recorded[]): (entry: Recorded) => JsonObject[] {
  const sent = new Map<unknown, JsonObject>();
  for (const { request, response } of entries) {
    const { provided_id } = response.group;
    if (response.isSuccess && !sent.has(provided_id)) sent.set(provided_id, sentFields(request));
  }
  return ({ request, response: { group } }) => {
    const shown = { user_group_id: group.provided_id, name: group.name };
    const created = sent.get(group.provided_id) ?? {};
    return [
      { ...created, ...sentFields(request), ...shown },
      { ...created, ...shown },
    ];
  };
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
  const whole = ofRequests.find((name) => isDistinctive(sent[name]) && isDeepStrictEqual(value, sent[name]));
  if (whole !== undefined) return `{${whole}}`;
  if (typeof value === "string") return textWithPlaceholders(value, sent, repeated);
  if (Array.isArray(value)) return value.map((inner) => withPlaceholders(inner, sent, repeated));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withPlaceholders(inner, sent, repeated)]),
  );
}

function isDistinctive(value: unknown): boolean {
  return value !== undefined && JSON.stringify(value).length >= minWhole;
}

function textWithPlaceholders(text: string, sent: JsonObject, repeated: ReadonlySet<string>): string {
  let placed = text;
  for (const name of ofRequests) {
    const given = sent[name];
    if (name === "method") placed = placed.replace(new RegExp(`\\b${sent.method}\\b`, "g"), "{method}");
    else if (isPart(name, given)) placed = placed.replaceAll(String(given), () => `{${name}}`);
    else if (repeated.has(name) && isShortWord(given)) placed = replaceWord(placed, given, `{${name}}`);
  }
  return placed;
}

/** Whether a value is replaced in the middle of a text, too. */
function isPart(name: string, value: unknown): boolean {
  if (placeholders[name]?.isObject || (typeof value !== "string" && typeof value !== "number")) return false;
  return String(value).length >= minPart || (name === "path" && value !== "/");
}

function isShortWord(value: unknown): value is string {
  return typeof value === "string" && /^\w{3,}$/.test(value);
}

function replaceWord(text: string, word: string, replacement: string): string {
  return text.replace(new RegExp(`\\b${word}\\b`, "g"), replacement);
}
