import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { MockError, thrown } from "../foundation/mock-error.js";

/** Writes the URL in one step: a program that waits for the file must never read half of it. */
export function writeReadyFile(path: string, url: string): void {
  const unfinished = `${path}.${process.pid}`;
  try {
    writeFileSync(unfinished, contentOf(url));
    renameSync(unfinished, path);
  } catch (error) {
    remove(unfinished);
    throw unusable(path, error);
  }
}

/** Before anything else: whoever waits for the file must not take that of an earlier server for this one's. */
export function clearReadyFile(path: string): void {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile()) throw new Error("it exists and is not a regular file");
    rmSync(path, { force: true });
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Unless another server has written its own URL into it. */
export function removeReadyFile(path: string, url: string): void {
  try {
    if (readFileSync(path, "utf8") === contentOf(url)) remove(path);
  } catch {
    // Somebody has removed it already.
  }
}

function contentOf(url: string): string {
  return `${url}\n`;
}

function unusable(path: string, error: unknown): MockError {
  const message = `The ready file ${path} cannot be written: ${thrown(error).message}`;
  return new MockError("invalid_option", message);
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The reason why the ready file could not be written says more.
  }
}
