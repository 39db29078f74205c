import { appendFileSync, readFileSync } from "node:fs";

export function appendJsonLine(path: string, line: object): void {
  appendFileSync(path, `${JSON.stringify(line)}\n`);
}

/** A process that was killed may have left half a line: it is left out. */
export function readJsonLines<Line>(path: string): Line[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line): Line[] => {
      try {
        return line === "" ? [] : [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

/** The folder of a run is gone when a process outlives its command: nobody will read what it writes. */
export function ignoreEnded(write: () => void): void {
  try {
    write();
  } catch {}
}
