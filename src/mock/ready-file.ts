import { readFileSync, rmSync, statSync } from "node:fs";
import { sentence } from "../foundation/grammar.js";
import { asError, MockError } from "../foundation/mock-error.js";
import { replaceFile } from "../foundation/save-text.js";

/** Removes the file of an earlier server: a program that waits for the file must not read the old URL. */
export function clearReadyFile(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
      throw new Error("it exists and is not a regular file");
    }
    rmSync(path, { force: true });
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Writes the URL in one step: a program that waits for the file must never read half of it. */
export async function writeReadyFile(path: string, url: string): Promise<void> {
  await replaceFile(path, `${url}\n`).catch((error: unknown) => {
    throw unusable(path, error);
  });
}

/** Keeps the file if another server has written its own URL to it. */
export function removeReadyFile(path: string, url: string): void {
  try {
    if (readFileSync(path, "utf8") === `${url}\n`) rmSync(path);
  } catch {
    // The file is gone, or its directory is read-only: the mock stops all the same.
  }
}

function unusable(path: string, error: unknown): MockError {
  const message = `The ready file ${path} cannot be written: ${asError(error).message}`;
  return new MockError("invalid_option", sentence(message));
}
