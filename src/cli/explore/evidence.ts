import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { asError } from "../../foundation/mock-error.js";
import { printable } from "../../foundation/printable.js";

/** How a run ended, and how to look at it. */
export interface Evidence {
  readonly exitCode: number;
  readonly durationMs: number;
  /** The file with the output. */
  readonly log: string;
  /** The command that repeats the run. */
  readonly repeat: string;
}

/** Whether the user has to look at a finding. */
export function isBreak({ result }: { readonly result: string }): boolean {
  return result === "breaks" || result === "hangs";
}

/** The file with what the mocks of a run saw. */
export function reportBeside(log: string): string {
  return log.replace(/\.log$/, ".html");
}

/** How many breaks are printed with log and command. `--json` has all of them. */
const shownBreaks = 5;

/** The end of the first log, and for each run where its log is and how to repeat it. */
export function evidenceOf(broken: readonly Evidence[]): string[] {
  const [first] = broken;
  if (first === undefined) return [];
  const more = broken.length - shownBreaks;
  return [
    "The end of the first failing run:",
    lastLines(first.log),
    "",
    ...broken
      .slice(0, shownBreaks)
      .flatMap(({ log, repeat }) => [
        `  log     ${log}`,
        `  report  ${reportBeside(log)}`,
        `  repeat  ${repeat}`,
        "",
      ]),
    ...(more > 0 ? [`  and ${more} more, with their logs in the same folder`, ""] : []),
  ];
}

/** What is read of a log, in bytes, and what is shown of it, in lines and in characters of a line. */
const tailBytes = 64_000;
const shownLines = 20;
const shownCharacters = 500;

/** Not `stripVTControlCharacters`: that also removes text between other codes. */
const terminalColours = /\p{Cc}\[[\d;:]*m/gu;

/** The last lines of a log, indented, for a screen. */
export function lastLines(log: string): string {
  const lines = endOfFile(log).trimEnd().split("\n");
  const shown = lines.slice(-shownLines).map((line) => {
    const safe = printable(line.replace(terminalColours, "").replaceAll("\t", "  ").trimEnd());
    return `  | ${safe.length > shownCharacters ? `${safe.slice(0, shownCharacters)}…` : safe}`;
  });
  return [...(lines.length > shownLines ? ["  | …"] : []), ...shown].join("\n");
}

/** Never throws: after minutes of runs, the findings are printed even if the logs have been removed. */
function endOfFile(path: string): string {
  try {
    const file = openSync(path, "r");
    const bytes = Buffer.alloc(tailBytes);
    const read = readSync(file, bytes, 0, tailBytes, Math.max(0, fstatSync(file).size - tailBytes));
    closeSync(file);
    return bytes.toString("utf8", 0, read);
  } catch (error) {
    return `(cannot read this log: ${asError(error).message})`;
  }
}
