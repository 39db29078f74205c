import type { ChildProcess } from "node:child_process";
import { MockError } from "../foundation/mock-error.js";
import { parseInjection } from "../run/injection.js";
import { Run } from "../run/run.js";
import type { FlagsOf } from "./commands.js";
import { refuseFlag } from "./refuse-flag.js";
import { type GivenCommand, readCommand, runCommand } from "./run-command.js";
import { endSignals } from "./signals.js";
import { printFailure, warn } from "./terminal.js";

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
  const reportTo = (exitCode: number) => (reportAlways || exitCode !== 0 ? report : undefined);
  const outer = Run.join(process.env);
  // What is given here beats the outer run, which beats the environment and the config file.
  const assume = { ...settings.assume, ...outer?.instructions.assume, ...settings.pins };
  const pins = outer === undefined ? {} : settings.pins;
  try {
    const end = await runCommand({
      command,
      settings: { ...settings, pins },
      instructions: { assume, inject: injections, learns: false, reports: report !== undefined },
      outer,
      stdio: "inherit",
      onStart: forwardSignals,
      reportTo,
    });
    const saved = reportTo(end.exitCode);
    if (saved !== undefined) process.stderr.write(`usergroup-mock: what the mocks saw is in ${saved}\n`);
    if (end.seen.injected.size < injections.length) warn(`--inject ${inject}: no such call was made.`);
    return end.exitCode;
  } catch (error) {
    if (!(error instanceof MockError) || error.code !== "no_command") throw error;
    printFailure(error);
    return 127;
  }
}

function forwardSignals(child: ChildProcess): void {
  const forward = (signal: NodeJS.Signals) => {
    // In a terminal, Ctrl-C also reaches the command directly. A second SIGINT could force it to quit.
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  };
  for (const signal of endSignals) process.on(signal, forward);
}
