import { closeSync, openSync } from "node:fs";
import { MockError } from "../../fake/contract/mock-error.js";
import { onInterrupt } from "../../foundation/terminal.js";
import type { GivenCommand } from "../../options/given-command.js";
import type { Settings } from "../../options/resolve-options.js";
import { Progress } from "../progress.js";
import { killTree, runCommand } from "../run-command.js";
import type { Change, EndedRun, PlannedRun } from "./changes.js";
import { LogFolder, lastLines } from "./log-folder.js";
import { type Plan, planRuns, type Stage } from "./plan-runs.js";

export interface ExploreFlags {
  readonly faults?: boolean;
  readonly only?: readonly string[];
  readonly all?: boolean;
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly concurrency?: number;
  readonly report?: string;
  readonly logs?: string;
  readonly runTimeout?: number;
  readonly maxRuns?: number;
}

/** In seconds. A run that takes ten times as long as the first one hangs, but not before this time. */
const minRunTimeout = 30;

/** In seconds. */
const firstRunTimeout = 600;

const defaultMaxRuns = 200;

/** A whole number, or Node throws. A longer timer would end at once. */
const asTimer = (ms: number) => Math.min(Math.ceil(ms), 2 ** 31 - 1);

/** The runs of one `explore`: settings, progress, interruption, logs. */
export class Exploration {
  readonly given: GivenCommand;
  readonly flags: ExploreFlags;
  readonly #settings: Settings;
  readonly logs: LogFolder;
  /** Aborted by a signal. The reason is our exit code. */
  readonly #stopping = new AbortController();
  readonly progress = new Progress();
  /** The runs after the first one that have ended. */
  readonly #ended: EndedRun[] = [];

  constructor(given: GivenCommand, settings: Settings, flags: ExploreFlags) {
    this.given = given;
    this.flags = flags;
    // Standard output is for the findings: ignore a log of requests that the environment asks for.
    this.#settings = { ...settings, log: "silent", pins: {} };
    this.logs = new LogFolder(flags.logs);
    onInterrupt((exitCode) => this.#stopping.abort(exitCode));
  }

  /** Runs the command without a change. Undefined if it was interrupted. */
  async first(): Promise<EndedRun | undefined> {
    const { runTimeout = firstRunTimeout } = this.flags;
    const first = await this.#run({ name: "first run", changes: [] }, runTimeout);
    if (first === undefined) return undefined;
    const { exitCode, log, hangs, seen } = first;
    if (exitCode === 0 && seen.isReached) {
      this.progress.done(first.name, "passes");
      return first;
    }
    this.progress.done(first.name, exitCode === 0 ? "does not reach a mock" : "fails");
    if (exitCode === 0) throw new MockError("nothing_found", nothingSeen);
    process.stderr.write(`${lastLines(this.logs.keepLog(first))}\n`);
    const how = hangs ? `did not end within ${runTimeout} s` : `fail (exit code ${exitCode})`;
    const message = `Your tests ${how} in the first run, which changes nothing. Make them pass first. Full output: ${log}`;
    throw new MockError("baseline", message);
  }

  /**
   * Makes the runs that the plan asks for, `--concurrency` at a time. A run that was ended by a signal shows nothing.
   * @param showSeen prints what has been seen before anything is confirmed
   */
  async carryOut(
    changes: readonly Change[],
    first: EndedRun,
    showSeen: (plan: Plan) => readonly string[],
  ): Promise<Plan> {
    const usual = Math.max(minRunTimeout, (first.durationMs * 10) / 1000);
    const { runTimeout = usual, maxRuns = defaultMaxRuns } = this.flags;
    const planNow = () => planRuns({ changes, first, maxRuns }, this.#ended);
    let isShown = false;
    let plan = planNow();
    while (plan.next !== undefined && !this.isInterrupted) {
      if (plan.next.name === "confirming" && !isShown) {
        isShown = true;
        this.progress.print(showSeen(plan));
      }
      await this.#makeRuns(plan.next, runTimeout);
      plan = planNow();
    }
    this.progress.clear();
    return plan;
  }

  async #makeRuns({ runs }: Stage, runTimeout: number): Promise<void> {
    this.progress.beginStage(runs.length);
    const waiting = [...runs];
    const work = async () => {
      for (let run = waiting.shift(); run !== undefined && !this.isInterrupted; run = waiting.shift()) {
        const ended = await this.#run(run, runTimeout);
        if (ended === undefined) return;
        this.#ended.push(ended);
        this.progress.done(run.name, outcomeOf(ended));
      }
    };
    await Promise.all(Array.from({ length: this.flags.concurrency ?? 1 }, work));
  }

  /** The exit code of a signal, or else this one. */
  exitCode(otherwise: number): number {
    return this.isInterrupted ? Number(this.#stopping.signal.reason) : otherwise;
  }

  get isInterrupted(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Undefined if a signal to explore ended the run, so that nothing is known. */
  async #run(run: PlannedRun, seconds: number): Promise<EndedRun | undefined> {
    const { name, changes } = run;
    this.progress.begin(name);
    const stop = this.#stopping.signal;
    // Tests of one file may wait for their timeouts one after the other.
    const waits = changes.flatMap(({ tests }) => tests.map(({ timeoutMs = 0 }) => timeoutMs));
    const limit = AbortSignal.timeout(asTimer(waits.reduce((sum, ms) => sum + ms, seconds * 1000)));
    let hangs = false;
    const { log, report, tests } = this.logs.nextRun();
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
    return { ...ended, ...run, hangs, log };
  }
}

function outcomeOf({ hangs, exitCode }: EndedRun): string {
  if (hangs) return "hangs";
  return exitCode === 0 ? "passes" : "fails";
}

const nothingSeen =
  "No request of the first run reached a mock, so there is nothing to explore. Let your program read its base URL from" +
  " USERGROUP_MOCK_URL and its token from USERGROUP_MOCK_API_TOKEN, or pass them under other names:" +
  " --set API_URL={url} --set API_TOKEN={apiToken}. See node_modules/usergroup-mock/docs/troubleshooting.md.";
