import type { ChildProcess } from "node:child_process";
import { MockError } from "../foundation/mock-error.js";
import { saveText } from "../foundation/save-text.js";
import { reportPage } from "../http/report-page.js";
import { startServer } from "../mock/start-server.js";
import { version } from "../mock/version.js";
import { resolveOptions } from "../options/resolve-options.js";
import { parseInjection } from "../run/injection.js";
import { Run } from "../run/run.js";
import { collectReports } from "../run/run-reports.js";
import { optionSources } from "./options-from.js";
import { refuseFlag } from "./refuse-flag.js";
import { endOf, readCommand, startCommand } from "./run-command.js";
import { printFailure, warn } from "./terminal.js";

const forwardedSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** `usergroup-mock exec -- <command>`: runs a command with a server on a free port. Returns its exit code. */
export async function exec(
  flags: Readonly<Record<string, unknown>>,
  { inject, reportAlways = false }: { readonly inject?: string; readonly reportAlways?: boolean },
  argv: readonly string[],
): Promise<number> {
  const injection = inject === undefined ? null : parseInjection(inject);
  // Ignore the port of the config file and the environment: another server may use it.
  const sources = optionSources({ port: 0, ...flags }, process.env);
  // The server ends with the command, whose standard input must stay its own.
  const { report, ...resolved } = await resolveOptions(sources, "embedded");
  const command = readCommand("exec", argv, resolved.set);
  if (reportAlways && report === undefined) {
    refuseFlag("--report-always goes with --report <file>");
  }
  // Standard output is that of the command.
  const settings = { ...resolved, report: undefined, exitWithParent: false, logTo: "stderr" as const };
  const outer = Run.join(process.env);
  // What is given here beats the outer run, which beats the environment and the config file.
  const assume = { ...settings.assume, ...outer?.instructions.assume, ...settings.pins };
  const instructions = { assume, inject: injection, learns: false, reports: report !== undefined };
  const run = Run.begin(instructions, outer);
  const pins = outer === undefined ? {} : settings.pins;
  const { mock } = await startServer({ ...settings, pins }, run).catch((error) => {
    run.remove();
    throw error;
  });
  let stopForwarding = () => {};
  try {
    const child = startCommand(command, mock, run, "inherit");
    stopForwarding = forwardSignals(child);
    const { exitCode } = await endOf(child, command.program);
    if (report !== undefined && (reportAlways || exitCode !== 0)) {
      await mock.stop();
      await saveRunReport(run, report);
    }
    if (injection !== null && !run.seen().isInjected) warn(`--inject ${inject}: no such call was made.`);
    return exitCode;
  } catch (error) {
    if (!(error instanceof MockError)) throw error;
    printFailure(error);
    return 127;
  } finally {
    stopForwarding();
    await mock.stop();
    run.remove();
  }
}

/** What all mocks of the run saw, in one file. */
export async function saveRunReport(run: Run, path: string): Promise<void> {
  await saveText(path, reportPage(collectReports(run, version)));
  process.stderr.write(`usergroup-mock: what the mocks saw is in ${path}\n`);
}

function forwardSignals(child: ChildProcess): () => void {
  const handlers = forwardedSignals.map((signal) => {
    const handler = () => {
      // In a terminal, Ctrl-C also reaches the command directly. A second SIGINT could force it to quit.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    };
    process.on(signal, handler);
    return [signal, handler] as const;
  });
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}
