import { existsSync } from "node:fs";
import { relative } from "node:path";
import { counted } from "../../foundation/grammar.js";
import { columns } from "../../foundation/terminal.js";
import type { ReportedTest } from "../../report/report-data.js";
import { type TestResult, testName } from "../../run/report-test.js";
import type { Exploration } from "./exploration.js";
import type { Finding } from "./judge.js";
import { lastLines, reportBeside } from "./log-folder.js";
import { repeatLine } from "./repeat-line.js";

/** What was found of one row and one column, with the fields of `--json`. */
export interface Cell<Result extends string = string> {
  readonly result: Result;
  /** How the run that shows it ended. Missing if no run was needed. */
  readonly exitCode?: number;
  readonly durationMs?: number;
  /** The command that repeats it. */
  readonly repeat?: string;
  readonly tests?: ReturnType<typeof shownTests>;
  /** The output of the run. Missing if the tests passed. */
  readonly log?: string;
  /** What the mocks saw. Missing if the command succeeded. */
  readonly report?: string;
}

/** Rows with a title, such as the requests of a test. */
export interface Section {
  readonly title?: string | undefined;
  readonly rows: readonly { readonly heads: readonly string[]; readonly cells: readonly Cell[] }[];
}

/** Why tests fail, with one example. */
export interface ShownCause {
  readonly text: string;
  readonly advice: string;
  readonly example: Cell;
}

/** All that was found, for a screen and for `--json`. */
export interface Found {
  readonly causes: readonly ShownCause[];
  /** The titles of the columns: first those of `heads`. */
  readonly titles: readonly string[];
  readonly sections: readonly Section[];
  /** What is not certain, and last the sum. */
  readonly lines: readonly string[];
  /** Whether a test breaks or hangs. */
  readonly hasBreak: boolean;
  readonly json: object;
}

/** Results that need a log. */
const withLog = ["hangs", "breaks", "recovers", "unconfirmed", "flaky"];

/** A finding with its evidence: how the run ended, its log, and the command that repeats it. Keeps that log. */
export function showFinding<Result extends string>(
  { change, result, shown }: Pick<Finding, "change" | "shown"> & { readonly result: Result },
  { given, logs }: Pick<Exploration, "given" | "logs">,
): Cell<Result> {
  const { exitCode, durationMs, seen, log } = shown;
  const { test: owner } = change;
  const tests = shownTests(seen.tests.filter(({ id }) => owner === undefined || owner.id === id));
  const cell = { result, exitCode, durationMs, repeat: repeatLine(given, change), tests };
  if (!withLog.includes(result)) return cell;
  const report = reportBeside(log);
  return { ...cell, log: logs.keep(shown), ...(existsSync(report) && { report }) };
}

/** Whether the user has to look at a finding. */
export function isBreak({ result }: { readonly result: string }): boolean {
  return result === "breaks" || result === "hangs";
}

/** For a screen: the causes with their evidence, the table, and the rest. */
export function foundLines({ causes, titles, sections, lines }: Found): string[] {
  const table = sections.length === 0 ? [] : [...tableLines(titles, sections), ""];
  return [...causes.flatMap(causeLines), ...table, ...lines];
}

/** A row of titles, then the rows of each section below its title. */
function tableLines(titles: readonly string[], sections: readonly Section[]): string[] {
  const rows = sections.flatMap(({ title, rows: ofSection }) =>
    ofSection.map(({ heads: [first = "", ...heads], cells }) => [
      title === undefined ? first : `  ${first}`,
      ...heads,
      ...cells.map(labelOf),
    ]),
  );
  const [head = "", ...lines] = columns([titles, ...rows]);
  return [
    head,
    ...sections.flatMap(({ title, rows: ofSection }) => [
      ...(title === undefined ? [] : [`  ${title}`]),
      ...lines.splice(0, ofSection.length),
    ]),
  ];
}

/** As a table shows it. */
function labelOf({ result }: Cell): string {
  if (result === "unconfirmed") return "fails?";
  if (result === "unknown") return "?";
  if (result === "not tried") return "-";
  return isBreak({ result }) ? result.toUpperCase() : result;
}

function causeLines({ text, advice, example }: ShownCause): string[] {
  const { log, repeat, tests = [] } = example;
  const isKnown = tests.some(({ error }) => error !== undefined);
  return [
    text,
    ...(advice === "" ? [] : [`  ${advice}`]),
    // Without the error of a test, the output has to explain it.
    ...(log === undefined || isKnown ? [] : [lastLines(log)]),
    ...(log === undefined ? [] : [`  log     ${shortPath(log)}`]),
    ...(repeat === undefined ? [] : [`  repeat  ${repeat}`]),
    "",
  ];
}

/** How a sum shows each result, in its order: the key in JSON, and the words on a screen. */
export type SumWords<Result extends string> = Readonly<Record<Result, readonly [key: string, words: string]>>;

/**
 * The last line, `56 failures in 9 runs: 8 survived, 48 NOT TRIED. The runs ended early: --max-runs 9.`, and the same for
 * `--json`.
 * @param results one for each combination, so that the numbers add up to all of them
 */
export function sumUp<Result extends string>(
  what: string,
  results: readonly Result[],
  words: SumWords<Result>,
  { ended, endedEarly }: Pick<Exploration, "ended" | "endedEarly">,
) {
  const parts = (Object.keys(words) as Result[]).map((result) => {
    const [key, text] = words[result];
    return { key, text, count: results.filter((one) => one === result).length };
  });
  const shown = parts.filter(({ count }) => count > 0).map(({ count, text }) => `${count} ${text}`);
  const end = endedEarly === undefined ? "" : ` The runs ended early: ${endedEarly}.`;
  const counts = Object.fromEntries(parts.map(({ key, count }) => [key, count]));
  return {
    line: `${what} in ${counted(ended.length, "run")}: ${shown.join(", ")}.${end}`,
    json: {
      runs: ended.length,
      sum: { total: results.length, ...counts, ...(endedEarly !== undefined && { endedEarly }) },
    },
  };
}

/** From the current folder, if it is in there. */
export function shortPath(path: string): string {
  const short = relative("", path);
  return short.startsWith("..") ? path : short;
}

/** Tests as `--json` shows them. */
export function shownTests(tests: readonly TestResult[]) {
  return tests.map(({ titles, file, result, failure }) => ({
    name: testName({ titles }),
    file,
    result,
    error: shownError(failure),
  }));
}

function shownError({ error, line }: Partial<ReportedTest> = {}) {
  if (error === undefined) return undefined;
  const { message, code, expected, actual } = error;
  return { message, code, expected, actual, line };
}
