// The processes that a bench starts and its folder. They are gone when the bench ends, also if it fails or is interrupted.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";

/** For all files of a bench and of what it starts. */
export const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-bench-"));
process.env.TMPDIR = folder;

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();

process.on("exit", () => {
  for (const child of running) killGroup(child, "SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
  process.once(signal, () => process.exit(128 + constants.signals[signal]));

/**
 * Starts a process in a group of its own, so that what it starts ends with it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 */
export function start(command, args, options) {
  const child = spawn(command, args, { ...options, detached: true });
  running.add(child);
  child.once("exit", () => {
    // What it has started may still run.
    killGroup(child, "SIGKILL");
    running.delete(child);
  });
  return child;
}

/** @param {import("node:child_process").ChildProcess} child @param {NodeJS.Signals} signal */
export function killGroup({ pid }, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

/**
 * Runs a program to its end. Rejects if it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<string>} what it has printed
 */
export async function run(command, args, options = {}) {
  const child = start(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let [output, errors] = ["", ""];
  child.stdout?.on("data", (part) => (output += part));
  child.stderr?.on("data", (part) => (errors += part));
  const [code] = await once(child, "close");
  if (code !== 0)
    throw new Error(`${[command, ...args].join(" ")} failed: ${(errors + output).slice(-2_000)}`);
  return output;
}

/** A port that was free a moment ago. @returns {Promise<number>} */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}
