import { appendFileSync, readFileSync } from "node:fs";
import { parseJson } from "../foundation/json.js";

/** Writes nothing if the folder of the run is gone: this process outlives its command, and nobody will read it. */
export function appendJsonLine(path: string, line: object): void {
  try {
    appendFileSync(path, `${JSON.stringify(line)}\n`);
  } catch {}
}

/** A process that was killed may have left half a line: it is left out. */
export function readJsonLines<Line>(path: string): Line[] {
  const lines = readFileSync(path, "utf8").split("\n").map(parseJson);
  return lines.filter((line) => line !== undefined) as Line[];
}
