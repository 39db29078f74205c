import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { text } from "node:stream/consumers";
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

/** Whether a finding is one that the user has to look at. */
export function isBreak({ result }: { readonly result: string }): boolean {
  return result === "breaks" || result === "hangs";
}

/** What the mocks of a run that failed saw. */
export function reportBeside(log: string): string {
  return log.replace(/\.log$/, ".html");
}

/** For so many breaks the screen shows log and command; `--json` has all of them. */
const shownBreaks = 5;

/** What broke: the end of the first output, and where to find it and how to repeat it. */
export async function evidenceOf(broken: readonly Evidence[]): Promise<string[]> {
  const [first] = broken;
  if (first === undefined) return [];
  const more = broken.length - shownBreaks;
  return [
    "The end of the first failing run:",
    await lastLines(first.log),
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
export async function lastLines(log: string): Promise<string> {
  const lines = (await endOfFile(log)).trimEnd().split("\n");
  const shown = lines.slice(-shownLines).map((line) => {
    const safe = printable(line.replace(terminalColours, "").replaceAll("\t", "  ").trimEnd());
    return `  | ${safe.length > shownCharacters ? `${safe.slice(0, shownCharacters)}…` : safe}`;
  });
  return lines.length > shownLines ? ["  | …", ...shown].join("\n") : shown.join("\n");
}

async function endOfFile(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    return await text(createReadStream(path, { start: Math.max(0, size - tailBytes) }));
  } catch (error) {
    // Minutes of runs are behind: what was found counts, also when somebody has cleaned up.
    return `(this log cannot be read: ${asError(error).message})`;
  }
}
