import { readFileSync } from "node:fs";
import { asError } from "./mock-error.js";

/** Parses a JSON file, with or without a byte order mark. Throws if it cannot be read or parsed. */
export function readJson(file: string): unknown {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser quotes the text around the error, which may be a secret.
    const { message } = asError(error);
    throw new SyntaxError(
      message.replace(/, (?:\.{3})?".*"(?:\.{3})? is not valid JSON/s, " is not valid JSON"),
    );
  }
}
