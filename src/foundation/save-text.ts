// Not from node:fs/promises, which takes 1.5 ms to load.
import { promises, type Stats } from "node:fs";
import { dirname, resolve } from "node:path";
import { crypto } from "./crypto.js";
import { asError } from "./located-problem.js";

/**
 * Writes a file, and creates its folders. The text is written beside the file, which is then replaced: if the disk is
 * full, the file and its folders stay as they were. An error names the file.
 */
export async function saveText(path: string, text: string | Iterable<string>): Promise<void> {
  await withFolders(path, async (file, existing) => {
    // A device or a pipe, such as /dev/stdout, cannot be replaced.
    if (existing !== undefined && !existing.isFile()) return promises.writeFile(file, text);
    await writeBeside(file, text, async (beside) => {
      if (existing !== undefined) await promises.chmod(beside, existing.mode);
      await promises.rename(beside, file).catch((error: unknown) => {
        // A file that is mounted into a container cannot be replaced.
        if (asError(error).code !== "EBUSY") throw error;
        return promises.copyFile(beside, file);
      });
    });
  });
}

/** Rejects if `saveText` would. For a file that is written at the end of long work. */
export async function trySave(path: string): Promise<void> {
  await withFolders(path, async (file, existing) => {
    // One character, because an empty file fits on a full disk.
    if (existing === undefined || existing.isFile()) await writeBeside(file, " ", async () => {});
    else if (existing.isDirectory()) await promises.writeFile(file, "");
  });
}

/**
 * Creates the folders of a file, and removes them if it cannot be written.
 * @param write is called with the file that the path leads to, and what is known of it if it exists
 */
async function withFolders(
  path: string,
  write: (file: string, existing: Stats | undefined) => Promise<void>,
): Promise<void> {
  const folder = dirname(resolve(path));
  const firstNew = await promises.mkdir(folder, { recursive: true });
  try {
    // The file of a symbolic link is replaced, not the link.
    const file = await promises.realpath(path).catch(() => path);
    await write(file, await promises.stat(file).catch(() => undefined));
  } catch (error) {
    if (firstNew !== undefined) await removeFolders(folder, firstNew);
    throw error;
  }
}

/** Removes a folder, and those around it up to the outermost, as long as they are empty. */
async function removeFolders(folder: string, outermost: string): Promise<void> {
  try {
    await promises.rmdir(folder);
    if (folder !== outermost) await removeFolders(dirname(folder), outermost);
  } catch {
    // Something else has been written into it.
  }
}

/** Writes a temporary file in the same folder. @param use is called with its path before it is removed */
async function writeBeside(
  file: string,
  text: string | Iterable<string>,
  use: (beside: string) => Promise<void>,
): Promise<void> {
  const beside = `${file}.${crypto().randomBytes(6).toString("hex")}.tmp`;
  try {
    await promises.writeFile(beside, text);
    await use(beside);
  } catch (error) {
    throw namedAs(file, beside, error);
  } finally {
    await promises.rm(beside, { force: true }).catch(() => {});
  }
}

/** The user knows the file by its own name. */
function namedAs(file: string, beside: string, error: unknown): unknown {
  if (error instanceof Error) error.message = withPath(file, error.message.replaceAll(beside, file));
  return error;
}

/** The message of a system error about a file. Node leaves out the path if a write fails, because the disk is full. */
export function withPath(path: string, message: string): string {
  return message.includes(path) ? message : `${message} '${path}'`;
}
