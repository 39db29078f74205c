import { namesSecret } from "../../../fake/world/journal/mask.js";
import { type DecodedText, originalPlace, originalRange } from "./decode-text.js";
import { findCharacter } from "./find-character.js";
import { jsonValueRange } from "./json-value-range.js";
import { requestFieldNames } from "./request-fields.js";
import type { TextRange } from "./text-range.js";

/** A name before a value in JSON, or in an object as Python, Ruby and PHP print it: 'password' => */
const quotedNames = /(["'])(?<name>[^"'\\]{1,100})\1\s{0,9}(?::|=>)\s{0,9}/g;

/** A name before a value in a query or an environment: password= */
const plainNames = /(?<![\w.-])(?<name>[\w.-]{2,60})=/g;

/** What follows a value in a query or an environment. */
const afterPlainValue = /[\s&;,"'<>]/;

/**
 * Whether the name of a field in a rejection suggests that its value is a secret. That of a field of requests does not: it
 * is the key of the messages about the field, such as {"errors": {"current_token": ["is required"]}}.
 */
export function isSecretField(name: string): boolean {
  return !requestFieldNames.has(name) && namesSecret(name);
}

/**
 * The values of secret fields of JSON that is in a text, as ranges of the original text. The JSON may be escaped, for
 * example because the service sends it as a string of other JSON:
 *
 *     original text:  {\"password\":\"ab\\\"cd\"}
 *     after pass 1:   {"password":"ab\"cd"}
 *     after pass 2:   {"password":"ab"cd"}
 *
 * Only after pass 1, the value ends at the right quote: the quotes around it are decoded, and the one in it is not yet.
 * This is the first text that has the name between quotes. So the value is taken from the first text in which the field
 * is found, and not from later ones. The place of the field in the original text tells whether it was found before.
 *
 * @param texts the original text, and the text after each pass
 */
export function quotedFieldValues(texts: readonly DecodedText[]): TextRange[] {
  const found = new Map<number, TextRange>();
  for (const decoded of texts) {
    let end = 0;
    for (const match of decoded.text.matchAll(quotedNames)) {
      // A field in the value of another secret field is a part of it. Searching each of them would take quadratic time.
      if (match.index < end || !isSecretField(match.groups?.name ?? "")) continue;
      const place = originalPlace(decoded, match.index);
      if (found.has(place)) continue;
      const value = jsonValueRange(decoded.text, match.index + match[0].length);
      found.set(place, originalRange(decoded, value));
      end = value.to;
    }
  }
  return [...found.values()];
}

/**
 * The values of secret fields of a query or an environment that is in a text. It may be the value of another field:
 * url=/?password=…
 */
export function plainFieldValues(text: string): TextRange[] {
  const found: TextRange[] = [];
  let end = 0;
  for (const match of text.matchAll(plainNames)) {
    // As above, a field in the value of another secret field is a part of it.
    if (match.index < end || !isSecretField(match.groups?.name ?? "")) continue;
    const from = match.index + match[0].length;
    end = findCharacter(text, from, afterPlainValue);
    if (end > from) found.push({ from, to: end });
  }
  return found;
}
