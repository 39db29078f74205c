import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { exploreFolder } from "../../options/names.js";
import type { Change, EndedRun } from "./changes.js";

const ignoreFile = ".gitignore";

/** The files of a run in a folder. */
interface RunFiles {
  readonly log: string;
  /** What all mocks of the run saw. Missing if the command succeeded. */
  readonly report: string;
  /** The folder for the reports of failed tests. */
  readonly tests: string;
}

/** Where an exploration writes the output of its runs. In the end only what a finding shows is left. */
export class LogFolder {
  readonly path: string;
  /** The logs of all runs. */
  readonly #logs: string[] = [];
  /** The logs of runs that a finding shows. */
  readonly #shown = new Set<string>();
  /** Those of them that keep their names. */
  readonly #kept = new Set<string>();
  /** Logs that were named after a change, by their paths. */
  readonly #named = new Map<string, Change>();

  /** @param given the folder of `--logs`, which may have files already */
  constructor(given: string | undefined) {
    this.path = resolve(given ?? exploreFolder);
    // That of the last exploration.
    if (given === undefined && existsSync(join(this.path, ignoreFile)))
      rmSync(this.path, { recursive: true });
    const isNew = mkdirSync(this.path, { recursive: true }) !== undefined;
    if (isNew) writeFileSync(join(this.path, ignoreFile), "*\n");
  }

  /** The files of the next run. */
  nextRun(): RunFiles {
    const log = join(this.path, `run-${String(this.#logs.length + 1).padStart(3, "0")}.log`);
    this.#logs.push(log);
    // An earlier exploration may have left them.
    removeFiles(log);
    return { log, report: reportBeside(log), tests: testsBeside(log) };
  }

  /** The log of a run that shows what a change does. It gets the name of the change, as in the command that repeats it. */
  nameLog({ log }: EndedRun, change: Change): string {
    this.#shown.add(log);
    const words = change.name.replace(/[^\w.=#-]+/g, "_").slice(0, 120);
    for (let n = 1; ; n++) {
      const path = join(this.path, `${words}${n === 1 ? "" : `-${n}`}.log`);
      const owner = this.#named.get(path);
      if (owner === change) return path;
      if (owner !== undefined) continue;
      this.#named.set(path, change);
      rmSync(path, { force: true });
      linkOrCopy(log, path);
      return path;
    }
  }

  /** The log of a run that has shown something else. */
  keepLog({ log }: EndedRun): string {
    this.#shown.add(log);
    this.#kept.add(log);
    return log;
  }

  /** Whether a finding shows a log. */
  get isShown(): boolean {
    return this.#shown.size > 0;
  }

  /** Removes what no finding shows. */
  removeRest(): void {
    for (const log of this.#logs) {
      if (!this.#shown.has(log)) removeFiles(log);
      else if (!this.#kept.has(log)) rmSync(log, { force: true });
    }
    const left = readdirSync(this.path);
    if (left.length > 1 || left[0] !== ignoreFile) return;
    rmSync(join(this.path, ignoreFile));
    rmdirSync(this.path);
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // Some file systems have no links.
    copyFileSync(from, to);
  }
}

function removeFiles(log: string): void {
  rmSync(log, { force: true });
  rmSync(reportBeside(log), { force: true });
  rmSync(testsBeside(log), { recursive: true, force: true });
}

/** The file with what the mocks of a run saw. */
export function reportBeside(log: string): string {
  return log.replace(/\.log$/, ".html");
}

/** The folder with the reports of failed tests of a run. */
function testsBeside(log: string): string {
  return log.replace(/\.log$/, "-tests");
}

/** The last lines of a log, indented, for a screen. Long lines are cut. */
export function lastLines(log: string): string {
  const lines = readFileSync(log, "utf8").trimEnd().split("\n").slice(-20);
  return lines.map((line) => `  | ${stripVTControlCharacters(line).trimEnd().slice(0, 500)}`).join("\n");
}
