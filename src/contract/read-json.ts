import { readFileSync } from "node:fs";

/** The JSON of a file, with or without a byte order mark; throws where it cannot be read, or is none. */
export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
}
