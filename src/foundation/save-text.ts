import { randomBytes } from "node:crypto";
import { existsSync, promises } from "node:fs";
import { dirname } from "node:path";

/**
 * Writes a file, and creates its directories. A new file appears in one step, so a reader never sees half a text.
 * Not from node:fs/promises, which takes 1.5 ms to load.
 */
export async function saveText(path: string, text: Iterable<string>): Promise<void> {
  await promises.mkdir(dirname(path), { recursive: true });
  // A link, a device and a file that is mounted into a container stay what they are.
  if (existsSync(path)) return promises.writeFile(path, text);
  const unfinished = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    await promises.writeFile(unfinished, text);
    await promises.rename(unfinished, path);
  } finally {
    await promises.rm(unfinished, { force: true });
  }
}
