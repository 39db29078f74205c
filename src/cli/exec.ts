import type { ChildProcess } from "node:child_process";
import { MockError } from "../foundation/mock-error.js";
import { settle } from "../mock/options.js";
import { startServer } from "../mock/start-server.js";
import { optionSources } from "./options-from.js";
import { exitCodeOf, readCommand, startCommand } from "./run-command.js";
import { printFailure } from "./terminal.js";

const handedOn = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** `usergroup-mock exec -- <command>`: a server on a free port around a command. Gives the command's exit code. */
export async function exec(
  flags: Readonly<Record<string, unknown>>,
  set: readonly string[],
  words: readonly string[],
): Promise<number> {
  const command = readCommand("exec", words, set);
  // A port of the config file or the environment is that of a server that may run beside it.
  const options = { port: 0, ...flags };
  const { mock } = await startServer(settle(optionSources(options, process.env, { log: "silent" })));
  let leave = () => {};
  try {
    const child = startCommand(command, mock, { stdio: "inherit" });
    leave = handOnSignals(child);
    return await exitCodeOf(child, command.program);
  } catch (error) {
    if (!(error instanceof MockError)) throw error;
    printFailure(error);
    return 127;
  } finally {
    leave();
    await mock.stop();
  }
}

function handOnSignals(child: ChildProcess): () => void {
  const handlers = handedOn.map((signal) => {
    const handler = () => {
      // Ctrl-C in a terminal reaches the command without us; twice could mean something else to it.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    };
    process.on(signal, handler);
    return [signal, handler] as const;
  });
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}
