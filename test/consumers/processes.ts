import { spawn } from "node:child_process";
import { once } from "node:events";

/** A command, and what it has printed so far. */
export interface Running extends AsyncDisposable {
  /** The first group of `pattern` once it is printed. Rejects if the command exits without printing it. */
  readonly printed: (pattern: RegExp) => Promise<string>;
  /** Sends a signal to the command and all its processes, as a terminal or a CI job does. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** The exit code once it has exited. Rejects if it does not exit. */
  readonly ended: (withinMs?: number) => Promise<number | NodeJS.Signals>;
  readonly output: () => string;
  /** The part of the output from standard output. */
  readonly stdout: () => string;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts a command in a new process group, so that disposing of it also ends the processes that it started. */
export function start(command: string, args: readonly string[], { cwd, env }: Surroundings): Running {
  const child = spawn(command, args, {
    cwd,
    env: { ...environment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  let stdout = "";
  child.stdout.on("data", (part: string) => {
    stdout += part;
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
  }
  const closed: Promise<number | NodeJS.Signals> = once(child, "close").then(
    ([code, signal]) => code ?? signal,
  );
  closed.catch(() => {});
  const failure = (reason: string) => new Error(`${[command, ...args].join(" ")} ${reason}:\n${output}`);
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined) process.kill(-child.pid, name);
  };
  return {
    output: () => output,
    stdout: () => stdout,
    signal,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(output)?.[1];
          if (found !== undefined) resolve(found);
        };
        child.stdout.on("data", look);
        look();
        closed.then((code) => reject(failure(`ended with ${code}`)), reject);
      }),
    ended: (withinMs = 120_000) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(failure(`did not end within ${withinMs} ms`)), withinMs);
        closed.then(resolve, reject).finally(() => clearTimeout(late));
      }),
    async [Symbol.asyncDispose]() {
      try {
        signal("SIGKILL");
      } catch {
        // The whole group has exited.
      }
      await closed;
    },
  };
}

/** Runs a command and returns its output. Rejects if it fails or does not exit. */
export async function run(
  command: string,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<string> {
  await using running = start(command, args, surroundings);
  const code = await running.ended(300_000);
  if (code !== 0) throw new Error(`${[command, ...args].join(" ")} ended with ${code}:\n${running.output()}`);
  return running.output();
}

/** The environment of a user's shell: without the variables that vitest and our npm script set. */
function environment(): NodeJS.ProcessEnv {
  const ours = /^(VITEST|NODE_ENV$|npm_package_|npm_lifecycle_|USERGROUP_MOCK_|FORCE_COLOR$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}
