import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { constants } from "node:os";
import { MockError, thrown } from "../foundation/mock-error.js";
import { filledIn } from "../mock/start-mock.js";
import type { Mock } from "../mock/world.js";
import type { Settings } from "../options/resolve-options.js";
import { type Run, runVariable } from "../run/run.js";
import { urlVariable } from "./names.js";
import { startPlan } from "./platform.js";
import { refuseFlag } from "./refuse-flag.js";

/** A command that receives the URL of the mock in its environment. */
export interface ChildCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Additional environment variables, from the option `set`. */
  readonly variables: Settings["set"];
}

export function readCommand(
  caller: string,
  argv: readonly string[],
  variables: Settings["set"],
): ChildCommand {
  const [program, ...args] = argv;
  if (program === undefined) {
    refuseFlag(`${caller} needs a command after --, for example: usergroup-mock ${caller} -- npm test`);
  }
  return { program, args, variables };
}

export function startCommand(
  { program, args, variables }: ChildCommand,
  mock: Mock,
  run: Run,
  stdio: StdioOptions,
  isolated = false,
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
    throw startFailure(program, thrown(error));
  }
}

/** How a command ended. */
export interface CommandEnd {
  /** As a shell would report it. */
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | null;
}

/** Rejects if the command cannot start. */
export function endOf(child: ChildProcess, program: string): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(startFailure(program, thrown(error))));
    child.once("exit", (code, signal) =>
      resolve({ exitCode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), signal }),
    );
  });
}

function startFailure(program: string, { code, message }: ReturnType<typeof thrown>): MockError {
  const reason =
    code === "ENOENT"
      ? `There is no command ${program}. Check its name and your PATH.`
      : `${program} cannot be run: ${message}.`;
  return new MockError("no_command", reason);
}
