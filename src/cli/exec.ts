import type { ChildProcess } from "node:child_process";
import { MockError } from "../foundation/mock-error.js";
import { parseInjection } from "../run/injection.js";
import { Run } from "../run/run.js";
import type { FlagsOf } from "./commands.js";
import { refuseFlag } from "./refuse-flag.js";
import { type GivenCommand, readCommand, runCommand, type WrittenReport } from "./run-command.js";
import { endSignals } from "./signals.js";
import { printFailure, warn } from "./terminal.js";

/** `usergroup-mock exec -- <command>`: runs a command with a server on a free port. Returns its exit code. */
export async function exec(
  given: GivenCommand,
  { inject, reportAlways = false }: FlagsOf<"exec">,
): Promise<number> {
  const injection = inject === undefined ? null : parseInjection(inject);
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
      instructions: { assume, inject: injection, learns: false, reports: report !== undefined },
      outer,
      stdio: "inherit",
      sharesTerminal: true,
      stop: signals.stop,
      onStart: (child) => signals.forwardTo(child),
      reportTo: (exitCode) => (reportAlways || exitCode !== 0 ? report : undefined),
    });
    if (end.report !== undefined) printReport(end.report);
    if (injection !== null && !end.seen.isInjected) warn(`--inject ${inject}: no such call was made.`);
    return end.exitCode;
  } catch (error) {
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

/** Signals go to the command while it runs. After that, they stop the writing of the report. */
class Signals {
  readonly #stopping = new AbortController();
  readonly stop = this.#stopping.signal;

  forwardTo(child: ChildProcess): void {
    const handle = (signal: NodeJS.Signals) => {
      if (child.exitCode !== null || child.signalCode !== null) this.#stopping.abort();
      // In a terminal, Ctrl-C also reaches the command directly. A second SIGINT could force it to quit.
      else if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    };
    for (const signal of endSignals) process.on(signal, handle);
  }
}
