import { isObject } from "../../foundation/json.js";
import { isTextPlaceholder, type WholePlaceholder, wholePlaceholder } from "../contract/profile.js";
import type { SituationId } from "../contract/situations.js";
import type { RequestContext } from "./result.js";

/** What a placeholder stands for. */
export type Given = (placeholder: string) => unknown;

/** A value of a profile, prepared at the start, that is filled in for each response. */
interface Template {
  /** The placeholders in it, each as often as it is used. */
  readonly uses: readonly string[];
  readonly fill: (given: Given) => unknown;
}

/** A response of the profile, prepared for sending. What is undefined is as in our own response. */
export interface PreparedResponse {
  /** The situation in the profile that has it. Undefined: only the headers that most responses have. */
  readonly from: SituationId | undefined;
  readonly status: number | undefined;
  readonly headers: readonly PreparedHeader[];
  /** The same without placeholders: most have none. */
  readonly fixedHeaders: Readonly<Record<string, string | null>> | undefined;
  /** Of JSON, or of text. */
  readonly content: { readonly isText: boolean; readonly template: Template } | undefined;
  /** The placeholders in it that can be long, each as often as it is used. */
  readonly uses: readonly string[];
  /** Without what placeholders stand for. */
  readonly length: number;
}

interface PreparedHeader {
  readonly name: string;
  /** null leaves one of ours out. */
  readonly value: Template | null;
}

/**
 * A JSON value with placeholders.
 * @param inKeys also in the names of fields. Not in a success, whose fields a profile cannot replace
 */
export function prepareValue(value: unknown, inKeys: boolean): Template {
  if (typeof value === "string") {
    const whole = wholePlaceholder(value);
    return whole === undefined ? prepareText(value) : prepareWhole(whole);
  }
  if (typeof value !== "object" || value === null) return { uses: [], fill: () => value };
  const members = Object.entries(value).map(([key, inner]) => ({
    key: inKeys && isObject(value) ? prepareText(key) : { uses: [], fill: () => key },
    value: prepareValue(inner, inKeys),
  }));
  const uses = members.flatMap((member) => [...member.key.uses, ...member.value.uses]);
  if (uses.length === 0) return { uses, fill: () => value };
  if (Array.isArray(value)) return { uses, fill: (given) => members.map((one) => one.value.fill(given)) };
  return {
    uses,
    fill: (given) => {
      const filled: Record<string, unknown> = {};
      for (const member of members) addField(filled, member.key.fill(given), member.value.fill(given));
      return filled;
    },
  };
}

/** A program can send a field that is called __proto__. `Object.fromEntries` takes five times as long. */
function addField(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") Object.defineProperty(target, name, { value, enumerable: true });
  else target[name] = value;
}

/** A placeholder that is the whole value keeps its JSON type. */
function prepareWhole({ name, hasEmptyList }: WholePlaceholder): Template {
  return {
    uses: [name],
    fill: (given) => {
      const filled = given(name) ?? null;
      const isEmpty = isObject(filled) && Object.keys(filled).length === 0;
      return hasEmptyList && isEmpty ? [] : filled;
    },
  };
}

interface TextTemplate extends Template {
  readonly fill: (given: Given) => string;
}

/** A text with placeholders. A word in braces that is none stays as it is. */
export function prepareText(text: string): TextTemplate {
  // Texts and names alternate.
  const parts = text.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return { text: part, name: undefined };
    return { text: `{${part}}`, name: isTextPlaceholder(part) ? part : undefined };
  });
  const uses = parts.flatMap(({ name }) => name ?? []);
  if (uses.length === 0) return { uses, fill: () => text };
  return {
    uses,
    fill: (given) => {
      let filled = "";
      for (const part of parts)
        filled += part.name === undefined ? part.text : placeholderText(given(part.name));
      return filled;
    },
  };
}

/** What is filled into a text. */
function placeholderText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** How many characters placeholders add to a response. */
function addedLength({ prepared: { uses }, given }: Share): number {
  let lengths: Map<string, number> | undefined;
  let sum = 0;
  for (const name of uses) {
    const value = given(name);
    // A number has at most 25 characters. A large object is written only once.
    const length = typeof value === "number" ? 25 : (lengths?.get(name) ?? placeholderText(value).length);
    if (uses.length > 1) lengths = (lengths ?? new Map()).set(name, length);
    sum += length;
  }
  return sum;
}

/** A response of the profile with its placeholders filled in. What is undefined is as in our own response. */
export interface FilledResponse {
  readonly from: SituationId | undefined;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | null>> | undefined;
  readonly content: FilledContent | undefined;
}

export interface FilledContent {
  /** Of JSON otherwise. */
  readonly isText: boolean;
  readonly value: unknown;
}

/** A response of the profile, and what its placeholders stand for. */
interface Share {
  readonly prepared: PreparedResponse;
  readonly given: Given;
}

/** In characters. A request can be as long as 100 kB, and a profile can repeat a part of it many times. */
const maxLength = 1_000_000;

/**
 * Fills a response in. It has no content if that would be too long, which a note says.
 * @param others whose bodies are joined with that of the first one
 */
export function fillResponse(
  first: Share,
  others: readonly Share[],
  request: Pick<RequestContext, "note">,
): FilledResponse {
  const { from, status, fixedHeaders } = first.prepared;
  if (lengthOf(first, others) > maxLength) {
    request.note(
      `the response of the profile would have more than ${maxLength} characters, so the mock's own was sent`,
    );
    return { from, status, headers: fixedHeaders && withoutType(fixedHeaders), content: undefined };
  }
  let content = fillContent(first);
  for (const other of others) {
    const more = fillContent(other);
    if (content?.isText === false && more?.isText === false)
      content = { isText: false, value: joinBodies(content.value, more.value) };
  }
  return { from, status, headers: fillHeaders(first), content };
}

/** What stands in the profile is as long as its author wants, but it is not repeated without end. */
function lengthOf(first: Share, others: readonly Share[]): number {
  let length = addedLength(first);
  if (others.length > 0) length += first.prepared.length;
  for (const other of others) length += other.prepared.length + addedLength(other);
  return length;
}

function fillContent({ prepared: { content }, given }: Share): FilledContent | undefined {
  return content && { isText: content.isText, value: content.template.fill(given) };
}

/** Two bodies in one: the fields of both objects, the items of both lists, and otherwise the first one. */
export function joinBodies(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  if (!isObject(one) || !isObject(other)) return one;
  const joined: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other))
    addField(joined, key, Object.hasOwn(one, key) ? joinBodies(one[key], value) : value);
  return joined;
}

/** In a header, what is filled in is percent-encoded where it is not visible ASCII. */
function fillHeaders({ prepared, given }: Share): FilledResponse["headers"] {
  const { headers, fixedHeaders } = prepared;
  if (headers.length === 0) return undefined;
  if (fixedHeaders !== undefined) return fixedHeaders;
  const encoded: Given = (name) => percentEncoded(placeholderText(given(name)));
  const filled: Record<string, string | null> = {};
  for (const { name, value } of headers) filled[name] = value === null ? null : String(value.fill(encoded));
  return filled;
}

function percentEncoded(text: string): string {
  // Most are.
  if (/^[!-~]*$/.test(text)) return text;
  // Half of a surrogate pair cannot be encoded.
  return text.replace(/\p{Surrogate}/gu, "\ufffd").replace(/[^!-~]+/g, encodeURIComponent);
}

/** The type of a body that is not sent. */
export function withoutType(headers: FilledResponse["headers"]): FilledResponse["headers"] {
  const { "Content-Type": _type, ...others } = headers ?? {};
  return others;
}
