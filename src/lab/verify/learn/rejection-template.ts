import { isDeepStrictEqual } from "node:util";
import { placeholders } from "../../../fake/contract/profile.js";
import { isOfMember, rowOf, type SituationId } from "../../../fake/contract/situations.js";
import { isObject } from "../../../foundation/json.js";
import { type Sent, sentField, wireBody } from "../service/exchanges.js";
import { example } from "./secrets.js";

/** Texts to replace, each with its placeholder. */
export type Replacements = readonly (readonly [text: string, placeholder: string])[];

/** A shorter text stands in too many others. */
const shortestReplaced = 4;

/** Replaces what was sent by placeholders, in texts. */
export function fillPlaceholders(text: string, replacements: Replacements): string {
  return replacements.reduce((before, [value, name]) => before.replaceAll(value, name), text);
}

/** The longest text first: it may have another one in it. */
export function longestFirst(replacements: Replacements): Replacements {
  return replacements
    .filter(([value]) => value.length >= shortestReplaced)
    .sort(([one], [other]) => other.length - one.length);
}

/** What of a request can stand in its response. */
export function sentReplacements(sent: Sent): Replacements {
  const found: [string, string][] = [];
  for (const name of ["user_group_id", "name", "current_token"]) {
    const value = sentField(sent, name);
    if (typeof value === "string") found.push([value, `{${name}}`]);
  }
  const body = wireBody(sent);
  if (typeof body === "string") found.push([body, "{body}"]);
  if (sent.path.includes("?")) found.push([sent.path, "{url}"]);
  found.push([sent.path.replace(/\?.*/s, ""), "{path}"]);
  return longestFirst(found);
}

/** The content of a rejection, with placeholders for what was sent and got wrong. */
export class RejectionTemplate {
  readonly #row: SituationId;
  readonly #sent: Sent;
  readonly #replacements: Replacements;
  /** The name of the field that is wrong, as the service may write it. */
  readonly #field: string | undefined;

  constructor(row: SituationId, sent: Sent) {
    this.#row = row;
    this.#sent = sent;
    this.#replacements = sentReplacements(sent);
    this.#field = wrongField(row, sent);
  }

  text(text: string): string {
    if (text === this.#field) return "{field}";
    if (hasBraces(text)) return example;
    const filled = fillPlaceholders(this.#withoutField(text), this.#replacements);
    const { code } = rowOf(this.#row);
    const isOfMethod = code === "not_found" || code === "method_not_allowed";
    return isOfMethod ? filled.replace(new RegExp(`\\b${this.#sent.method}\\b`, "g"), "{method}") : filled;
  }

  /** "name" is a word of many sentences: it is the field only at the beginning of a text, or between signs. */
  #withoutField(text: string): string {
    if (this.#field === undefined) return text;
    const between = `(?<=^|[/."'\`[;(])${this.#field}(?=$|[ "'\`\\]:&)])`;
    return text.replace(new RegExp(between, "g"), "{field}");
  }

  json(value: unknown): unknown {
    if (this.#isEcho(value)) return `{${rowOf(this.#row).field}}`;
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.json(one));
    if (!isObject(value)) return value;
    const fields = Object.entries(value).map(([key, one]) => [this.text(key), this.json(one)]);
    return Object.fromEntries(fields);
  }

  /** The value of the wrong field, as a whole: its placeholder keeps the type. */
  #isEcho(value: unknown): boolean {
    const { field } = rowOf(this.#row);
    if (field === undefined || field === "filename") return false;
    const sent = sentField(this.#sent, field);
    const isTelling = (typeof sent === "number" && sent > 6) || (typeof sent === "object" && sent !== null);
    return isTelling && isDeepStrictEqual(value, sent);
  }
}

/** Whether a text of the service would be taken for one with placeholders. */
export function hasBraces(text: string): boolean {
  return [...text.matchAll(/\{(\w+)(?:\|\[\])?\}/g)].some(([, word = ""]) =>
    Object.hasOwn(placeholders, word),
  );
}

/** What `{field}` stands for: a key in mapping or properties, an unknown field, or the field of the row. */
function wrongField(row: SituationId, sent: Sent): string | undefined {
  if (row.endsWith(": unknown field")) return "ugm_unknown";
  const { field } = rowOf(row);
  if (field === undefined || !isOfMember(row)) return field;
  const [key] = Object.keys(Object(sentField(sent, field)));
  // A short key of a sample is a number like any other.
  return key !== undefined && key.length >= shortestReplaced ? key : undefined;
}
