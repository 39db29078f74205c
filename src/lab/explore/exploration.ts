import { closeSync, openSync } from "node:fs";
import { MockError } from "../../fake/contract/mock-error.js";
import { printFailure } from "../../foundation/terminal.js";
import type { GivenCommand } from "../../options/given-command.js";
import type { Settings } from "../../options/resolve-options.js";
import { Progress } from "../progress.js";
import { killTree, runCommand } from "../run-command.js";
import type { EndedRun } from "./changes.js";
import { LogFolder, lastLines } from "./log-folder.js";
import type { Round } from "./plan-rounds.js";
import { changeLabel } from "./test-label.js";

export interface ExploreFlags {
  readonly faults?: boolean;
  readonly only?: readonly string[];
  readonly all?: boolean;
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly concurrency?: number;
  readonly logs?: string;
  readonly silence?: number;
  readonly runTimeout?: number;
  readonly maxRuns?: number;
}

/** In seconds. A run that takes ten times as long as the first one hangs, but not before this time. */
const minRunTimeout = 30;

/** In seconds. */
const firstRunTimeout = 600;

const defaultMaxRuns = 200;

/** In seconds: what most clients wait for is over, and most frameworks have not given up the test yet. */
const defaultSilence = 3;

/** A whole number, or Node throws. A longer timer would end at once. */
const asTimer = (ms: number) => Math.min(Math.ceil(ms), 2 ** 31 - 1);

/** The runs of one `explore`: settings, progress, interruption, logs. */
export class Exploration {
  readonly given: GivenCommand;
  readonly flags: ExploreFlags;
  readonly logs: LogFolder;
  readonly progress = new Progress();
  /** Also the first one. */
  readonly ended: EndedRun[] = [];
  /** How long an injected `silent` lasts, in seconds. */
  readonly silence: number;
  readonly #settings: Settings;
  /** Aborted to end all runs. */
  readonly #stopping = new AbortController();
  #stopped: { readonly exitCode: number; readonly why: string } | undefined;
  /** The ids of tests that fail although the command succeeds, such as a todo of node:test: they show nothing. */
  readonly #expectedToFail = new Set<string>();
  #begun = 0;
  #isCutShort = false;

  constructor(given: GivenCommand, settings: Settings, flags: ExploreFlags) {
    this.given = given;
    this.flags = flags;
    this.silence = flags.silence ?? defaultSilence;
    // Standard output is for the findings: ignore a log of requests that the environment asks for.
    this.#settings = { ...settings, log: "silent", pins: {} };
    this.logs = new LogFolder(flags.logs);
  }

  /** Runs the command without a change. Undefined if it was interrupted. */
  async first(): Promise<EndedRun | undefined> {
    const { runTimeout = firstRunTimeout } = this.flags;
    const first = await this.#run([], runTimeout);
    if (first === undefined) return undefined;
    const { exitCode, log, hangs, seen } = first;
    if (exitCode === 0 && seen.isReached) {
      for (const { id, result } of seen.tests) if (result === "failed") this.#expectedToFail.add(id);
      this.progress.done(nameOf(first), "passes");
      return this.#add(first);
    }
    this.progress.done(nameOf(first), exitCode === 0 ? "does not reach a mock" : "fails");
    if (exitCode === 0) throw new MockError("nothing_found", nothingSeen);
    this.logs.keep(first);
    process.stderr.write(`${lastLines(log)}\n`);
    const how = hangs ? `did not end within ${runTimeout} s` : `fail (exit code ${exitCode})`;
    const message = `Your tests ${how} in the first run, which changes nothing. Make them pass first. Full output: ${log}`;
    throw new MockError("baseline", message);
  }

  /**
   * Prints what is coming.
   * @param planned how many runs there will be at least, with the first one
   * @param more about how many will follow, to confirm what has failed
   */
  announce(what: string, planned: number, more: number): void {
    const { maxRuns } = this;
    const about = planned + more;
    const limit = about > maxRuns ? `; --max-runs allows ${maxRuns}` : "";
    this.progress.print(`${what}, about ${about} runs${limit}`);
    this.progress.expect(Math.min(planned, maxRuns));
  }

  /** Makes runs with these changes, `--concurrency` at a time. False if not all of them could be made. */
  async make(rounds: readonly Round[]): Promise<boolean> {
    const [first] = this.ended;
    const usual = Math.max(minRunTimeout, ((first?.durationMs ?? 0) * 10) / 1000);
    const waiting = rounds.slice(0, Math.max(0, this.maxRuns - this.ended.length));
    this.progress.expect(this.ended.length + waiting.length);
    const before = this.ended.length;
    const work = async () => {
      for (let round = waiting.shift(); round !== undefined; round = waiting.shift()) {
        // A client waits for the end of a silence, whatever else it does.
        const seconds = (this.flags.runTimeout ?? usual) + round.length * this.silence;
        const ended = await this.#run(round, seconds).catch((error: unknown) => this.#stopFor(error));
        if (ended === undefined) return;
        this.#add(ended);
        this.progress.done(nameOf(ended), outcomeOf(ended));
      }
    };
    await Promise.all(Array.from({ length: this.flags.concurrency ?? 1 }, work));
    const isComplete = this.ended.length - before === rounds.length;
    if (!isComplete) this.#isCutShort = true;
    return isComplete;
  }

  /** Why runs that were planned are missing. Undefined if none is. */
  get endedEarly(): string | undefined {
    return this.#isCutShort ? (this.#stopped?.why ?? `--max-runs ${this.maxRuns}`) : undefined;
  }

  /** That of what has stopped explore, or else this one. */
  exitCode(otherwise: number): number {
    return this.#stopped?.exitCode ?? otherwise;
  }

  /** With the first one. */
  get maxRuns(): number {
    return this.flags.maxRuns ?? defaultMaxRuns;
  }

  /** Ends all runs. The first reason counts. */
  stop(exitCode: number, why: string): void {
    this.#stopped ??= { exitCode, why };
    this.#stopping.abort();
  }

  /** What is known must not be lost because a disk is full in a later run. */
  #stopFor(error: unknown): undefined {
    this.progress.clear();
    printFailure(error);
    this.stop(1, "a run could not be made");
  }

  /** Adds a run without the tests that show nothing. */
  #add(run: EndedRun): EndedRun {
    const tests = run.seen.tests.filter(({ id }) => !this.#expectedToFail.has(id));
    const added = { ...run, seen: { ...run.seen, tests } };
    this.ended.push(added);
    return added;
  }

  /** Undefined if explore was stopped before the run ended, so that nothing is known. */
  async #run(changes: Round, seconds: number): Promise<EndedRun | undefined> {
    if (this.#stopped !== undefined) return undefined;
    const number = ++this.#begun;
    const name = nameOf({ number, changes });
    this.progress.begin(name);
    const stop = this.#stopping.signal;
    const limit = AbortSignal.timeout(asTimer(seconds * 1000));
    let hangs = false;
    const { log, report, tests } = this.logs.filesOf(number);
    // Not a pipe: a child that outlives the command would keep it open.
    const output = openSync(log, "w");
    const values = changes.filter(({ injection }) => injection === undefined).map(({ of, to }) => [of, to]);
    const ended = await runCommand({
      argv: this.given.argv,
      settings: this.#settings,
      instructions: {
        assume: { ...this.#settings.assume, ...Object.fromEntries(values) },
        tried: values.map(([id = ""]) => id),
        inject: changes.flatMap(({ injection }) => injection ?? []),
        learns: changes.length === 0,
        silenceMs: this.silence * 1000,
      },
      stdio: ["ignore", output, output],
      stop,
      testReports: tests,
      report: { path: report, always: false },
      onStart(child) {
        const kill = () => killTree(child.pid);
        const ends = AbortSignal.any([stop, limit]);
        ends.addEventListener("abort", kill);
        child.once("exit", () => {
          ends.removeEventListener("abort", kill);
          hangs = limit.aborted;
          // Kills the processes that the command has left running.
          kill();
        });
      },
    })
      .catch((error: unknown) => {
        if (!stop.aborted) throw error;
      })
      .finally(() => closeSync(output));
    if (ended === undefined || stop.aborted) return undefined;
    return { ...ended, number, changes, hangs, log };
  }
}

/** For the progress: the only change of a run, or how many it has. */
function nameOf({ number, changes }: Pick<EndedRun, "number" | "changes">): string {
  const [only] = changes;
  if (only === undefined) return "first run";
  return changes.length === 1 ? changeLabel(only) : `run ${number} with ${changes.length} failures`;
}

function outcomeOf({ hangs, exitCode }: EndedRun): string {
  if (hangs) return "hangs";
  return exitCode === 0 ? "passes" : "fails";
}

const nothingSeen =
  "No request of the first run reached a mock, so there is nothing to explore. Let your program read its base URL from" +
  " USERGROUP_MOCK_URL and its token from USERGROUP_MOCK_API_TOKEN, or pass them under other names:" +
  " --set API_URL={url} --set API_TOKEN={apiToken}. See node_modules/usergroup-mock/docs/troubleshooting.md.";
