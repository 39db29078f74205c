import type { ChildProcess } from "node:child_process";
import { MockError } from "../contract/mock-error.js";
import { endSignals, printFailure, signalExitCode, warn } from "../foundation/terminal.js";
import { rejectFlag } from "../options/reject-flag.js";
import { injectionText, parseInjection } from "../run/injection.js";
import { openRun } from "../run/run-folder.js";
import { type GivenCommand, readSettings, runCommand } from "./run-command.js";

export interface ExecFlags {
  readonly inject?: string;
  readonly reportAlways?: boolean;
}

/**
 * `usergroup-mock exec -- <command>`: runs a command with a server on a free port. Returns its exit code, or 2 if it
 * succeeded without the failure of `--inject`.
 */
export async function exec(
  given: GivenCommand,
  { inject, reportAlways = false }: ExecFlags,
): Promise<number> {
  const injections = inject === undefined ? [] : [parseInjection(inject)];
  const settings = await readSettings("exec", given);
  const { report } = settings;
  if (reportAlways && report === undefined) rejectFlag("--report-always needs --report <file>");
  const outer = openRun(process.env);
  // Flags override the outer run, which overrides the environment and the config file.
  const assume = { ...settings.assume, ...outer?.instructions.assume, ...settings.pins };
  const tried = outer?.instructions.tried.filter((id) => settings.pins[id] === undefined) ?? [];
  const pins = outer === undefined ? {} : settings.pins;
  const signals = handleSignals();
  try {
    const end = await runCommand({
      argv: given.argv,
      settings: { ...settings, pins },
      instructions: { assume, tried, inject: injections, learns: false, reports: report !== undefined },
      stdio: "inherit",
      stop: signals.stop,
      onStart: signals.forwardTo,
      reportTo: (exitCode) => (reportAlways || exitCode !== 0 ? report : undefined),
    });
    const { path, warnings } = end.report;
    if (path !== undefined) process.stderr.write(`usergroup-mock: report written to ${path}\n`);
    for (const text of [...warnings, ...(end.seen.problem ? [end.seen.problem] : [])]) warn(text);
    if (injections.every((one) => end.seen.injected.has(injectionText(one)))) return end.exitCode;
    warn(`--inject ${inject}: there was no such request. explore --faults lists the requests.`);
    return end.exitCode || 2;
  } catch (error) {
    if (signals.stop.aborted) return signals.stop.reason;
    if (!(error instanceof MockError) || error.code !== "no_command") throw error;
    printFailure(error);
    return 127;
  }
}

/**
 * Handles signals from the start, because a signal that ends the process would leave the folder of the run behind.
 * Signals go to the command while it runs. Before and after, they abort `stop`, with the exit code as reason.
 */
function handleSignals() {
  const stopping = new AbortController();
  let command: ChildProcess | undefined;
  for (const signal of endSignals)
    process.on(signal, () => {
      const isRunning = command?.exitCode === null && command.signalCode === null;
      if (!isRunning) stopping.abort(signalExitCode(signal));
      // In a terminal, Ctrl-C also reaches the command directly. A second SIGINT could force it to quit.
      else if (signal !== "SIGINT" || !process.stdin.isTTY) command?.kill(signal);
    });
  return {
    stop: stopping.signal,
    forwardTo: (child: ChildProcess) => {
      command = child;
    },
  };
}
