import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { MockError, thrown } from "../foundation/mock-error.js";
import { saveText } from "../foundation/save-text.js";
import { reportPage } from "../http/report-page.js";
import { filledIn } from "../mock/start-mock.js";
import { startServer } from "../mock/start-server.js";
import { version } from "../mock/version.js";
import type { Mock } from "../mock/world.js";
import { resolveOptions, type Settings } from "../options/resolve-options.js";
import { type GivenInstructions, Run, type RunSeen, runVariable } from "../run/run.js";
import { collectReports } from "../run/run-reports.js";
import { urlVariable } from "./names.js";
import { optionSources } from "./options-from.js";
import { startPlan } from "./platform.js";
import { refuseFlag } from "./refuse-flag.js";
import { signalExitCode } from "./signals.js";

/** What `exec` and `explore` are given. */
export interface GivenCommand {
  readonly serverFlags: Readonly<Record<string, unknown>>;
  /** The command and its arguments. */
  readonly argv: readonly string[];
}

/** A command that receives the URL of the mock in its environment. */
interface ChildCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Additional environment variables, from the option `set`. */
  readonly variables: Settings["set"];
}

/** The command, and the settings of the server around it. */
export async function readCommand(
  caller: "exec" | "explore",
  { serverFlags, argv }: GivenCommand,
): Promise<{ command: ChildCommand; settings: Settings }> {
  const [program, ...args] = argv;
  if (program === undefined) {
    refuseFlag(`${caller} needs a command after --, for example: usergroup-mock ${caller} -- npm test`);
  }
  // Ignore the port of the config file and the environment: another server may use it.
  const sources = optionSources({ port: 0, ...serverFlags }, process.env);
  const settings = await resolveOptions(sources, "embedded");
  return { command: { program, args, variables: settings.set }, settings };
}

export interface CommandRun {
  readonly command: ChildCommand;
  readonly settings: Settings;
  readonly instructions: GivenInstructions;
  /** The run that this run is nested in. */
  readonly outer: Run | undefined;
  readonly stdio: StdioOptions;
  /** The command is not started once this is aborted. It gets a process group of its own, for `killTree`. */
  readonly stop?: AbortSignal;
  readonly onStart: (child: ChildProcess) => void;
  /** Where to write what all mocks of the run saw, if anywhere. */
  readonly reportTo: (exitCode: number) => string | undefined;
}

/** How a command ended. */
export interface CommandEnd {
  /** As a shell would report it. */
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | null;
  readonly durationMs: number;
  readonly seen: RunSeen;
}

/** Runs a command with a server. Rejects if the command cannot start, or was stopped before it started. */
export async function runCommand(plan: CommandRun): Promise<CommandEnd> {
  const { command, settings, stop } = plan;
  const run = Run.begin(plan.instructions, plan.outer);
  try {
    // The server ends with the command, to which standard input and standard output belong.
    const own = { report: undefined, exitWithParent: false, logTo: "stderr" } as const;
    const { mock } = await startServer({ ...settings, ...own }, run);
    try {
      stop?.throwIfAborted();
      const began = performance.now();
      const child = startCommand(command, mock, run, plan.stdio, stop !== undefined);
      plan.onStart(child);
      const end = await endOf(child, command.program);
      const durationMs = Math.round(performance.now() - began);
      const report = plan.reportTo(end.exitCode);
      await mock.stop();
      if (report !== undefined) await saveText(report, reportPage(collectReports(run, version)));
      return { ...end, durationMs, seen: run.seen() };
    } finally {
      await mock.stop();
    }
  } finally {
    run.remove();
  }
}

function startCommand(
  { program, args, variables }: ChildCommand,
  mock: Mock,
  run: Run,
  stdio: StdioOptions,
  isolated: boolean,
): ChildProcess {
  const env = {
    ...process.env,
    [urlVariable]: mock.url,
    USERGROUP_MOCK_API_TOKEN: mock.apiToken,
    [runVariable]: run.folder,
    ...filledIn(variables, mock),
  };
  try {
    const plan = startPlan(program, args, isolated);
    return spawn(plan.program, plan.args, { ...plan.options, stdio, env });
  } catch (error) {
    throw startFailure(program, error);
  }
}

/** Rejects if the command cannot start. */
function endOf(child: ChildProcess, program: string): Promise<Pick<CommandEnd, "exitCode" | "signal">> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(startFailure(program, error)));
    child.once("exit", (code, signal) =>
      resolve({ exitCode: code ?? (signal === null ? 128 : signalExitCode(signal)), signal }),
    );
  });
}

function startFailure(program: string, error: unknown): MockError {
  const { code, message } = thrown(error);
  const reason =
    code === "ENOENT"
      ? `There is no command ${program}. Check its name and your PATH.`
      : `${program} cannot be run: ${message}.`;
  return new MockError("no_command", reason);
}
