import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { MockError, thrown } from "../foundation/mock-error.js";

/** Writes the URL in one step: a program that waits for the file must never read half of it. */
export function writeReadyFile(path: string, url: string): void {
  const unfinished = `${path}.${process.pid}`;
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile()) throw new Error("it exists and is not a regular file");
    writeFileSync(unfinished, `${url}\n`);
    renameSync(unfinished, path);
  } catch (error) {
    remove(unfinished);
    throw new MockError(
      "invalid_option",
      `The ready file ${path} cannot be written: ${thrown(error).message}`,
    );
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The reason why the ready file could not be written says more.
  }
}
