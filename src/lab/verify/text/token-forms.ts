import { decodeText } from "./decode-text.js";
import type { TextRange } from "./text-range.js";

/** The length of the shortest token that is searched for: a shorter one is in too many words. */
const minLength = 3;

/** The same for a part of a token in base64, in bytes of the token. */
const minBytes = 6;

/** How much of a long form is searched for. A search for 30 kB such as "aaabaaa" takes seconds for each response. */
const maxBeginning = 100;

/** The forms that a text can have a token in, in lower case. None if the token is too short. */
export function tokenForms(token: string): string[] {
  if (token.length < minLength) return [];
  // A token may itself have escapes in it, such as %2F, which a text has or has no longer.
  const texts = decodeText(token).map(({ text }) => text);
  const base64 = Buffer.from(token).toString("base64").replaceAll("=", "");
  return [...texts.filter((text) => text.length >= minLength), base64].map(lowerCase);
}

/**
 * The forms of a token in a longer text that was encoded as a whole, in lower case: "user:token" in base64, or in
 * hexadecimal digits. None if the token is too short.
 */
export function tokenFormsWithin(token: string): string[] {
  if (token.length < minLength) return [];
  return [...base64Parts(token), Buffer.from(token).toString("hex")].map(lowerCase);
}

/** Where a text has one of these forms, in any case, or the beginning of a long one: a service may cut a text. */
export function findForms(text: string, forms: ReadonlySet<string>): TextRange[] {
  const searched = lowerCase(text);
  return [...forms].flatMap((form) => findForm(searched, form));
}

function findForm(text: string, form: string): TextRange[] {
  const found: TextRange[] = [];
  const beginning = form.slice(0, maxBeginning);
  let from = text.indexOf(beginning);
  while (from >= 0) {
    const to = endOfEqual(text, from, form);
    found.push({ from, to });
    from = text.indexOf(beginning, to);
  }
  return found;
}

/** Where a text stops being equal to a form that begins at `from`. */
function endOfEqual(text: string, from: number, form: string): number {
  let length = 0;
  while (length < form.length && text[from + length] === form[length]) length++;
  return from + length;
}

/**
 * What the base64 of a text with this token has in it. Base64 writes each three bytes as four characters. The token may
 * begin at any of the three bytes, so there is one part for each of these cases.
 */
function base64Parts(token: string): string[] {
  const bytes = Buffer.from(token);
  return [0, 1, 2].flatMap((skipped) => {
    // The bytes before and after the whole threes share their characters with bytes of the other text.
    const wholeThrees = bytes.subarray(skipped, bytes.length - ((bytes.length - skipped) % 3));
    if (wholeThrees.length < minBytes) return [];
    return [wholeThrees.toString("base64"), wholeThrees.toString("base64url")];
  });
}

/** Lower case of ASCII letters only: other letters may change their length, and each character keeps its place. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
