import { readFileSync } from "node:fs";
import { placeOfSyntaxError } from "./json-place.js";
import { thrown } from "./mock-error.js";

/** Parses a JSON file, with or without a byte order mark. Throws when it cannot be read or parsed. */
export function readJson(file: string): unknown {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch (error) {
    const { line, column } = placeOfSyntaxError(text) ?? {};
    // The parser quotes the text around the place, which may be a token.
    const reason = thrown(error)
      .message.replace(/, (?:\.{3})?".*"(?:\.{3})? is not valid JSON/s, " is not valid JSON")
      .replace(/ at position \d+(?: \(line \d+ column \d+\))?/, "");
    throw new SyntaxError(`line ${line}, column ${column}: ${reason}`);
  }
}
