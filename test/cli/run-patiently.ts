import type { SpawnOptions } from "node:child_process";
import { type Ended, startCli } from "../cli-process.js";

/** Below what a test has, so that it is the test that tells of a command line that never ends. */
const endsWithinMs = 55_000;

/** Runs to its end a command line that makes dozens of calls, or runs dozens of commands. */
export async function runPatiently(args: readonly string[], options?: SpawnOptions): Promise<Ended> {
  await using running = startCli(args, options);
  const kill = setTimeout(() => running.child.kill("SIGKILL"), endsWithinMs);
  const { code } = await running.exited;
  clearTimeout(kill);
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}
