// Not from node:fs/promises, which takes 1.5 ms to load.
import { promises, type Stats } from "node:fs";
import { dirname } from "node:path";
import { crypto } from "./crypto.js";
import { asError } from "./located-problem.js";

/**
 * Writes a file, and creates its directories. The text is written beside the file, which is then replaced: if the disk is
 * full, the file stays as it was.
 */
export async function saveText(path: string, text: string | Iterable<string>): Promise<void> {
  const { file, existing } = await findFile(path);
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
}

/** Rejects if `saveText` would. For a file that is written at the end of long work. */
export async function trySave(path: string): Promise<void> {
  const { file, existing } = await findFile(path);
  if (existing === undefined || existing.isFile()) await writeBeside(file, "", async () => {});
  else if (existing.isDirectory()) await promises.writeFile(file, "");
}

/** The file that a path leads to, and what is known of it if it exists. Creates its directories. */
async function findFile(path: string): Promise<{ readonly file: string; readonly existing?: Stats }> {
  await promises.mkdir(dirname(path), { recursive: true });
  // The file of a symbolic link is replaced, not the link.
  const file = await promises.realpath(path).catch(() => path);
  const existing = await promises.stat(file).catch(() => undefined);
  return existing === undefined ? { file } : { file, existing };
}

/** Writes a temporary file in the same directory. @param use is called with its path before it is removed */
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
  if (error instanceof Error) error.message = error.message.replaceAll(beside, file);
  return error;
}
