import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MockError, thrown } from "../../foundation/mock-error.js";
import { printable } from "../../foundation/printable.js";
import { resolveOptions, type Settings } from "../../options/resolve-options.js";
import type { Injection } from "../../run/injection.js";
import type { GivenInstructions } from "../../run/run.js";
import { countOf } from "../count-of.js";
import { onInterrupt } from "../on-interrupt.js";
import { optionSources } from "../options-from.js";
import { type ChildCommand, readCommand } from "../run-command.js";
import { type Progress, progress } from "../terminal.js";
import { type GivenCommand, repeatLine } from "./repeat-line.js";
import { CommandRunner, type RunResult, reportBeside } from "./run-once.js";

/** The flags that both kinds of exploring take. */
export interface ExploreFlags {
  readonly only?: readonly string[];
  readonly bail?: boolean;
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly concurrency?: string;
  readonly logs?: string;
  readonly runTimeout?: string;
  readonly faults?: boolean;
  readonly maxRuns?: string;
}

/** `explore` could not look: not what 1 means, which is a finding. */
export const couldNotLook = 2;

/** A run that takes ten times as long as the first one hangs; but it gets at least this long. */
const minRunMs = 30_000;

/** The first run may be slow: nobody knows yet how long it takes. */
const firstRunMs = 600_000;

/** How many lines of the first failing run are shown. */
const shownLines = 20;

/** What a run is asked, and where its evidence is. */
export interface Evidence {
  readonly exitCode: number;
  readonly durationMs: number;
  /** The file with the output. */
  readonly log: string;
  /** The command that repeats the run. */
  readonly repeat: string;
}

/** A run in which one thing is different. */
export interface PlannedRun<Finding> {
  readonly name: string;
  /** An assumption with another value, or a failure. */
  readonly changed?: readonly [id: string, value: string];
  readonly inject?: Injection;
  readonly judge: (result: RunResult) => Finding;
}

/** Whether a finding is one that the user has to look at. */
export function isBreak({ result }: { readonly result: string }): boolean {
  return result === "breaks" || result === "hangs";
}

/** The runs of one `explore`: settings, progress, interruption, logs. */
export class Exploration {
  readonly settings: Settings;
  readonly #flags: ExploreFlags;
  readonly #given: GivenCommand;
  readonly #concurrency: number;
  readonly #command: ChildCommand;
  #logs = "";
  #runner: CommandRunner | undefined;
  #progress: Progress | undefined;
  #first: RunResult | undefined;
  /** The exit code when a signal has ended it all. */
  #interrupted: number | undefined;
  #hasBreaks = false;
  readonly #unfound: string[] = [];

  private constructor(settings: Settings, command: ChildCommand, flags: ExploreFlags, given: GivenCommand) {
    this.settings = settings;
    this.#command = command;
    this.#flags = flags;
    this.#given = given;
    this.#concurrency = countOf("--concurrency", flags.concurrency ?? "1", 99);
    this.#runTimeoutMs();
  }

  static async create(given: GivenCommand, flags: ExploreFlags): Promise<Exploration> {
    const sources = optionSources({ port: 0, ...given.serverFlags }, process.env);
    const settings = await resolveOptions(sources, "embedded");
    const command = readCommand("explore", given.argv, settings.set);
    // Standard output is for what was found: a log that the environment asks for does not belong there.
    return new Exploration({ ...settings, exitWithParent: false, log: "silent" }, command, flags, given);
  }

  /**
   * Runs the command as it is. Undefined, with words on standard error, when nothing can be found then.
   * @param more how many runs will follow, where that is known
   */
  async first(learns: boolean, more = 0): Promise<RunResult | undefined> {
    this.#logs = resolve(this.#flags.logs ?? mkdtempSync(join(tmpdir(), "usergroup-mock-explore-")));
    const runner = new CommandRunner(this.#command, this.#logs);
    this.#runner = runner;
    onInterrupt((exitCode) => {
      this.#interrupted = exitCode;
      runner.stop();
    });
    this.#progress = progress(more + 1);
    const limit = this.#runTimeoutMs() ?? firstRunMs;
    const instructions = { assume: this.settings.assume, inject: null, learns };
    const first = await this.#run({ name: "as is", instructions, timeoutMs: limit });
    if (first === undefined) return undefined;
    this.#first = first;
    if (first.exitCode === 0 && first.seen.isReached) {
      this.#progress.done("as is", "passes", first.durationMs);
      return first;
    }
    this.#progress.done("as is", first.exitCode === 0 ? "reaches no mock" : "fails", first.durationMs);
    this.#progress.clear();
    if (first.exitCode === 0) {
      process.stderr.write(`${nothingSeen}\n`);
      return undefined;
    }
    this.#hasBreaks = true;
    process.stderr.write(`${lastLines(first.log)}\n`);
    const how = first.hangs ? `did not end within ${limit / 1000} s` : `fail (exit code ${first.exitCode})`;
    const message = `The tests ${how} before anything is changed. Make them pass first. All of their output: ${first.log}`;
    throw new MockError("baseline", message);
  }

  /** Makes the runs of a plan, some at once. What has no finding is left out. */
  async runAll<Finding extends { readonly result: string }>(
    plan: readonly PlannedRun<Finding>[],
  ): Promise<(Finding & Evidence)[]> {
    const found: (Finding & Evidence)[] = [];
    const firstMs = this.#first?.durationMs ?? 0;
    const timeoutMs = this.#runTimeoutMs() ?? Math.max(minRunMs, firstMs * 10);
    this.#progress?.expect(plan.length, this.#concurrency, firstMs);
    let isOver = false;
    // The workers share one iterator, so that each run is made once.
    const left = plan.entries();
    const work = async () => {
      for (const [index, { name, changed, inject = null, judge }] of left) {
        if (isOver || this.#runner?.isStopped) return;
        const assume = { ...this.settings.assume, ...(changed && Object.fromEntries([changed])) };
        const instructions = { assume, inject, learns: false };
        const result = await this.#run({ name, instructions, timeoutMs });
        if (result === undefined) continue;
        const finding = judge(result);
        const { exitCode, durationMs, log } = result;
        const repeat = repeatLine({ ...this.#given, changed, inject });
        found[index] = { ...finding, exitCode, durationMs, log, repeat };
        this.#progress?.done(name, finding.result, durationMs);
        if (!isBreak(finding)) continue;
        this.#hasBreaks = true;
        if (this.#flags.bail) isOver = true;
      }
    };
    await Promise.all(Array.from({ length: this.#concurrency }, work));
    return found.filter((finding) => finding !== undefined);
  }

  /** The exit code, once the table is printed. */
  end(hasFindings: boolean): number {
    for (const line of this.#unfound) process.stderr.write(`${line}\n`);
    // Kept where something names them: JSON names all logs, a screen those of breaks.
    const areNamed = this.#hasBreaks || this.#unfound.length > 0 || this.#flags.json;
    if (!areNamed && this.#flags.logs === undefined) rmSync(this.#logs, { recursive: true, force: true });
    if (this.#interrupted !== undefined) return this.#interrupted;
    if (this.#unfound.length > 0) return couldNotLook;
    return this.#flags.strict && hasFindings ? 1 : 0;
  }

  get isInterrupted(): boolean {
    return this.#interrupted !== undefined;
  }

  clearProgress(): void {
    this.#progress?.clear();
  }

  /** Undefined when there is no finding: the command was ended by a signal, by us or by others. */
  async #run(plan: { name: string; instructions: Omit<GivenInstructions, "reports">; timeoutMs: number }) {
    this.#progress?.begin(plan.name);
    const result = await this.#runner?.run({ ...plan, settings: this.settings });
    if (result === undefined || this.#runner?.isStopped) return undefined;
    if (result.signal === null) return result;
    this.#progress?.done(plan.name, `ended by ${result.signal}`, result.durationMs);
    this.#unfound.push(
      `${plan.name}: the command was ended by ${result.signal}, so there is no finding. Its output: ${result.log}`,
    );
    return undefined;
  }

  #runTimeoutMs(): number | undefined {
    const { runTimeout } = this.#flags;
    return runTimeout === undefined ? undefined : countOf("--run-timeout", runTimeout, 100_000) * 1000;
  }
}

const nothingSeen = [
  "No call of the first run reached a mock, so there is nothing to find.",
  "Looked for: calls to the server at USERGROUP_MOCK_URL, and mocks that the command starts itself (startMock, a test",
  "framework's fixture, the command line), in every process of the command.",
  "Try: let your program read its base URL from USERGROUP_MOCK_URL and its token from USERGROUP_MOCK_API_TOKEN, or pass",
  "them under names that it reads: --set API_URL={url} --set API_TOKEN={apiToken}. More: node_modules/usergroup-mock/docs/troubleshooting.md.",
].join("\n");

/** For so many breaks the screen shows log and command; `--json` has all of them. */
const shownBreaks = 5;

/** What broke: the end of the first output, and where to find it and how to repeat it. */
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

/** What is read of a log, in bytes, and what is shown of a line, in characters. */
const tailBytes = 64_000;
const shownCharacters = 500;

function endOfFile(path: string): string {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    // Minutes of runs are behind: what was found counts, also when somebody has cleaned up.
    return `(this log cannot be read: ${thrown(error).message})`;
  }
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, tailBytes));
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString();
  } finally {
    closeSync(file);
  }
}

/** The last lines of a log, indented, for a screen. */
function lastLines(log: string): string {
  const lines = endOfFile(log).trimEnd().split("\n");
  const shown = lines.slice(-shownLines).map((line) => {
    const text = printable(line.replaceAll("\t", "  ").trimEnd());
    return `  | ${text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text}`;
  });
  return lines.length > shownLines ? ["  | …", ...shown].join("\n") : shown.join("\n");
}
