import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/**
 * A part of a file, and where it starts.
 * @param from in bytes; from the end of the file if negative
 */
export function readSlice(path: string, from: number, end?: number): { text: string; start: number } {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const start = from < 0 ? Math.max(0, size + from) : from;
    const bytes = Buffer.alloc((end ?? size) - start);
    if (readSync(file, bytes, 0, bytes.length, start) < bytes.length)
      throw new Error("the file is too short");
    return { text: bytes.toString(), start };
  } finally {
    closeSync(file);
  }
}
