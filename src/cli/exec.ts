import type { ChildProcess } from "node:child_process";
import { MockError } from "../foundation/mock-error.js";
import { parseInjection } from "../run/injection.js";
import { Run } from "../run/run.js";
import type { FlagsOf } from "./commands.js";
import { refuseFlag } from "./refuse-flag.js";
import { type GivenCommand, readCommand, runCommand, type WrittenReport } from "./run-command.js";
import { endSignals, signalExitCode } from "./signals.js";
import { printFailure, warn } from "./terminal.js";

/** The exit code if the command succeeded, but the failure that it was to meet did not happen. */
const notInjected = 2;

/** `usergroup-mock exec -- <command>`: runs a command with a server on a free port. Returns its exit code. */
export async function exec(
  given: GivenCommand,
  { inject, reportAlways = false }: FlagsOf<"exec">,
): Promise<number> {
  const injections = inject === undefined ? [] : [parseInjection(inject)];
  const { command, settings } = await readCommand("exec", given);
  const { report } = settings;
  if (reportAlways && report === undefined) {
    refuseFlag("--report-always goes with --report <file>");
  }
  const outer = Run.join(process.env);
  // What is given here beats the outer run, which beats the environment and the config file.
  const assume = { ...settings.assume, ...outer?.instructions.assume, ...settings.pins };
  const pins = outer === undefined ? {} : settings.pins;
  const signals = new Signals();
  try {
    const end = await runCommand({
      command,
      settings: { ...settings, pins },
      instructions: { assume, inject: injections, learns: false, reports: report !== undefined },
      outer,
      stdio: "inherit",
      sharesTerminal: true,
      stop: signals.stop,
      onStart: (child) => signals.forwardTo(child),
      reportTo: (exitCode) => (reportAlways || exitCode !== 0 ? report : undefined),
    });
    if (end.report !== undefined) printReport(end.report);
    if (end.seen.injected.size === injections.length) return end.exitCode;
    warn(`--inject ${inject}: no such call was made.`);
    return end.exitCode || notInjected;
  } catch (error) {
    if (signals.stop.aborted) return signals.exitCode;
    if (!(error instanceof MockError) || error.code !== "no_command") throw error;
    printFailure(error);
    return 127;
  }
}

function printReport({ path, failure, leftOut }: WrittenReport): void {
  if (failure !== undefined) warn(`the report ${path} was not written: ${failure}.`);
  else process.stderr.write(`usergroup-mock: what the mocks saw is in ${path}\n`);
  for (const sentence of leftOut) warn(`${path}: ${sentence}`);
}

/**
 * From the start, because a signal that ends the process would leave the folder of the run behind. Signals go to the
 * command while it runs. Before that they stop its start, and after that the writing of the report.
 */
class Signals {
  readonly #stopping = new AbortController();
  readonly stop = this.#stopping.signal;
  /** The exit code if a signal has stopped the start of the command. */
  exitCode = 0;
  #command: ChildProcess | undefined;

  constructor() {
    for (const signal of endSignals) process.on(signal, () => this.#handle(signal));
  }

  forwardTo(command: ChildProcess): void {
    this.#command = command;
  }

  #handle(signal: (typeof endSignals)[number]): void {
    if (this.#command === undefined || hasEnded(this.#command)) {
      this.exitCode = signalExitCode(signal);
      this.#stopping.abort();
    }
    // In a terminal, Ctrl-C also reaches the command directly. A second SIGINT could force it to quit.
    else if (signal !== "SIGINT" || !process.stdin.isTTY) this.#command.kill(signal);
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
