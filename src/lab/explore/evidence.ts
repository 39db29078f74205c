import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

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

/** What is shown of a log, in lines and in characters of a line. */
const shownLines = 20;
const shownCharacters = 500;

/** The last lines of a log, indented, for a screen. */
export function lastLines(log: string): string {
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  const shown = lines
    .slice(-shownLines)
    .map((line) => `  | ${stripVTControlCharacters(line).trimEnd().slice(0, shownCharacters)}`);
  return [...(lines.length > shownLines ? ["  | …"] : []), ...shown].join("\n");
}
