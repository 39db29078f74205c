import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MockError } from "../../foundation/mock-error.js";
import type { Settings } from "../../options/resolve-options.js";
import type { Injection } from "../../run/injection.js";
import { Run } from "../../run/run.js";
import type { FlagsOf } from "../commands.js";
import { killTree } from "../platform.js";
import { Progress } from "../progress.js";
import { type CommandEnd, type CommandRun, type GivenCommand, runCommand } from "../run-command.js";
import { onInterrupt } from "../signals.js";
import { lastLines, reportBeside } from "./evidence.js";
import type { Matrix } from "./matrix.js";
import { repeatLine } from "./repeat-line.js";

/** `explore` could not look: not what 1 means, which is a finding. */
export const couldNotLook = 2;

/** In seconds. A run that takes ten times as long as the first one hangs; but it gets at least this long. */
const minRunTimeout = 30;

/** In seconds. The first run may be slow: nobody knows yet how long it takes. */
const firstRunTimeout = 600;

/** A run of the command, and what is different in it. */
export interface PlannedRun {
  /** For progress, and the name of its log. */
  readonly name: string;
  /** Assumptions with another value. */
  readonly assume?: Readonly<Record<string, string>>;
  /** Failures, each at a call of its own. */
  readonly inject?: readonly Injection[];
  /** Whether the run learns the names of the requests. */
  readonly learns?: boolean;
  /** The command, if it is not the one that was given. */
  readonly argv?: readonly string[];
  /** How much longer than others it may take, in milliseconds. */
  readonly extraMs?: number;
}

/** How a run ended, and what the mocks saw. */
export interface RunResult extends CommandEnd {
  /** It had to be ended. */
  readonly hangs: boolean;
  /** The file with its output. */
  readonly log: string;
}

/** What an exploration has found. */
export interface Found {
  /** What to print. */
  readonly text: string;
  readonly hasBreaks: boolean;
  readonly matrix: Matrix;
  /** The most important lines, for the page of `--report`. */
  readonly summary: readonly string[];
}

/** Which runs to make, one after the other: what is next may depend on what earlier runs have shown. */
export interface RunPlan<Planned extends PlannedRun> {
  /** How many runs are planned now, without those that are under way. */
  readonly left: () => number;
  /** The next run, which is no longer planned then. Undefined when there is nothing to run. */
  readonly next: () => Planned | undefined;
  /** Keeps what a run has shown. Returns it in a few words, for progress. */
  readonly judge: (run: Planned, result: RunResult) => string;
}

/** The runs of one `explore`: settings, progress, interruption, logs. */
export class Exploration {
  readonly #given: GivenCommand;
  readonly #command: CommandRun["command"];
  readonly #settings: Settings;
  readonly #flags: FlagsOf<"explore">;
  readonly #outer = Run.join(process.env);
  readonly #logs: string;
  readonly #stopping = new AbortController();
  /** The exit code when a signal has ended it all. */
  #interrupted: number | undefined;
  #runs = 0;
  #firstMs = 0;
  /** Messages about runs that have no finding. */
  readonly #unfound: string[] = [];
  readonly progress: Progress;

  /** @param expected how many runs will follow the first one, where that is known */
  constructor(
    given: GivenCommand,
    command: CommandRun["command"],
    settings: Settings,
    flags: FlagsOf<"explore">,
    expected = 0,
  ) {
    this.#given = given;
    this.#command = command;
    // Standard output is for what was found: a log that the environment asks for does not belong there.
    this.#settings = { ...settings, log: "silent", pins: {} };
    this.#flags = flags;
    this.progress = new Progress(expected + 1);
    // A page links to the reports of the runs, so they stay with it.
    const besidePage = settings.report?.replace(/\.html?$/, "").concat("-runs");
    const logs = flags.logs ?? besidePage ?? mkdtempSync(join(tmpdir(), "usergroup-mock-explore-"));
    this.#logs = resolve(logs);
    onInterrupt((exitCode) => {
      this.#interrupted = exitCode;
      this.#stopping.abort();
    });
  }

  /** Runs the command as it is. Undefined, with words on standard error, when nothing can be found then. */
  async first(learns: boolean): Promise<RunResult | undefined> {
    const { runTimeout = firstRunTimeout } = this.#flags;
    const first = await this.#run({ name: "as is", learns }, runTimeout);
    if (first === undefined) return undefined;
    const { exitCode, durationMs, log, hangs, seen } = first;
    this.#firstMs = durationMs;
    const result = exitCode !== 0 ? "fails" : seen.isReached ? "passes" : "reaches no mock";
    this.progress.done("as is", result);
    if (result === "passes") return first;
    this.progress.clear();
    if (result === "reaches no mock") {
      process.stderr.write(`${nothingSeen}\n`);
      return undefined;
    }
    process.stderr.write(`${await lastLines(log)}\n`);
    const how = hangs ? `did not end within ${runTimeout} s` : `fail (exit code ${exitCode})`;
    const message = `The tests ${how} before anything is changed. Make them pass first. All of their output: ${log}`;
    throw new MockError("baseline", message);
  }

  /** Makes runs as long as there is a next one, some at once. A run that was ended by a signal is not judged. */
  async runAll<Planned extends PlannedRun>(plan: RunPlan<Planned>): Promise<void> {
    const usual = Math.max(minRunTimeout, (this.#firstMs * 10) / 1000);
    const { concurrency = 1, runTimeout = usual } = this.#flags;
    const work = async () => {
      while (!this.#stopping.signal.aborted) {
        this.progress.expect(plan.left());
        const run = plan.next();
        if (run === undefined) return;
        const result = await this.#run(run, runTimeout + (run.extraMs ?? 0) / 1000);
        if (result !== undefined) this.progress.done(run.name, plan.judge(run, result));
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    this.progress.clear();
  }

  /** The command line that makes a run again. */
  repeatLine(run: Pick<PlannedRun, "assume" | "inject" | "argv">): string {
    return repeatLine({ ...this.#given, argv: run.argv ?? this.argv }, run);
  }

  get #hasPage(): boolean {
    return this.#settings.report !== undefined;
  }

  /** The command that was given. */
  get argv(): readonly string[] {
    return this.#given.argv;
  }

  /**
   * The exit code, once everything is printed.
   * @param found undefined when nothing could be found
   */
  end(found: Found | undefined): number {
    for (const line of this.#unfound) process.stderr.write(`${line}\n`);
    const { json, logs, strict } = this.#flags;
    // Kept where something names them: JSON names all logs, a screen those of breaks.
    const areNamed =
      found?.hasBreaks || this.#unfound.length > 0 || (found !== undefined && (json || this.#hasPage));
    if (!areNamed && logs === undefined) rmSync(this.#logs, { recursive: true, force: true });
    if (this.#interrupted !== undefined) return this.#interrupted;
    if (found === undefined || this.#unfound.length > 0) return couldNotLook;
    return strict && found.hasBreaks ? 1 : 0;
  }

  get isInterrupted(): boolean {
    return this.#interrupted !== undefined;
  }

  /** Undefined when there is no finding: the command was ended by a signal, by us or by others. */
  async #run({ name, assume, inject = [], learns = false, argv }: PlannedRun, timeout: number) {
    this.progress.begin(name);
    const stop = this.#stopping.signal;
    let hangs = false;
    const number = String(++this.#runs).padStart(3, "0");
    const log = join(this.#logs, `${number}-${name.replace(/[^\w.=#-]+/g, "_").slice(0, 100)}.log`);
    // The folder may be that of the last time, or may have been cleaned up since the last run.
    mkdirSync(this.#logs, { recursive: true });
    rmSync(reportBeside(log), { force: true });
    // A file, because a pipe that a leftover child keeps open would have to be waited for.
    const output = openSync(log, "w");
    const ended = await runCommand({
      command: argv === undefined ? this.#command : withArgv(this.#command, argv),
      settings: this.#settings,
      instructions: {
        assume: { ...this.#settings.assume, ...assume },
        inject,
        learns,
        reports: true,
      },
      outer: this.#outer,
      stdio: ["ignore", output, output],
      stop,
      testReports: log.replace(/\.log$/, "-tests"),
      onStart(child) {
        const kill = () => killTree(child.pid);
        const late = () => {
          hangs = true;
          kill();
        };
        const timer = setTimeout(late, timeout * 1000).unref();
        stop.addEventListener("abort", kill);
        child.once("exit", () => {
          // Also ends what the command has left running.
          kill();
          clearTimeout(timer);
          stop.removeEventListener("abort", kill);
        });
      },
      reportTo: (exitCode) => (exitCode === 0 && !this.#hasPage ? undefined : reportBeside(log)),
    })
      .catch((error: unknown) => {
        if (!stop.aborted) throw error;
      })
      .finally(() => closeSync(output));
    if (ended === undefined || stop.aborted) return undefined;
    if (ended.signal === null || hangs) return { ...ended, hangs, log };
    this.progress.done(name, `ended by ${ended.signal}`);
    this.#unfound.push(
      `${name}: the command was ended by ${ended.signal}, so there is no finding. Its output: ${log}`,
    );
    return undefined;
  }
}

function withArgv(command: CommandRun["command"], [program = "", ...args]: readonly string[]) {
  return { ...command, program, args };
}

const nothingSeen = [
  "No call of the first run reached a mock, so there is nothing to find.",
  "Looked for: calls to the server at USERGROUP_MOCK_URL, and mocks that the command starts itself (startMock, a test",
  "framework's fixture, the command line), in every process of the command.",
  "Try: let your program read its base URL from USERGROUP_MOCK_URL and its token from USERGROUP_MOCK_API_TOKEN, or pass",
  "them under names that it reads: --set API_URL={url} --set API_TOKEN={apiToken}. More: node_modules/usergroup-mock/docs/troubleshooting.md.",
].join("\n");
