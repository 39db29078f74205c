import { readFileSync } from "node:fs";
import { parserReason } from "./json.js";
import { asError } from "./located-problem.js";

/** Parses a JSON file, with or without a byte order mark. Throws if it cannot be read or parsed. */
export function readJson(file: string): unknown {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch (error) {
    const [lastLine = "", ...lines] = text.slice(0, findError(text)).split("\n").reverse();
    const place = ` (line ${lines.length + 1}, column ${lastLine.length + 1})`;
    // The parser sometimes adds a place of its own.
    const reason = parserReason(error).replace(/ at position \d+.*/, "");
    throw new SyntaxError(reason + place);
  }
}

/** Where a text stops being the beginning of JSON: the parser does not always tell. */
function findError(text: string): number {
  let [valid, invalid] = [0, text.length];
  while (valid < invalid) {
    const middle = Math.ceil((valid + invalid) / 2);
    if (isBeginning(text.slice(0, middle))) valid = middle;
    else invalid = middle - 1;
  }
  return valid;
}

/** Whether a text is JSON, or only ends too early. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = asError(error);
    const [, position = "0"] = / at position (\d+)/.exec(message) ?? [];
    return Number(position) >= text.length || /end of JSON|Unterminated string/.test(message);
  }
}
