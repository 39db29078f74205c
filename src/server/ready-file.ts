import { readFileSync, rmSync, statSync } from "node:fs";
import { sentence } from "../foundation/grammar.js";
import { asError, MockError } from "../foundation/mock-error.js";
import { writeText } from "../foundation/save-text.js";

/** Removes the file of an earlier server, so that no program reads its URL. Returns what was in the file. */
export function clearReadyFile(path: string): string {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() === false) throw new Error("it exists and is not a regular file");
    const content = stats === undefined ? "" : readFileSync(path, "utf8");
    rmSync(path, { force: true });
    return content;
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Writes in one step: a program that waits for the file must never read half of the URL. */
export async function writeReadyFile(path: string, content: string): Promise<void> {
  await writeText(path, content).catch((error: unknown) => {
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
