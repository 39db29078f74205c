import { randomBytes } from "node:crypto";
import { constants, promises } from "node:fs";
import { dirname } from "node:path";
import { sleep } from "./clock.js";
import { asError } from "./mock-error.js";

/** A text, or the pieces of one that may be too long for a string. */
export type Pieces = string | Iterable<string> | AsyncIterable<string>;

/**
 * Writes a file, in folders that need not exist. The file is replaced in one step, so that it is never half a text;
 * a device or a FIFO is written to. Not from node:fs/promises: that takes 1.5 ms to load, used or not.
 * @param stop rejects once this is aborted
 */
export async function saveText(path: string, text: Pieces, stop?: AbortSignal): Promise<void> {
  await promises.mkdir(dirname(path), { recursive: true });
  await replaceFile(path, text, stop);
}

/** `saveText` for a folder that exists. Rejects if the folder is gone. */
export async function replaceFile(path: string, text: Pieces, stop?: AbortSignal): Promise<void> {
  // A link stays a link.
  const target = await promises.realpath(path).catch(() => path);
  const stats = await promises.stat(target).catch(() => undefined);
  const isFifo = stats?.isFIFO() === true;
  const writeTo = async (place: string, flags: string | number) => {
    const file = await retried(() => promises.open(place, flags), isFifo, stop);
    try {
      for await (const piece of typeof text === "string" ? [text] : text) {
        for (let bytes = Buffer.from(piece); bytes.length > 0; ) {
          const { bytesWritten } = await retried(() => file.write(bytes), isFifo, stop);
          bytes = bytes.subarray(bytesWritten);
        }
      }
    } finally {
      await file.close();
    }
  };
  if (isFifo) return writeTo(target, constants.O_WRONLY | constants.O_NONBLOCK);
  const isPlain = stats === undefined || stats.isFile();
  if (!isPlain || (stats !== undefined && !(await isWritable(dirname(target))))) return writeTo(target, "w");
  const unfinished = `${target}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    await writeTo(unfinished, "wx");
    // A file that is mounted into a container cannot be replaced.
    await promises.rename(unfinished, target).catch(() => promises.copyFile(unfinished, target));
  } finally {
    await promises.rm(unfinished, { force: true });
  }
}

function isWritable(folder: string): Promise<boolean> {
  return promises.access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** A FIFO that nobody reads is tried again: a call that blocks could not be interrupted. */
async function retried<T>(
  step: () => Promise<T>,
  isFifo: boolean,
  stop: AbortSignal | undefined,
): Promise<T> {
  for (;;) {
    stop?.throwIfAborted();
    try {
      return await step();
    } catch (error) {
      if (!isFifo || !/^(ENXIO|EAGAIN)$/.test(asError(error).code ?? "")) throw error;
      await sleep(20);
    }
  }
}
