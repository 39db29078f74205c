import { promises } from "node:fs";
import { dirname } from "node:path";

/** Writes a file, and creates its directories. Not from node:fs/promises, which takes 1.5 ms to load. */
export async function saveText(path: string, text: Iterable<string>): Promise<void> {
  await promises.mkdir(dirname(path), { recursive: true });
  await promises.writeFile(path, text);
}
