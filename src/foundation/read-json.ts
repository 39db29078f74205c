import { readFileSync } from "node:fs";
import { asError } from "./mock-error.js";

/** Parses a JSON file, with or without a byte order mark. Throws if it cannot be read or parsed. */
export function readJson(file: string): unknown {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  const message = parserMessage(text);
  if (message === undefined) return JSON.parse(text);
  // The parser quotes the text around the error, which may be a secret.
  const reason = message
    .replace(/, (?:\.{3})?".*"(?:\.{3})? is not valid JSON/s, " is not valid JSON")
    .replace(/ at position \d+(?: \(line \d+ column \d+\))?/, "");
  const place = placeOfSyntaxError(text);
  throw new SyntaxError(place ? `line ${place.line}, column ${place.column}: ${reason}` : reason);
}

/** The parser reports no position for some errors, so this searches the longest prefix that can still become JSON. */
export function placeOfSyntaxError(text: string): { line: number; column: number } | undefined {
  // Bun has one message for incomplete and for invalid text.
  if (!isIncomplete("[1")) return undefined;
  let good = 0;
  let bad = text.length + 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isIncomplete(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  const lines = text.slice(0, good).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

/** Whether the parser finds no error before the end of the text. */
function isIncomplete(text: string): boolean {
  const message = parserMessage(text) ?? "end";
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  return position === undefined ? /\bend\b/.test(message) : Number(position) >= text.length;
}

function parserMessage(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return asError(error).message;
  }
}
