import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The built command. `npm test` builds it first. */
export const bin = fileURLToPath(new URL("../dist/cjs/bin.js", import.meta.url));

/** A running command line, and what it has printed so far. */
export interface CliProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The URL of the ready line, once it is printed. Rejects if the process ends without one. */
  readonly ready: Promise<string>;
  /** Exit code and signal, once the process and all that share its output have ended. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts the command line in a process of its own; `await using` ends it. */
export function startCli(args: readonly string[], options: SpawnOptions = {}): CliProcess {
  return startNode([bin, ...args], options);
}

/** Starts another Node program that prints the ready line. */
export function startNode(args: readonly string[], options: SpawnOptions = {}): CliProcess {
  return startProgram(process.execPath, args, options);
}

export function startProgram(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): CliProcess {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  let stdout = "";
  let stderr = "";
  const exited = once(child, "close").then(([code, signal]) => ({ code, signal }));
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", (part) => {
      stdout += part;
      const url = /^(?:usergroup-mock listening on |\{"event":"listening","url":")([^\s"]+)/m.exec(
        stdout,
      )?.[1];
      if (url !== undefined) resolve(url);
    });
    child.stderr?.on("data", (part) => {
      stderr += part;
    });
    void exited.then(({ code }) => reject(new Error(`exited with ${code} without a ready line: ${stderr}`)));
  });
  ready.catch(() => {});
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ready,
    exited,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** A process that has ended. The code is null if it was killed. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Below the timeout of a test, so that the test reports a process that does not end. */
const endsWithinMs = 200_000;

/** Runs the command line to its end. */
export function runCli(args: readonly string[], options?: SpawnOptions): Promise<Ended> {
  return runNode([bin, ...args], options);
}

/** Runs the command line to its end, in a shell that lets it write only so many bytes into a file, as on a full disk. */
export async function runOnFullDisk(
  args: readonly string[],
  kilobytes = 1,
  options: SpawnOptions = {},
): Promise<Ended> {
  const limited = `ulimit -f ${2 * kilobytes}; exec "$0" "$@"`;
  await using running = startProgram("sh", ["-c", limited, process.execPath, bin, ...args], options);
  const { code } = await running.exited;
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}

/** Runs another Node program to its end. */
export async function runNode(args: readonly string[], options?: SpawnOptions): Promise<Ended> {
  await using running = startNode(args, options);
  const kill = setTimeout(() => running.child.kill("SIGKILL"), endsWithinMs);
  const { code } = await running.exited;
  clearTimeout(kill);
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}
