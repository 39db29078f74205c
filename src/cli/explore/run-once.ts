import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { saveText } from "../../foundation/save-text.js";
import { reportPage } from "../../http/report-page.js";
import { startServer } from "../../mock/start-server.js";
import { version } from "../../mock/version.js";
import type { Settings } from "../../options/resolve-options.js";
import { type GivenInstructions, Run, type RunSeen } from "../../run/run.js";
import { collectReports } from "../../run/run-reports.js";
import { killTree } from "../platform.js";
import { type ChildCommand, endOf, startCommand } from "../run-command.js";

/** What a run of the command is like. */
export interface RunPlan {
  /** Also the name of its log. */
  readonly name: string;
  readonly settings: Settings;
  readonly instructions: Omit<GivenInstructions, "reports">;
  /** After so long it is ended. */
  readonly timeoutMs: number;
}

/** How it ended, and what the mocks saw. */
export interface RunResult {
  readonly exitCode: number;
  /** The signal that ended it, where it was not ours. */
  readonly signal: string | null;
  /** It had to be ended. */
  readonly hangs: boolean;
  readonly durationMs: number;
  /** The file with its output. */
  readonly log: string;
  readonly seen: RunSeen;
}

/** Runs a command again and again, each time with a server of its own. */
export class CommandRunner {
  readonly #command: ChildCommand;
  readonly #logs: string;
  readonly #outer = Run.join(process.env);
  readonly #kills = new Set<() => void>();
  #count = 0;
  isStopped = false;

  constructor(command: ChildCommand, logs: string) {
    this.#command = command;
    this.#logs = logs;
  }

  /** Undefined when it was stopped before the command began. */
  async run({ name, settings, instructions, timeoutMs }: RunPlan): Promise<RunResult | undefined> {
    const number = String(++this.#count).padStart(3, "0");
    const log = join(this.#logs, `${number}-${name.replace(/[^\w.=#-]+/g, "_").slice(0, 100)}.log`);
    // The folder may be that of the last time, or may have been cleaned up since the last run.
    mkdirSync(this.#logs, { recursive: true });
    const output = openSync(log, "w");
    rmSync(reportBeside(log), { force: true });
    const run = Run.begin({ ...instructions, reports: true }, this.#outer);
    let kill = () => {};
    try {
      const { mock } = await startServer({ ...settings, pins: {}, report: undefined, logTo: "stderr" }, run);
      try {
        if (this.isStopped) return undefined;
        const began = performance.now();
        // Its own process group, so that its child processes can be ended too. A file, because a pipe that a leftover
        // child keeps open would have to be waited for.
        const child = startCommand(this.#command, mock, run, ["ignore", output, output], true);
        kill = () => killTree(child.pid);
        this.#kills.add(kill);
        let hangs = false;
        const timeout = setTimeout(() => {
          hangs = true;
          kill();
        }, timeoutMs);
        const { exitCode, signal } = await endOf(child, this.#command.program).finally(() =>
          clearTimeout(timeout),
        );
        const durationMs = Math.round(performance.now() - began);
        kill();
        await mock.stop();
        if (exitCode !== 0) await saveText(reportBeside(log), reportPage(collectReports(run, version)));
        return { exitCode, signal: hangs ? null : signal, hangs, durationMs, log, seen: run.seen() };
      } finally {
        kill();
        await mock.stop();
      }
    } finally {
      this.#kills.delete(kill);
      closeSync(output);
      run.remove();
    }
  }

  /** Ends the runs that are under way. */
  stop(): void {
    this.isStopped = true;
    for (const kill of this.#kills) kill();
  }
}

/** What the mocks of a run that failed saw. */
export function reportBeside(log: string): string {
  return log.replace(/\.log$/, ".html");
}
