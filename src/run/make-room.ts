import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../foundation/grammar.js";
import { fieldOf, parseJson } from "../foundation/json.js";

/** About how much the mocks of a run may keep in its folder for a report, in bytes. */
const maxKept = 64_000_000;

/** The first line of a file from which requests were removed. */
interface RemovedRequests {
  readonly removed: number;
}

/**
 * Removes the oldest requests of a run, if its mocks keep too much.
 * @param except a file that is being written
 */
export function makeRoom(folder: string, except: string): void {
  const kept = recordsIn(folder)
    .flatMap((path) => {
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats === undefined ? [] : { path, bytes: stats.size, at: stats.mtimeMs };
    })
    .sort((a, b) => a.at - b.at);
  let bytes = kept.reduce((sum, one) => sum + one.bytes, 0);
  for (const { path, bytes: before } of kept) {
    if (bytes <= maxKept) return;
    if (path !== except) bytes -= before - removeRequests(path);
  }
}

/** The files in which the mocks of a run keep requests. */
function recordsIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /^(requests|report)-/.test(name));
  return names.map((name) => join(folder, name));
}

/** Leaves of a file what is not about single requests, and how many were removed. Returns its size. */
function removeRequests(path: string): number {
  const others: string[] = [];
  let removed = 0;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const json = parseJson(line);
    if (isRequest(json)) removed++;
    else if (isRemoval(json)) removed += json.removed;
    else if (!isText(json)) others.push(line);
  }
  const text = [JSON.stringify({ removed } satisfies RemovedRequests), ...others].join("\n");
  writeFileSync(path, text);
  return Buffer.byteLength(text);
}

/** How many requests of a run were removed, as a sentence. None if nothing was. */
export function describeRemoved(folder: string): string[] {
  const removed = recordsIn(folder).map(readRemoved);
  const count = removed.reduce((sum, one) => sum + one, 0);
  if (count === 0) return [];
  const limit = `A run keeps at most ${maxKept / 1_000_000} MB for its report.`;
  return [`${limit} Its oldest ${counted(count, "request")} cannot be included.`];
}

/** Reads only the first line of the file, which may have many MB. */
function readRemoved(path: string): number {
  const start = Buffer.alloc(100);
  const file = openSync(path, "r");
  readSync(file, start);
  closeSync(file);
  const json = parseJson(start.toString().split("\n")[0] ?? "");
  return isRemoval(json) ? json.removed : 0;
}

/** Whether the line of a file of requests or of a report is a request. */
function isRequest(json: unknown): boolean {
  return fieldOf(json, "entry") !== undefined || fieldOf(json, "list") === "requests";
}

/** Whether the line of a report has the texts of a request and its response. */
function isText(json: unknown): boolean {
  return fieldOf(json, "of") === "texts";
}

export function isRemoval(json: unknown): json is RemovedRequests {
  return typeof fieldOf(json, "removed") === "number";
}
