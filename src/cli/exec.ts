import { spawn } from "node:child_process";
import { constants } from "node:os";
import { MockError } from "../contract/mock-error.js";
import { settle } from "../mock/options.js";
import { startWith } from "../mock/start-mock.js";
import { optionSources } from "./options-from.js";
import { printFailure } from "./terminal.js";

const handedOn = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** `usergroup-mock exec -- <command>`: a server on a free port around a command. Gives the command's exit code. */
export async function exec(
  flags: Readonly<Record<string, unknown>>,
  set: readonly string[],
  command: readonly string[],
): Promise<number> {
  const [program, ...args] = command;
  if (program === undefined) {
    throw new MockError(
      "invalid_option",
      "exec wants a command after --, as in: usergroup-mock exec -- npm test",
    );
  }
  const templates = set.map(template);
  const settings = settle(optionSources(flags, process.env, { port: 0, log: "silent" }));
  const { mock } = await startWith(settings);
  const fill = (text: string) => text.replaceAll("{url}", mock.url).replaceAll("{apiToken}", mock.apiToken);
  const told = Object.fromEntries(templates.map(([name, text]) => [name, fill(text)]));
  const env = {
    ...process.env,
    USERGROUP_MOCK_URL: mock.url,
    USERGROUP_MOCK_API_TOKEN: mock.apiToken,
    ...told,
  };
  try {
    return await run(program, args, env);
  } finally {
    await mock.stop();
  }
}

function template(pair: string): [name: string, text: string] {
  const [, name, text] = /^([A-Za-z_]\w*)=(.*)$/.exec(pair) ?? [];
  if (name === undefined || text === undefined) {
    throw new MockError(
      "invalid_option",
      `--set wants NAME=text, as in --set API_URL={url}; not ${JSON.stringify(pair)}`,
    );
  }
  return [name, text];
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: "inherit", env });
    const handlers = handedOn.map((signal) => {
      // Ctrl-C in a terminal reaches the command without us; twice could mean something else to it.
      const handler = () =>
        void (signal === "SIGINT" && process.stdin.isTTY ? undefined : child.kill(signal));
      process.on(signal, handler);
      return [signal, handler] as const;
    });
    const done = (code: number) => {
      for (const [signal, handler] of handlers) process.off(signal, handler);
      resolve(code);
    };
    child.once("error", (error: NodeJS.ErrnoException) => {
      const missing = error.code === "ENOENT";
      printFailure(new MockError("exec", missing ? `There is no command ${program}.` : error.message));
      done(missing ? 127 : 126);
    });
    child.once("exit", (code, signal) =>
      done(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
}
