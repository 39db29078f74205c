import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Runs a task while no other process runs it.
 * @param {string} lock a file with the id of the process that runs the task
 * @param {() => Promise<void>} task
 */
export async function oneAtATime(lock, task) {
  while (!takes(lock)) await delay(100);
  try {
    await task();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** @param {string} lock */
function takes(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    if (!isHeld(lock)) rmSync(lock, { force: true });
    return false;
  }
}

/** A process that was killed leaves its lock behind. */
function isHeld(/** @type {string} */ lock) {
  try {
    const pid = Number(readFileSync(lock, "utf8"));
    // Between its creation and its first byte, the file is empty.
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}
