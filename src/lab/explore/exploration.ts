import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { MockError } from "../../contract/mock-error.js";
import { onInterrupt } from "../../foundation/terminal.js";
import type { Settings } from "../../options/resolve-options.js";
import type { Injection } from "../../run/injection.js";
import { openRun, temporaryFolder } from "../../run/run-folder.js";
import { killTree } from "../platform.js";
import { Progress } from "../progress.js";
import { type CommandEnd, type GivenCommand, runCommand } from "../run-command.js";
import { breaksIn, type Evidence, type Found, lastLines, reportBeside } from "./findings.js";
import { repeatLine } from "./repeat-line.js";

export interface ExploreFlags {
  readonly faults?: boolean;
  readonly only?: readonly string[];
  readonly all?: boolean;
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly concurrency?: number;
  readonly logs?: string;
  readonly runTimeout?: number;
  readonly maxRuns?: number;
}

/** The exit code if nothing could be found out. With `--strict`, 1 is a break. */
const nothingFound = 2;

/** In seconds. A run that takes ten times as long as the first one hangs, but not before this time. */
const minRunTimeout = 30;

const firstRun = "first run";

/** In seconds. */
const firstRunTimeout = 600;

/** In milliseconds: a whole number, or Node throws. A longer timer would end at once. */
const asTimer = (seconds: number) => Math.min(Math.ceil(seconds * 1000), 2 ** 31 - 1);

/** A run of the command, and what is different in it. */
export interface PlannedRun {
  /** Shown as progress, and part of the name of its log. */
  readonly name: string;
  /** Assumptions with another value. */
  readonly assume?: Readonly<Record<string, string>>;
  /** Failures, each at another request. */
  readonly inject?: readonly Injection[];
  /** Whether the run learns the names of the requests. */
  readonly learns?: boolean;
  /** How much longer than others it may take, in milliseconds. */
  readonly extraMs?: number;
}

/** A run that has ended, and what the mocks saw. */
export interface EndedRun<Planned extends PlannedRun = PlannedRun> extends CommandEnd {
  readonly run: Planned;
  /** Whether it took too long and was killed. */
  readonly hangs: boolean;
  /** The file with its output. */
  readonly log: string;
}

/** The runs of one `explore`: settings, progress, interruption, logs. */
export class Exploration {
  readonly #given: GivenCommand;
  readonly #settings: Settings;
  readonly #flags: ExploreFlags;
  readonly #outer = openRun(process.env);
  /** The folder for the output and the reports of the runs. */
  readonly logs: string;
  /** Aborted by a signal. The reason is our exit code. */
  readonly #stopping = new AbortController();
  #runs = 0;
  #firstMs = 0;
  // What a run shows decides which ones follow.
  readonly progress = new Progress(true);

  constructor(given: GivenCommand, settings: Settings, flags: ExploreFlags) {
    this.#given = given;
    // Standard output is for the findings: ignore a log of requests that the environment asks for.
    this.#settings = { ...settings, log: "silent", pins: {} };
    this.#flags = flags;
    // The page of --report links to the reports of the runs, so they are kept beside it.
    const besidePage = settings.report?.replace(/\.html?$/, "").concat("-runs");
    const logs = flags.logs ?? besidePage ?? temporaryFolder("usergroup-mock-explore-");
    this.logs = resolve(logs);
    mkdirSync(this.logs, { recursive: true });
    onInterrupt((exitCode) => this.#stopping.abort(exitCode));
  }

  /** Runs the command without a change. Undefined if it was interrupted or used no mock. */
  async first(learns: boolean): Promise<EndedRun | undefined> {
    const { runTimeout = firstRunTimeout } = this.#flags;
    const first = await this.#run({ name: firstRun, learns }, runTimeout);
    if (first === undefined) return undefined;
    const { exitCode, durationMs, log, hangs, seen } = first;
    this.#firstMs = durationMs;
    if (exitCode === 0 && seen.isReached) return first;
    this.progress.done(firstRun, exitCode === 0 ? "does not reach a mock" : "fails");
    if (exitCode === 0) return this.giveUp(nothingSeen);
    this.giveUp(lastLines(log));
    const how = hangs ? `did not end within ${runTimeout} s` : `fail (exit code ${exitCode})`;
    const message = `Your tests ${how} in the first run, which changes nothing. Make them pass first. Full output: ${log}`;
    throw new MockError("baseline", message);
  }

  /** Prints why nothing can be found out. */
  giveUp(message: string): undefined {
    this.progress.clear();
    process.stderr.write(`${message}\n`);
  }

  /**
   * The loop that carries out a plan, `--concurrency` runs at a time. A run that was ended by a signal shows nothing.
   * @param plan computes what to run next from the runs that have ended and those that have not. `next` is undefined if
   * nothing is left to try, or if it depends on the latter; `left` is how many runs will follow them
   */
  async carryOut<Planned extends PlannedRun>(
    plan: (
      ended: readonly EndedRun<Planned>[],
      running: readonly Planned[],
    ) => { readonly next: Planned | undefined; readonly left: number },
  ): Promise<readonly EndedRun<Planned>[]> {
    const usual = Math.max(minRunTimeout, (this.#firstMs * 10) / 1000);
    const { concurrency = 1, runTimeout = usual } = this.#flags;
    const ended: EndedRun<Planned>[] = [];
    const running = new Set<Planned>();
    const planNow = () => plan(ended, [...running]);
    const showProgress = (name: string, result: string) => {
      this.progress.expect(planNow().left);
      this.progress.done(name, result);
    };
    showProgress(firstRun, "passes");
    const work = async () => {
      for (let { next: run } = planNow(); run !== undefined && !this.isInterrupted; run = planNow().next) {
        running.add(run);
        const result = await this.#run(run, runTimeout + (run.extraMs ?? 0) / 1000);
        running.delete(run);
        if (result === undefined) return;
        ended.push(result);
        showProgress(run.name, result.hangs ? "hangs" : result.exitCode === 0 ? "passes" : "fails");
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    this.progress.clear();
    return ended;
  }

  /** @param change what is different in the run */
  evidence({ exitCode, durationMs, log }: EndedRun, change: Omit<PlannedRun, "name">): Evidence {
    return { exitCode, durationMs, log, repeat: repeatLine(this.#given, change) };
  }

  /**
   * The exit code, once everything is printed.
   * @param found undefined if nothing could be found out
   */
  end(found: Found | undefined): number {
    const { json, logs, strict } = this.#flags;
    const hasBreaks = found !== undefined && breaksIn(found).length > 0;
    // JSON and the page name all logs, the screen names those of breaks and of flaky tests.
    const namesAll = found !== undefined && (json || this.#settings.report !== undefined);
    const namesSome =
      hasBreaks || found?.rows.some(({ cells }) => cells.some(({ result }) => result === "flaky"));
    if (!namesSome && !namesAll && logs === undefined) rmSync(this.logs, { recursive: true, force: true });
    if (this.isInterrupted) return Number(this.#stopping.signal.reason);
    if (found === undefined) return nothingFound;
    return strict && hasBreaks ? 1 : 0;
  }

  get isInterrupted(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Undefined if a signal to explore ended the run, so that nothing is known. */
  async #run<Planned extends PlannedRun>(run: Planned, timeout: number) {
    const { name, assume, inject = [], learns = false } = run;
    this.progress.begin(name);
    const stop = this.#stopping.signal;
    const limit = AbortSignal.timeout(asTimer(timeout));
    const exited = new AbortController();
    let hangs = false;
    const number = String(++this.#runs).padStart(3, "0");
    const log = join(this.logs, `${number}-${name.replace(/[^\w.=#-]+/g, "_").slice(0, 100)}.log`);
    // An earlier exploration may have left one.
    rmSync(reportBeside(log), { force: true });
    // Not a pipe: a child that outlives the command would keep it open.
    const output = openSync(log, "w");
    const [program = "", ...args] = this.#given.argv;
    const { assume: given, report } = this.#settings;
    const ended = await runCommand({
      command: { program, args },
      settings: this.#settings,
      instructions: {
        assume: { ...given, ...assume },
        tried: Object.keys(assume ?? {}),
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
        for (const signal of [stop, limit]) signal.addEventListener("abort", kill, { signal: exited.signal });
        child.once("exit", () => {
          hangs = limit.aborted;
          exited.abort();
          // Kills the processes that the command has left running.
          kill();
        });
      },
      reportTo: (exitCode) => (exitCode === 0 && report === undefined ? undefined : reportBeside(log)),
    })
      .catch((error: unknown) => {
        if (!stop.aborted) throw error;
      })
      .finally(() => closeSync(output));
    if (ended === undefined || stop.aborted) return undefined;
    if (ended.seen.problem !== undefined) throw new MockError("no_run", ended.seen.problem);
    return { ...ended, run, hangs, log };
  }
}

const nothingSeen =
  "No request of the first run reached a mock, so there is nothing to explore. Let your program read its base URL from" +
  " USERGROUP_MOCK_URL and its token from USERGROUP_MOCK_API_TOKEN, or pass them under other names:" +
  " --set API_URL={url} --set API_TOKEN={apiToken}. See node_modules/usergroup-mock/docs/troubleshooting.md.";
