import { readFileSync } from "node:fs";
import { thrown } from "./mock-error.js";

/** Parses a JSON file, with or without a byte order mark. Throws when it cannot be read or parsed. */
export function readJson(file: string): unknown {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser quotes the text around the place, which may be a token.
    throw new SyntaxError(
      thrown(error).message.replace(/, (?:\.{3})?".*"(?:\.{3})? is not valid JSON/s, " is not valid JSON"),
    );
  }
}
