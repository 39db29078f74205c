import { findCharacter } from "./find-character.js";
import type { TextRange } from "./text-range.js";

/** What follows a number or a word, such as `true`. */
const afterWord = /[\s,}\]]/;

/**
 * The JSON value that begins at this place of a text: what is between its quotes or brackets. The text may end before
 * the value does, and its strings may have single quotes.
 */
export function jsonValueRange(text: string, start: number): TextRange {
  const first = text.charAt(start);
  if (isQuote(first)) return { from: start + 1, to: closingQuote(text, start) };
  if (isOpening(first)) return { from: start + 1, to: closingBracket(text, start) };
  return { from: start, to: findCharacter(text, start, afterWord) };
}

/** Where the string ends that begins at this place. */
function closingQuote(text: string, start: number): number {
  const quote = text.charAt(start);
  let at = start + 1;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === quote) return at;
    // A backslash escapes the next character, which may be a quote.
    at += character === "\\" ? 2 : 1;
  }
  return text.length;
}

/** Where the object or the list ends that begins at this place. */
function closingBracket(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (isOpening(character)) depth++;
    if (isClosing(character)) depth--;
    if (depth === 0) return at;
    // The brackets in a string do not count.
    if (isQuote(character)) at = closingQuote(text, at);
    at++;
  }
  return text.length;
}

function isQuote(character: string): boolean {
  return character === '"' || character === "'";
}

function isOpening(character: string): boolean {
  return character === "{" || character === "[";
}

function isClosing(character: string): boolean {
  return character === "}" || character === "]";
}
