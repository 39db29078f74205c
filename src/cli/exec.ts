import type { ChildProcess } from "node:child_process";
import { MockError } from "../foundation/mock-error.js";
import { resolveOptions } from "../mock/options.js";
import { startServer } from "../mock/start-server.js";
import { optionSources } from "./options-from.js";
import { exitCodeOf, readCommand, startCommand } from "./run-command.js";
import { printFailure } from "./terminal.js";

const forwardedSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** `usergroup-mock exec -- <command>`: runs a command with a server on a free port. Returns its exit code. */
export async function exec(
  flags: Readonly<Record<string, unknown>>,
  set: readonly string[],
  argv: readonly string[],
): Promise<number> {
  const command = readCommand("exec", argv, set);
  // Ignore the port of the config file and the environment: another server may use it.
  const sources = optionSources({ port: 0, ...flags }, process.env);
  // The server ends with the command, whose standard input must stay its own.
  const settings = { ...resolveOptions(sources, "embedded"), exitWithParent: false };
  const { mock } = await startServer(settings);
  let stopForwarding = () => {};
  try {
    const child = startCommand(command, mock, { stdio: "inherit" });
    stopForwarding = forwardSignals(child);
    return await exitCodeOf(child, command.program);
  } catch (error) {
    if (!(error instanceof MockError)) throw error;
    printFailure(error);
    return 127;
  } finally {
    stopForwarding();
    await mock.stop();
  }
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
