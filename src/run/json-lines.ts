import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "../foundation/json.js";
import { asError } from "../foundation/mock-error.js";

/** Exists if a process could not write into the folder of a run. */
export const unwrittenFile = "unwritten";

/** Appends a line to a file in the folder of a run. */
export function appendJsonLine(folder: string, file: string, line: object): void {
  try {
    appendFileSync(join(folder, file), `${JSON.stringify(line)}\n`);
  } catch (error) {
    noteUnwritten(folder, error);
  }
}

/** Without a folder, the run has ended, and this process outlives it. Otherwise, the folder is full or not writable. */
export function noteUnwritten(folder: string, error: unknown): void {
  if (asError(error).code === "ENOENT") return;
  try {
    writeFileSync(join(folder, unwrittenFile), "");
  } catch {
    // The reader of the folder finds out by itself.
  }
}

/** The lines of a file, and how many of them are invalid: a process that was killed may have left half a line. */
export function readJsonLines<Line>(path: string): { lines: Line[]; invalid: number } {
  const texts = readFileSync(path, "utf8").split("\n");
  const parsed = texts.filter((text) => text !== "").map(parseJson);
  const lines = parsed.filter((line) => line !== undefined) as Line[];
  return { lines, invalid: parsed.length - lines.length };
}
