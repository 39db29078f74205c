import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { columns } from "../../foundation/terminal.js";
import { flagName } from "../../options/names.js";
import { type RecordedTest, type TestResult, testName } from "../../run/report-test.js";
import type { GivenCommand } from "../run-command.js";
import { type Change, ownersOf } from "./changes.js";
import type { ChangeFinding } from "./judge-runs.js";

/** What was found of one row and one column, with the fields of `--json`. */
export interface Cell {
  readonly result: string;
  /** The run that shows it, and the command that repeats it. Missing if no run was needed. */
  readonly log?: string;
  readonly exitCode?: number;
  readonly durationMs?: number;
  readonly repeat?: string;
  readonly tests?: ReturnType<typeof shownTests>;
  /** The world whose requests show what happened. */
  readonly world?: string | undefined;
}

/** All that was found: requests by failures, or assumptions by values. */
export interface Found {
  /** The titles of the columns: first those of `heads`. */
  readonly titles: readonly string[];
  readonly rows: readonly { readonly heads: readonly string[]; readonly cells: readonly Cell[] }[];
  /** Which tests break, a line each. */
  readonly byTest: readonly string[];
  /** The last lines. */
  readonly conclusion: readonly string[];
  /** What each result means, for the page of `--report`. */
  readonly legend: Readonly<Record<string, string>>;
  /** What to print with `--json`. */
  readonly json: object;
}

/** A finding with its evidence: how the run ended, its log, and the command that repeats it. */
export function showFinding({ change, result, shown }: ChangeFinding, given: GivenCommand): Cell {
  if (shown === undefined) return { result };
  const { exitCode, durationMs, log, seen } = shown;
  const owners = ownersOf(change);
  const tests = shownTests(seen.tests.filter(({ id }) => owners.includes(id) || owners.includes("")));
  const world = change.injection && (change.tests[0]?.world ?? change.injection.world);
  return { result, exitCode, durationMs, log, repeat: repeatLine(given, change), tests, world };
}

/** The command line that repeats a run with one change. */
export function repeatLine({ serverFlags, argv }: GivenCommand, change: Omit<Change, "tests">): string {
  const words = Object.entries(serverFlags).flatMap(([name, value]) => {
    // The report of one run would replace the page of this exploration.
    if (name === "report") return [];
    if (value === true) return flagName(name);
    // A secret must not be logged.
    const values = name === "adminToken" ? ["<token>"] : [value].flat().map(String);
    const kept = values.filter((one) => name !== "assume" || !one.startsWith(`${change.of}=`));
    return kept.flatMap((one) => [flagName(name), one]);
  });
  words.push(change.injection ? "--inject" : "--assume", change.name);
  return ["npx", "usergroup-mock", "exec", ...words, "--", ...argv].map(shellWord).join(" ");
}

/** Quoted if a shell would change it, such as {a,b} and {1..3}. */
function shellWord(word: string): string {
  const isSafe = /^(?!.*\{.*(,|\.\.))[\w@%+=:,./{}-][\w@%+=:,./{}#-]*$/.test(word);
  return isSafe ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Whether the user has to look at a finding. */
export function isBreak({ result }: { readonly result: string }): boolean {
  return result === "breaks" || result === "hangs";
}

/** As a table shows it. */
export function labelOf({ result }: Cell): string {
  return isBreak({ result }) ? result.toUpperCase() : result;
}

/** For a screen. */
export function foundLines({ titles, rows, byTest, conclusion }: Found): string[] {
  return [
    ...columns([titles, ...rows.map(({ heads, cells }) => [...heads, ...cells.map(labelOf)])]),
    "",
    ...(byTest.length > 0 ? [...byTest, ""] : []),
    ...evidenceLines(rows.flatMap(({ cells }) => cells.filter(isBreak))),
    ...conclusion,
  ];
}

/** The end of the first log, and for each run where its log is and how to repeat it. */
function evidenceLines(broken: readonly Cell[]): string[] {
  const logs = broken.flatMap(({ log, repeat }) => (log === undefined ? [] : { log, repeat }));
  if (logs[0] === undefined) return [];
  const runs = logs.map(
    ({ log, repeat }) => `  log     ${log}\n  report  ${reportBeside(log)}\n  repeat  ${repeat}\n`,
  );
  return ["The end of the first failing run:", lastLines(logs[0].log), "", ...firstOf(runs)];
}

/** What is printed of many. `--json` has all of them. */
export function firstOf(items: Iterable<string>): string[] {
  const all = [...items];
  return all.length > 5 ? [...all.slice(0, 5), `and ${all.length - 5} more`] : all;
}

/** The file with what the mocks of a run saw. */
export function reportBeside(log: string): string {
  return log.replace(/\.log$/, ".html");
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

/** Tests as `--json` shows them. */
export function shownTests(tests: Iterable<TestResult>) {
  return Array.from(tests, ({ file, result, error, ...test }) => {
    return { name: testName(test), file, result, ...(error !== undefined && { error }) };
  });
}

/** `rotates twice (rotate.test.ts)` */
export function testLabel(test: RecordedTest): string {
  return `${testName(test)} (${test.file})`;
}

/** `rotates twice (rotate.test.ts), creates (create.test.ts), and 3 more` */
export function labelList(tests: Iterable<RecordedTest>): string {
  return firstOf(new Set(Array.from(tests, testLabel))).join(", ");
}
