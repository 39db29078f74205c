import type { ChildProcess } from "node:child_process";
import { MockError } from "../fake/contract/mock-error.js";
import { endSignals, note, printFailure, signalExitCode, warn } from "../foundation/terminal.js";
import type { GivenCommand } from "../options/given-command.js";
import { rejectFlag } from "../options/reject-flag.js";
import { openRun } from "../run/begin-run.js";
import { injectionText, parseInjection } from "../run/injection.js";
import { assertWritable } from "./assert-writable.js";
import { readSettings, runCommand } from "./run-command.js";

export interface ExecFlags {
  readonly inject?: string;
  readonly report?: string;
  readonly reportAlways?: boolean;
}

/**
 * `usergroup-mock exec -- <command>`: runs a command with a server on a free port. Returns its exit code, or 2 if it
 * succeeded without the failure of `--inject`.
 */
export async function exec(
  given: GivenCommand,
  { inject, report, reportAlways = false }: ExecFlags,
): Promise<number> {
  const injections = inject === undefined ? [] : [parseInjection(inject)];
  const settings = await readSettings("exec", given);
  if (reportAlways && report === undefined) rejectFlag("--report-always needs --report <file>");
  await assertWritable("--report", report);
  const outer = openRun(process.env);
  const stopping = new AbortController();
  let command: ChildProcess | undefined;
  // From the start, because a signal that ends the process would leave the folder of the run behind.
  for (const signal of endSignals)
    process.on(signal, () => {
      // In a terminal, Ctrl-C also reaches the command directly. A second SIGINT could force it to quit.
      const isSent = signal === "SIGINT" && process.stdin.isTTY;
      const isRunning = command?.kill(isSent ? 0 : signal);
      if (!isRunning) stopping.abort(signalExitCode(signal));
    });
  try {
    const end = await runCommand({
      argv: given.argv,
      settings,
      instructions: {
        // Flags override the outer run, which overrides the environment and the config file.
        assume: { ...settings.assume, ...outer?.assume, ...settings.pins },
        tried: outer?.tried.filter((id) => settings.pins[id] === undefined) ?? [],
        inject: injections,
        learns: false,
      },
      stdio: "inherit",
      stop: stopping.signal,
      onStart(child) {
        command = child;
      },
      report: report === undefined ? undefined : { path: report, always: reportAlways },
    });
    for (const text of end.messages) note(text);
    if (injections.every((one) => end.seen.injected.has(injectionText(one)))) return end.exitCode;
    warn(`--inject ${inject}: there was no such request. explore --faults lists the requests.`);
    return end.exitCode || 2;
  } catch (error) {
    if (stopping.signal.aborted) return stopping.signal.reason;
    if (!(error instanceof MockError) || error.code !== "no_command") throw error;
    printFailure(error);
    return 127;
  }
}
