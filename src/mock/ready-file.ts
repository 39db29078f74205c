import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { asError, MockError } from "../foundation/mock-error.js";

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

/**
 * Before anything else: a program that waits for the file must not take that of an earlier server for this one's.
 * @param url what the file will hold. A server that runs there keeps its file: this start will fail.
 */
export async function clearReadyFile(path: string, url: string): Promise<void> {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (!stats.isFile()) throw new Error("it exists and is not a regular file");
    if (readFileSync(path, "utf8") === contentOf(url) && (await isListening(new URL(url)))) return;
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

function isListening({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/[[\]]/g, ""), port: Number(port) });
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function contentOf(url: string): string {
  return `${url}\n`;
}

function unusable(path: string, error: unknown): MockError {
  const message = `The ready file ${path} cannot be written: ${asError(error).message}`;
  return new MockError("invalid_option", message);
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The reason why the ready file could not be written says more.
  }
}
