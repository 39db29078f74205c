import type { SpawnOptions } from "node:child_process";
import { type Ended, startCli } from "../cli-process.js";

/** Below the timeout of a test, so that the test shows the output of a command line that never ends. */
const endsWithinMs = 55_000;

/** Runs a command line that makes dozens of requests, or runs dozens of commands. */
export async function runLongCli(args: readonly string[], options?: SpawnOptions): Promise<Ended> {
  await using running = startCli(args, options);
  const kill = setTimeout(() => running.child.kill("SIGKILL"), endsWithinMs);
  const { code } = await running.exited;
  clearTimeout(kill);
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}
