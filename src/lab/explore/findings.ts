import { relative } from "node:path";
import { counted } from "../../foundation/grammar.js";
import { columns } from "../../foundation/terminal.js";
import type { GivenCommand } from "../../options/given-command.js";
import type { ReportedTest } from "../../report/report-data.js";
import { type TestResult, testName } from "../../run/report-test.js";
import { ownersOf } from "./changes.js";
import type { ChangeFinding } from "./judge-runs.js";
import { type LogFolder, lastLines, reportBeside } from "./log-folder.js";
import type { Stage } from "./plan-runs.js";
import { repeatLine } from "./repeat-line.js";

/** What was found of one row and one column, with the fields of `--json`. */
export interface Cell {
  readonly result: string;
  /** How the run that shows it ended. Missing if no run was needed. */
  readonly exitCode?: number;
  readonly durationMs?: number;
  /** The command that repeats it. */
  readonly repeat?: string;
  readonly tests?: ReturnType<typeof shownTests>;
  /** The output of the run, and what the mocks saw. Missing if the tests passed. */
  readonly log?: string;
  readonly report?: string;
}

interface Row {
  readonly heads: readonly string[];
  readonly cells: readonly Cell[];
}

/** Rows with a title, such as the requests of a test. */
export interface Section {
  readonly title?: string | undefined;
  readonly rows: readonly Row[];
}

/** Why tests fail, with one example. */
export interface ShownCause {
  readonly text: string;
  readonly advice: string;
  readonly example: Cell;
}

/** A table, and what it means. */
export interface Part {
  readonly title?: string;
  readonly causes: readonly ShownCause[];
  readonly sections: readonly Section[];
}

/** All that was found: requests by failures, or assumptions by values. */
export interface Found {
  /** The titles of the columns: first those of `heads`. */
  readonly titles: readonly string[];
  readonly parts: readonly Part[];
  /** What is not certain, and last a summary. */
  readonly lines: readonly string[];
  /** What each result means, for the page of `--report`. */
  readonly legend: Readonly<Record<string, string>>;
  /** What to print with `--json`. */
  readonly json: object;
}

/** Results that need a log. */
const withLog = ["hangs", "breaks", "recovers", "unconfirmed", "flaky"];

/** A finding with its evidence: how the run ended, its log, and the command that repeats it. Keeps that log. */
export function showFinding(finding: ChangeFinding, given: GivenCommand, logs: LogFolder): Cell {
  const { change, result, shown, shownBy } = finding;
  if (shown === undefined) return { result };
  const { exitCode, durationMs, log, seen } = shown;
  const owners = ownersOf(change);
  const tests = shownTests(seen.tests.filter(({ id }) => owners.includes(id) || owners.includes("")));
  const cell = { result, exitCode, durationMs, repeat: repeatLine(given, change), tests };
  if (!withLog.includes(result)) return cell;
  return { ...cell, log: logs.nameLog(shown, shownBy ?? change), report: reportBeside(log) };
}

/** Whether the user has to look at a finding. */
export function isBreak({ result }: { readonly result: string }): boolean {
  return result === "breaks" || result === "hangs";
}

/** As a table shows it. */
export function labelOf({ result }: Cell): string {
  if (result === "unconfirmed") return "fails?";
  return isBreak({ result }) ? result.toUpperCase() : result;
}

/** Below the table of what has been seen. */
export function confirmingText(next: Stage | undefined): string {
  const runs = counted(next?.runs.length ?? 0, "run");
  return `fails?: failed once. What failed is tried again, in ${runs}:`;
}

/** For a screen: the causes with their evidence, the tables, and the rest. */
export function foundLines({ titles, parts, lines }: Found): string[] {
  const shown = parts.flatMap(({ title, causes, sections }) => [
    ...(title === undefined ? [] : [title, ""]),
    ...causes.flatMap(causeLines),
    ...tableLines(titles, sections),
    "",
  ]);
  return [...shown, ...lines];
}

/** A row of titles, then the rows of each section below its title. */
export function tableLines(titles: readonly string[], sections: readonly Section[]): string[] {
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

function causeLines({ text, advice, example }: ShownCause): string[] {
  const { log, report, repeat, tests = [] } = example;
  const isKnown = tests.some(({ error }) => error !== undefined);
  return [
    text,
    ...(advice === "" ? [] : [`  ${advice}`]),
    // Without the error of a test, the output has to explain it.
    ...(log === undefined || isKnown ? [] : [lastLines(log)]),
    ...(log === undefined ? [] : [`  log     ${shortPath(log)}`]),
    ...(report === undefined ? [] : [`  report  ${shortPath(report)}`]),
    ...(repeat === undefined ? [] : [`  repeat  ${repeat}`]),
    "",
  ];
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
