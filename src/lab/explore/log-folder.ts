import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { MockError } from "../../fake/contract/mock-error.js";
import { asError } from "../../foundation/located-problem.js";
import { withPath } from "../../foundation/save-text.js";
import { exploreFolder } from "../../options/names.js";
import type { EndedRun } from "./changes.js";

/** The files of a run in a folder. */
interface RunFiles {
  readonly log: string;
  /** What all mocks of the run saw. Missing if the command succeeded. */
  readonly report: string;
  /** The folder for the reports of failed tests. */
  readonly tests: string;
}

/** The folder of one exploration, `<process id>-XXXXXX`. In the end it has only the runs that a finding shows. */
export class LogFolder {
  readonly path: string;
  /** The numbers of the runs that have begun, and of those that a finding shows. */
  readonly #begun = new Set<number>();
  readonly #kept = new Set<number>();

  /** @param given the folder of `--logs`, in which nothing is removed */
  constructor(given: string | undefined) {
    const parent = resolve(given ?? exploreFolder);
    if (given === undefined) removeEarlier(parent);
    const firstNew = mkdirSync(parent, { recursive: true });
    if (firstNew !== undefined) ignoreNew(parent, firstNew);
    this.path = mkdtempSync(join(parent, `${process.pid}-`));
  }

  /** The files of a run that begins. */
  filesOf(number: number): RunFiles {
    this.#begun.add(number);
    return runFiles(this.path, number);
  }

  /** Keeps the log and the reports of a run. Returns the path of its log. */
  keep({ number, log }: Pick<EndedRun, "number" | "log">): string {
    this.#kept.add(number);
    return log;
  }

  /** Whether a finding shows a run. */
  get isShown(): boolean {
    return this.#kept.size > 0;
  }

  /** Removes what no finding shows. */
  removeRest(): void {
    for (const number of this.#begun) if (!this.#kept.has(number)) removeFilesOf(this.path, number);
    removeIfEmpty(this.path);
  }
}

/** Git ignores a new folder. On a full disk the error names the file, and no folder is left. */
function ignoreNew(folder: string, outermost: string): void {
  const file = join(folder, ".gitignore");
  try {
    writeFileSync(file, "*\n");
  } catch (error) {
    rmSync(outermost, { recursive: true });
    const advice = "Free some space there, or name another folder with --logs.";
    throw new MockError("no_run", `${withPath(file, asError(error).message)}. ${advice}`);
  }
}

/** Removes what explorations have left whose process has ended, and nothing that somebody else has put there. */
function removeEarlier(parent: string): void {
  for (const name of filesBelow(parent)) {
    const [, pid] = /^(\d+)-\w{6}$/.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const folder = join(parent, name);
    for (const file of filesBelow(folder)) {
      const [, number] = /^run-(\d+)\.log$/.exec(file) ?? [];
      if (number !== undefined) removeFilesOf(folder, Number(number));
    }
    removeIfEmpty(folder);
  }
}

function removeFilesOf(folder: string, number: number): void {
  const { log, report, tests } = runFiles(folder, number);
  for (const name of filesBelow(tests))
    if (name.endsWith(".html")) rmSync(join(tests, name), { force: true });
  removeIfEmpty(tests);
  rmSync(report, { force: true });
  rmSync(log, { force: true });
}

function runFiles(folder: string, number: number): RunFiles {
  const run = join(folder, `run-${String(number).padStart(3, "0")}`);
  return { log: `${run}.log`, report: `${run}.html`, tests: `${run}-tests` };
}

/** The file with what the mocks of a run saw. */
export function reportBeside(log: string): string {
  return log.replace(/\.log$/, ".html");
}

/** None if it is not a folder, or another exploration has removed it meanwhile. */
function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It has files of others, or does not exist.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It may belong to another user.
    return asError(error).code !== "ESRCH";
  }
}

/** The last lines of a log, indented, for a screen. Long lines are cut. */
export function lastLines(log: string): string {
  const lines = readFileSync(log, "utf8").trimEnd().split("\n").slice(-20);
  return lines.map((line) => `  | ${stripVTControlCharacters(line).trimEnd().slice(0, 500)}`).join("\n");
}
