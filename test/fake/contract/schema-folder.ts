import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for `--schemas` with these files. Text is written as it is. */
export function schemaFolder(files: Record<string, unknown>): string {
  const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-schemas-"));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return folder;
}
