import { appendFileSync } from "node:fs";
import { parseJson } from "../foundation/json.js";
import { readSlice } from "./read-slice.js";

/** Writes nothing if the folder of the run is gone: this process outlives its command, and nobody will read it. */
export function appendJsonLine(path: string, line: object): void {
  try {
    appendFileSync(path, `${JSON.stringify(line)}\n`);
  } catch {}
}

interface JsonLines<Line> {
  readonly lines: readonly Line[];
  /** How many could not be read: a process that was killed may have left half a line. */
  readonly unreadable: number;
  /** Whether the file has older lines. */
  readonly isCut: boolean;
}

/** The lines of a file, or the last ones of a long file. */
export function readJsonLines<Line>(path: string, maxBytes = 500_000_000): JsonLines<Line> {
  const { text, start } = readSlice(path, -maxBytes);
  // The first line may be half a line, if it is not the first of the file.
  const texts = text.split("\n").slice(start > 0 ? 1 : 0);
  const parsed = texts.filter((line) => line !== "").map(parseJson);
  const lines = parsed.filter((line) => line !== undefined) as Line[];
  return { lines, unreadable: parsed.length - lines.length, isCut: start > 0 };
}
