import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const name = "usergroup-mock-tests-";

/** One folder for all temporary files of tests and of the programs that they start. */
export function setup(): (() => void) | undefined {
  // Another project of this run has created it.
  if (tmpdir().includes(name)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), name));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
