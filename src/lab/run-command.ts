import { type ChildProcess, type StdioOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { type StartedServer, startServer } from "../client/start-server.js";
import { MockError } from "../fake/contract/mock-error.js";
import { asError } from "../foundation/located-problem.js";
import { saveText } from "../foundation/save-text.js";
import { signalExitCode } from "../foundation/terminal.js";
import type { GivenCommand } from "../options/given-command.js";
import { fillVariables, variables } from "../options/names.js";
import { optionSources } from "../options/option-sources.js";
import { rejectFlag } from "../options/reject-flag.js";
import { resolveOptions, type Settings } from "../options/resolve-options.js";
import { reportPage } from "../report/report-page.js";
import { beginRun, type Instructions, openRun, type RunSeen, readSeen, removeRun } from "../run/begin-run.js";
import type { Run } from "../run/run-folder.js";
import { collectReports } from "./collect-reports.js";

/** The settings of the server around a command. */
export function readSettings(
  client: "exec" | "explore",
  { serverFlags, argv }: GivenCommand,
): Promise<Settings> {
  if (argv.length === 0)
    rejectFlag(`${client} needs a command after --, such as usergroup-mock ${client} -- npm test`);
  // Ignore the port of the config file and the environment: another server may use it.
  const sources = optionSources({ port: 0, ...serverFlags }, process.env);
  return resolveOptions(sources, "embedded", openRun(process.env)?.options);
}

export interface CommandRun {
  readonly argv: GivenCommand["argv"];
  readonly settings: Settings;
  readonly instructions: Omit<Instructions, "options" | "reports">;
  /** With "inherit", the command stays in this process group. Otherwise it gets its own, for `killTree`. */
  readonly stdio: StdioOptions;
  /** The command is not started once this is aborted. */
  readonly stop: AbortSignal;
  readonly onStart: (child: ChildProcess) => void;
  /** The folder for the reports of failed tests, if it is not the default one. */
  readonly testReports?: string;
  /** The file for the report of all mocks of the run, and whether it is also written if the command succeeds. */
  readonly report: { readonly path: string; readonly always: boolean } | undefined;
}

/** How a command ended. */
export interface CommandEnd {
  readonly exitCode: number;
  readonly durationMs: number;
  readonly seen: RunSeen;
  /** Where the report was written and what is missing in it, or why it was not written. */
  readonly messages: readonly string[];
}

/** Runs a command with a server. Rejects if the command cannot start, or was stopped before it started. */
export async function runCommand(plan: CommandRun): Promise<CommandEnd> {
  const { settings, stop } = plan;
  const own = { options: settings.shared, reports: plan.report !== undefined };
  const run = beginRun({ ...plan.instructions, ...own }, openRun(process.env));
  try {
    // The server stops with the command, and standard input and standard output belong to the command.
    const embedded = { exitWithParent: false, logTo: "stderr" } as const;
    const server = await startServer({ ...settings, ...embedded }, run);
    try {
      stop.throwIfAborted();
      const began = performance.now();
      const exitCode = await runChild(plan, server, run);
      const durationMs = Math.round(performance.now() - began);
      await server.stop();
      const messages = await writeReport(plan, run, exitCode);
      return { exitCode, durationMs, messages, seen: readSeen(run) };
    } finally {
      await server.stop();
    }
  } finally {
    removeRun(run);
  }
}

/** Never rejects: the exit code is that of the command, even if its report cannot be written. */
async function writeReport({ argv, report }: CommandRun, run: Run, exitCode: number): Promise<string[]> {
  if (report === undefined || (exitCode === 0 && !report.always)) return [];
  const { path } = report;
  try {
    const leftOut: string[] = [];
    const ended = { command: argv.join(" "), exitCode };
    await saveText(path, reportPage(collectReports(run, ended, leftOut)));
    return [`report written to ${path}`, ...leftOut.map((text) => `warning: ${path}: ${text}`)];
  } catch (error) {
    return [`warning: the report ${path} was not written: ${asError(error).message}.`];
  }
}

/** Returns the exit code, as a shell would report it. */
async function runChild(
  { argv: [program = "", ...args], settings, stdio, testReports, onStart }: CommandRun,
  { url, worlds }: StartedServer,
  run: Run,
): Promise<number> {
  const { firstApiToken: apiToken } = worlds.parts.seed;
  const env = {
    ...process.env,
    [variables.url]: url,
    [variables.apiToken]: apiToken,
    [variables.run]: run.folder,
    ...(testReports !== undefined && { [variables.testReports]: testReports }),
    ...fillVariables(settings.set, { url, apiToken }),
  };
  try {
    const plan = startPlan(program, args, stdio !== "inherit");
    const child = spawn(plan.program, plan.args, { ...plan.options, stdio, env });
    onStart(child);
    await once(child, "exit");
    return child.exitCode ?? signalExitCode(child.signalCode ?? "SIGKILL");
  } catch (error) {
    const { code, message } = asError(error);
    const reason =
      code === "ENOENT"
        ? `Command not found: ${program}. Check its name and your PATH.`
        : `${program} cannot be run: ${message}.`;
    throw new MockError("no_command", reason);
  }
}

/**
 * How to start a command on this platform. On Windows, npm and most tools are scripts, which only cmd.exe can run.
 * @param isolated in a process group of its own, so that `killTree` ends its child processes too
 */
export function startPlan(program: string, args: readonly string[], isolated: boolean) {
  if (process.platform !== "win32") return { program, args, options: { detached: isolated } };
  const line = [program, ...args].map(quoteForCmd).join(" ");
  return {
    program: process.env.ComSpec ?? "cmd.exe",
    args: ["/d", "/s", "/c", `"${line}"`],
    // A detached process would open a window; taskkill finds the child processes without it.
    options: { windowsVerbatimArguments: true, windowsHide: true },
  };
}

/** Quotes a word for the program that reads it, then for cmd.exe, which removes one ^ before each character. */
export function quoteForCmd(word: string): string {
  const quoted = `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
  return quoted.replace(/[()[\]%!^"`<>&|;, *?]/g, "^$&");
}

/** Ends a process that `startPlan` started isolated, and its child processes. */
export function killTree(pid: number | undefined): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The process group has already exited.
  }
}
