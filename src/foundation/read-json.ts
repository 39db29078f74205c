import { readFileSync } from "node:fs";

/** Parses a JSON file, with or without a byte order mark. Throws if it cannot be read or parsed. */
export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
}
