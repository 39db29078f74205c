import { operationIds, operations } from "../../../fake/contract/operations.js";
import { namesSecret } from "../../../fake/world/journal/mask.js";
import { printable } from "../../../foundation/printable.js";
import { shippedSchemas } from "../../../generated/shipped-schemas.js";
import { type DecodedText, decodeText } from "./decode-text.js";

/** What stands for a secret in a profile. */
export const example = "example";

/** A part of a text: from its first character to before the second number. */
type Range = readonly [from: number, to: number];

/** The shortest token that is searched for: a shorter one is in too many words. */
const minLength = 3;

/** How much of a long token is searched for. A search for 30 kB such as "aaabaaa" takes seconds for each response. */
const maxBeginning = 100;

// A search with each of them takes linear time.

/** A word of this form, with a digit that is not 0, may be a key, a session, or the id of a request. */
const longWords = /[\w-]{16,}/g;
const webTokens = /(?<![\w-])eyJ[\w-]+\.[\w.-]+/g;
/** The password of a URL. */
const urlPasswords = /\/\/[^\s/?#@"'<>]{1,200}@/g;
/** The name of a field in a text that has JSON in it, or an object as Python, Ruby and PHP print it. */
const quotedNames = /(["'])([^"'\\]{1,100})\1\s{0,9}(?::|=>)\s{0,9}/g;
/** The name of a field of a query or an environment. */
const plainNames = /(?<![\w.-])([\w.-]{2,60})=/g;
const plainFieldValue = /[^\s&;,"'<>]+/y;

/**
 * Decides what may be a secret, for the profile and for everything that verify prints. It searches in linear time, and
 * with plain searches for tokens: a service may send long tokens and long texts.
 */
export class Secrets {
  /** Tokens in the forms that a text can have, before and after it is decoded, in lower case. */
  readonly #needles = new Set<string>();
  readonly #tokens = new Set<string>();
  /** Results by text: many responses of a service are equal. */
  #hidden = new Map<string, string>();

  /** @param apiTokens the service may know them in any form, such as a part of base64 */
  constructor(apiTokens: readonly string[]) {
    for (const token of apiTokens) {
      this.add(token);
      if (token.length < minLength) continue;
      for (const part of base64Parts(token)) this.#needles.add(lowerCase(part));
      this.#needles.add(Buffer.from(token).toString("hex"));
    }
  }

  /** Adds the token of a group. */
  add(token: string): void {
    if (token.length < minLength || this.#tokens.has(token)) return;
    this.#tokens.add(token);
    // A token may itself have escapes in it, such as %2F.
    for (const { text } of decodeText(token))
      if (text.length >= minLength) this.#needles.add(lowerCase(text));
    this.#needles.add(lowerCase(Buffer.from(token).toString("base64").replaceAll("=", "")));
    this.#hidden = new Map();
  }

  /** The text without what may be a secret. */
  hide(text: string, replacement = example): string {
    const key = `${replacement} ${text}`;
    let hidden = this.#hidden.get(key);
    if (hidden === undefined) {
      hidden = replaceRanges(text, this.#secretRanges(text), replacement);
      this.#hidden.set(key, hidden);
    }
    return hidden;
  }

  /** A text for the user, without secrets and control characters: a service may send back what it received. */
  show(text: string): string {
    return printable(this.hide(text, "[secret]"));
  }

  /** The places of secrets in a text. */
  #secretRanges(text: string): Range[] {
    const found: Range[] = [];
    const add = ({ starts }: DecodedText, ranges: readonly Range[]) => {
      for (const [from, to] of ranges) found.push([starts?.[from] ?? from, starts?.[to] ?? to]);
    };
    const fields = new SecretFields();
    const passes = decodeText(text);
    for (const decoded of passes) {
      add(decoded, this.#tokenRanges(decoded.text));
      add(decoded, fields.valuesIn(decoded));
    }
    const last = passes.at(-1) ?? passes[0];
    add(last, opaqueRanges(last.text));
    return found;
  }

  #tokenRanges(text: string): Range[] {
    const haystack = lowerCase(text);
    const found: Range[] = [];
    for (const needle of this.#needles) {
      const beginning = needle.slice(0, maxBeginning);
      let at = haystack.indexOf(beginning);
      while (at >= 0) {
        const end = endOfEqual(haystack, at, needle);
        found.push([at, end]);
        at = haystack.indexOf(beginning, end);
      }
    }
    return found;
  }
}

/** Where a text that begins as another one stops being equal to it. */
function endOfEqual(text: string, from: number, other: string): number {
  let length = 0;
  while (length < other.length && text[from + length] === other[length]) length++;
  return from + length;
}

/** What looks like a secret, whoever sent it. */
function opaqueRanges(text: string): Range[] {
  const found: Range[] = [];
  for (const { 0: word, index } of text.matchAll(longWords))
    if (/[1-9]/.test(word)) found.push([index, index + word.length]);
  for (const { 0: token, index } of text.matchAll(webTokens)) found.push([index, index + token.length]);
  for (const { 0: user, index } of text.matchAll(urlPasswords))
    found.push([index + 2, index + user.length - 1]);
  return [...found, ...plainFieldRanges(text)];
}

/** The values of secret fields of a query or an environment, also in the value of another one: url=/?password=… */
function plainFieldRanges(text: string): Range[] {
  const found: Range[] = [];
  let end = 0;
  for (const { 0: label, 1: name = "", index } of text.matchAll(plainNames)) {
    if (index < end || !isSecretField(name)) continue;
    const from = index + label.length;
    plainFieldValue.lastIndex = from;
    end = from + (plainFieldValue.exec(text)?.[0].length ?? 0);
    if (end > from) found.push([from, end]);
  }
  return found;
}

/** Finds the values of secret fields in a text that has JSON in it. */
class SecretFields {
  /** Where the fields begin that were found before more of the text was decoded: there, their quotes are in place. */
  readonly #found = new Set<number>();

  valuesIn({ text, starts }: DecodedText): Range[] {
    const ranges: Range[] = [];
    let end = 0;
    for (const { 0: label, 2: name = "", index } of text.matchAll(quotedNames)) {
      const start = starts?.[index] ?? index;
      // A field in the value of another one is skipped, so that the search takes linear time.
      if (index < end || !isSecretField(name) || this.#found.has(start)) continue;
      this.#found.add(start);
      const value = valueAt(text, index + label.length);
      ranges.push(value);
      end = value[1];
    }
    return ranges;
  }
}

const plainValue = /[^\s,}\]]*/y;

/** A value of JSON in a text: what is between its quotes or brackets. */
function valueAt(text: string, from: number): Range {
  if (isQuote(text[from])) return [from + 1, endOfString(text, from)];
  if (text[from] === "{" || text[from] === "[") return [from + 1, endOfBrackets(text, from)];
  plainValue.lastIndex = from;
  return [from, from + (plainValue.exec(text)?.[0].length ?? 0)];
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'";
}

/** Where the quote is that closes a string. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === text[from]) return at;
    if (text[at] === "\\") at++;
  }
  return text.length;
}

/** Where the bracket is that closes an object or a list. */
function endOfBrackets(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (isQuote(character)) at = endOfString(text, at);
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return at;
  }
  return text.length;
}

/** The fields of requests: in a rejection, they are the keys of messages about them. */
const fieldsOfRequests = new Set(
  operationIds.flatMap((id) => Object.keys(shippedSchemas[operations[id].request].properties)),
);

/** Whether the name of a field in a rejection suggests that its value is a secret. */
export function isSecretField(name: string): boolean {
  return !fieldsOfRequests.has(name) && namesSecret(name);
}

/**
 * The parts of a base64 text that a token in the middle of other text always has: three, because a group of base64 has
 * three bytes.
 */
function base64Parts(token: string): string[] {
  const bytes = Buffer.from(token);
  return [0, 1, 2].flatMap((skipped) => {
    const whole = bytes.subarray(skipped, bytes.length - ((bytes.length - skipped) % 3));
    // A short part is in too many words.
    if (whole.length < 6) return [];
    return [whole.toString("base64"), whole.toString("base64url")];
  });
}

/** Lower case of ASCII letters only, so that every character stays at its place. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function replaceRanges(text: string, ranges: readonly Range[], replacement: string): string {
  const sorted = [...ranges].sort(([one], [other]) => one - other);
  let result = "";
  let end = 0;
  for (const [from, to] of sorted) {
    if (to <= end) continue;
    // Ranges that overlap are one secret.
    if (from >= end) result += text.slice(end, from) + replacement;
    end = to;
  }
  return result + text.slice(end);
}
