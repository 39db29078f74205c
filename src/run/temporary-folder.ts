import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asError, MockError } from "../foundation/mock-error.js";

/** A new folder in the temporary folder. @param name the beginning of its name */
export function temporaryFolder(name: string): string {
  try {
    return mkdtempSync(join(tmpdir(), name));
  } catch (error) {
    throw unwritable(tmpdir(), asError(error).message);
  }
}

export function unwritable(folder: string, reason: string): MockError {
  const advice = "Free some space there, or set TMPDIR to a folder that you can write to.";
  return new MockError("no_run", `The folder ${folder} cannot be used: ${reason}. ${advice}`);
}
