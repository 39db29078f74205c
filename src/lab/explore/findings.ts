import { readFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { columns } from "../../foundation/terminal.js";
import type { GivenCommand } from "../../options/given-command.js";
import { flagName } from "../../options/names.js";
import type { ReportedTest } from "../../report/report-data.js";
import { readInspectorFile } from "../../report/report-page.js";
import { type RecordedTest, type TestResult, testName } from "../../run/report-test.js";
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
  /** Which tests break, what is not certain, and last a summary. */
  readonly lines: readonly string[];
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

/** For a screen: the table, the end of the first log, where the logs of breaks are and how to repeat them, and the rest. */
export function foundLines({ titles, rows, lines }: Found): string[] {
  const table = columns([titles, ...rows.map(({ heads, cells }) => [...heads, ...cells.map(labelOf)])]);
  const broken = rows.flatMap(({ cells }) => cells.filter(isBreak));
  const evidence = broken.map(
    ({ log = "", repeat }) => `  log     ${log}\n  report  ${reportBeside(log)}\n  repeat  ${repeat}\n`,
  );
  const tail = broken
    .slice(0, 1)
    .map(({ log = "" }) => `The end of the first failing run:\n${lastLines(log)}\n`);
  return [...table, "", ...tail, ...firstOf(evidence), ...lines];
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

/** The last lines of a log, indented, for a screen. Long lines are cut. */
export function lastLines(log: string): string {
  const lines = readFileSync(log, "utf8").trimEnd().split("\n").slice(-20);
  return lines.map((line) => `  | ${stripVTControlCharacters(line).trimEnd().slice(0, 500)}`).join("\n");
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

/** `rotates twice (rotate.test.ts)` */
export function testLabel(test: RecordedTest): string {
  return `${testName(test)} (${test.file})`;
}

/** `rotates twice (rotate.test.ts), creates (create.test.ts), and 3 more` */
export function labelList(tests: Iterable<RecordedTest>): string {
  return firstOf(new Set(Array.from(tests, testLabel))).join(", ");
}

/**
 * The matrix as one page in the style of the inspector, without a script. Each cell links to the report of its run.
 * @param path where the page will be: links are relative to it
 * @param command the command that was explored
 */
export function explorePage(
  { titles, rows, lines, legend }: Omit<Found, "json">,
  path: string,
  command: string,
): string {
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8" />`,
    `<meta name="color-scheme" content="light dark" /><title>explore · usergroup-mock</title>`,
    `<style>${readInspectorFile("inspector.css")}</style></head><body>`,
    `<header class="top"><h1>usergroup-mock</h1><span class="status">explore</span></header>`,
    `<main class="explored-page"><section class="empty"><h2>${escapeHtml(command)}</h2><ul>`,
    ...lines.map((line) => `<li>${escapeHtml(line)}</li>`),
    `</ul>`,
    `<p>Each cell links to the report of its run. Open “repeat” for the command that repeats it.</p><dl class="legend">`,
    ...Object.entries(legend).map(
      ([result, meaning]) =>
        `<dt><span class="chip ${classOf(result)}">${result}</span></dt><dd>${escapeHtml(meaning)}</dd>`,
    ),
    `</dl></section>`,
    `<div class="scroll"><table class="explored"><thead><tr>${headsHtml("col", titles)}</tr></thead><tbody>`,
    ...rows.map(
      ({ heads, cells }) =>
        `<tr>${headsHtml("row", heads)}${cells.map((cell) => cellHtml(cell, path)).join("")}</tr>`,
    ),
    `</tbody></table></div></main></body></html>\n`,
  ].join("\n");
}

function headsHtml(scope: "row" | "col", heads: readonly string[]): string {
  return heads.map((head) => `<th scope="${scope}">${escapeHtml(head)}</th>`).join("");
}

function classOf(result: string): string {
  if (isBreak({ result })) return "rejected";
  return result === "survives" || result === "passes" ? "passed" : "";
}

function cellHtml(cell: Cell, path: string): string {
  const { result, log, repeat = "", world } = cell;
  const start = `<td class="${classOf(result)}">`;
  if (log === undefined) return `${start}${labelOf(cell)}</td>`;
  const command = `<details><summary>repeat</summary><code>${escapeHtml(repeat)}</code></details>`;
  const segments = relative(dirname(resolve(path)), reportBeside(log)).split(sep);
  const hash = world === undefined ? "" : `#/requests?world=${encodeURIComponent(world)}`;
  return `${start}<a href="${segments.map(encodeURIComponent).join("/")}${hash}">${labelOf(cell)}</a>${command}</td>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
