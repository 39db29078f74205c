import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { MockError } from "../../fake/contract/mock-error.js";
import { onInterrupt } from "../../foundation/terminal.js";
import type { GivenCommand } from "../../options/given-command.js";
import type { Settings } from "../../options/resolve-options.js";
import { temporaryFolder } from "../../run/begin-run.js";
import { Progress } from "../progress.js";
import { killTree, runCommand } from "../run-command.js";
import type { Change, EndedRun, PlannedRun } from "./changes.js";
import { type Cell, type Found, isBreak, lastLines, reportBeside } from "./findings.js";
import { type Plan, planRuns } from "./plan-runs.js";

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

const firstRun = "first run";

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
  /** The folder for the output and the reports of the runs. */
  readonly logs: string;
  /** Aborted by a signal. The reason is our exit code. */
  readonly #stopping = new AbortController();
  #runs = 0;
  // What a run shows decides which ones follow.
  readonly progress = new Progress(true);

  constructor(given: GivenCommand, settings: Settings, flags: ExploreFlags) {
    this.given = given;
    this.flags = flags;
    // Standard output is for the findings: ignore a log of requests that the environment asks for.
    this.#settings = { ...settings, log: "silent", pins: {} };
    // The page of --report links to the reports of the runs, so they are kept beside it.
    const besidePage = flags.report?.replace(/\.html?$/, "").concat("-runs");
    const logs = flags.logs ?? besidePage ?? temporaryFolder("usergroup-mock-explore-");
    this.logs = resolve(logs);
    mkdirSync(this.logs, { recursive: true });
    onInterrupt((exitCode) => this.#stopping.abort(exitCode));
  }

  /** Runs the command without a change. Undefined if it was interrupted. */
  async first(): Promise<EndedRun | undefined> {
    const { runTimeout = firstRunTimeout } = this.flags;
    const first = await this.#run({ name: firstRun, changes: [] }, runTimeout);
    if (first === undefined || (first.exitCode === 0 && first.seen.isReached)) return first;
    const { exitCode, log, hangs } = first;
    this.progress.done(firstRun, exitCode === 0 ? "does not reach a mock" : "fails");
    if (exitCode === 0) throw new MockError("nothing_found", nothingSeen);
    process.stderr.write(`${lastLines(log)}\n`);
    const how = hangs ? `did not end within ${runTimeout} s` : `fail (exit code ${exitCode})`;
    const message = `Your tests ${how} in the first run, which changes nothing. Make them pass first. Full output: ${log}`;
    throw new MockError("baseline", message);
  }

  /** Makes the runs that the plan asks for, `--concurrency` at a time. A run that was ended by a signal shows nothing. */
  async carryOut(changes: readonly Change[], first: EndedRun): Promise<Plan> {
    const usual = Math.max(minRunTimeout, (first.durationMs * 10) / 1000);
    const { concurrency = 1, runTimeout = usual, maxRuns = defaultMaxRuns } = this.flags;
    const ended: EndedRun[] = [];
    const running = new Set<PlannedRun>();
    const planNow = () => planRuns({ changes, first, maxRuns }, ended, [...running]);
    const showProgress = (name: string, result: string) => {
      this.progress.expect(planNow().left);
      this.progress.done(name, result);
    };
    showProgress(firstRun, "passes");
    const work = async () => {
      for (let { next: run } = planNow(); run !== undefined && !this.isInterrupted; run = planNow().next) {
        running.add(run);
        const result = await this.#run(run, runTimeout);
        running.delete(run);
        if (result === undefined) return;
        ended.push(result);
        showProgress(run.name, result.hangs ? "hangs" : result.exitCode === 0 ? "passes" : "fails");
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    this.progress.clear();
    return planNow();
  }

  /** The exit code, once everything is printed. Without `found`, nothing could be found out. */
  end(found?: Found): number {
    const { json, logs, strict } = this.flags;
    const cells = found?.rows.flatMap((row) => row.cells) ?? [];
    // JSON and the page name all logs, the screen names those of breaks and of flaky tests.
    const isNamed = (cell: Cell) => json || this.flags.report || isBreak(cell) || cell.result === "flaky";
    if (logs === undefined && !cells.some(isNamed)) rmSync(this.logs, { recursive: true, force: true });
    if (this.isInterrupted) return Number(this.#stopping.signal.reason);
    if (found === undefined) return 2;
    return strict && cells.some(isBreak) ? 1 : 0;
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
    const number = String(++this.#runs).padStart(3, "0");
    const log = join(this.logs, `${number}-${name.replace(/[^\w.=#-]+/g, "_").slice(0, 100)}.log`);
    const report = { path: reportBeside(log), always: this.flags.report !== undefined };
    // An earlier exploration may have left one.
    rmSync(report.path, { force: true });
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
      testReports: log.replace(/\.log$/, "-tests"),
      report,
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

const nothingSeen =
  "No request of the first run reached a mock, so there is nothing to explore. Let your program read its base URL from" +
  " USERGROUP_MOCK_URL and its token from USERGROUP_MOCK_API_TOKEN, or pass them under other names:" +
  " --set API_URL={url} --set API_TOKEN={apiToken}. See node_modules/usergroup-mock/docs/troubleshooting.md.";
