import { appendFileSync, readFileSync } from "node:fs";
import { parseJson } from "../foundation/json.js";

/** Writes nothing if the folder of the run is gone: this process has outlived its command. */
export function appendJsonLine(path: string, line: object): void {
  try {
    appendFileSync(path, `${JSON.stringify(line)}\n`);
  } catch {}
}

/** The lines of a file, and how many of them are invalid: a process that was killed may have left half a line. */
export function readJsonLines<Line>(path: string): { lines: Line[]; invalid: number } {
  const texts = readFileSync(path, "utf8").split("\n");
  const parsed = texts.filter((text) => text !== "").map(parseJson);
  const lines = parsed.filter((line) => line !== undefined) as Line[];
  return { lines, invalid: parsed.length - lines.length };
}
