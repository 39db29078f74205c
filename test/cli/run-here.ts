import type { EventEmitter } from "node:events";
import { vi } from "vitest";
import { main } from "../../src/cli/main.js";
import type { Ended } from "../cli-process.js";

interface RunOptions {
  readonly cwd?: string;
  /** Variables that differ from those of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

let previous: Promise<unknown> = Promise.resolve();

/**
 * Runs the command line to its end in this process: starting another one takes more processor time than most of what
 * is tested. For `--help`, for signals, for standard input and for commands that print, use `runCli`. Processes that
 * tests start meanwhile inherit `cwd` and `env`.
 */
export function runHere(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  // Output, exit code, folder and environment belong to the process, so there is one run at a time.
  const running = previous.then(() => run(args, options));
  previous = running.catch(() => {});
  return running;
}

/** The events for which the command line adds listeners that it does not remove. */
const listenedTo: readonly (readonly [EventEmitter, string])[] = [
  ...["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => [process, signal] as const),
  ...[process.stdout, process.stderr].map((stream) => [stream, "error"] as const),
];

async function run(args: readonly string[], { cwd, env = {} }: RunOptions): Promise<Ended> {
  const before = { cwd: process.cwd(), exitCode: process.exitCode };
  const listeners = listenedTo.map(([emitter, event]) => emitter.listeners(event));
  let [stdout, stderr] = ["", ""];
  const printing = vi.spyOn(process.stdout, "write").mockImplementation((part) => {
    stdout += part;
    return true;
  });
  const printingErrors = vi.spyOn(process.stderr, "write").mockImplementation((part) => {
    stderr += part;
    return true;
  });
  for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) vi.stubEnv(name, value);
  try {
    if (cwd !== undefined) process.chdir(cwd);
    process.exitCode = undefined;
    await main(args);
    return { code: Number(process.exitCode ?? 0), stdout, stderr };
  } finally {
    process.exitCode = before.exitCode;
    process.chdir(before.cwd);
    vi.unstubAllEnvs();
    printing.mockRestore();
    printingErrors.mockRestore();
    for (const [n, [emitter, event]] of listenedTo.entries())
      for (const added of emitter.listeners(event).filter((listener) => !listeners[n]?.includes(listener)))
        emitter.off(event, added as () => void);
  }
}
