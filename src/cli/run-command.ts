import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { constants } from "node:os";
import { MockError, thrown } from "../foundation/mock-error.js";
import type { Mock } from "../mock/steering.js";

/** A command that finds the mock in its environment. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** Further names for the mock, from `--set NAME={url}`. */
  readonly names: readonly (readonly [name: string, text: string])[];
}

/** @param asked by whom, for the message */
export function readCommand(asked: string, words: readonly string[], set: readonly string[]): Command {
  const [program, ...args] = words;
  if (program === undefined) {
    throw new MockError(
      "invalid_option",
      `${asked} wants a command after --, as in: usergroup-mock ${asked} -- npm test`,
    );
  }
  return { program, args, names: set.map(readName) };
}

function readName(pair: string): [name: string, text: string] {
  const [, name, text] = /^([A-Za-z_]\w*)=(.*)$/.exec(pair) ?? [];
  if (name === undefined || text === undefined) {
    throw new MockError(
      "invalid_option",
      `--set wants NAME=text, as in --set API_URL={url}; not ${JSON.stringify(pair)}`,
    );
  }
  return [name, text];
}

/** Starts the command with the mock in its environment. */
export function startCommand(
  { program, args, names }: Command,
  mock: Mock,
  options: SpawnOptions,
): ChildProcess {
  const fill = (text: string) => text.replaceAll("{url}", mock.url).replaceAll("{apiToken}", mock.apiToken);
  const env = {
    ...process.env,
    USERGROUP_MOCK_URL: mock.url,
    USERGROUP_MOCK_API_TOKEN: mock.apiToken,
    ...Object.fromEntries(names.map(([name, text]) => [name, fill(text)])),
  };
  try {
    return spawn(program, args, { ...options, env });
  } catch (error) {
    throw noCommand(program, thrown(error));
  }
}

/** The exit code as a shell would tell it; rejects when the command could not be started. */
export function exitCodeOf(child: ChildProcess, program: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(noCommand(program, thrown(error))));
    child.once("exit", (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
}

function noCommand(program: string, { code, message }: ReturnType<typeof thrown>): MockError {
  const why = code === "ENOENT" ? `There is no command ${program}.` : `${program} cannot be run: ${message}.`;
  return new MockError("no_command", why);
}
