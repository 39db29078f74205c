import { asError } from "../foundation/located-problem.js";
import { trySave } from "../foundation/save-text.js";
import { rejectFlag } from "../options/reject-flag.js";

/** Throws if the file that a flag names cannot be written: before a run, whose result would be lost. */
export async function assertWritable(flag: "--out" | "--report", path: string | undefined): Promise<void> {
  if (path === undefined) return;
  await trySave(path).catch((error: unknown) => {
    rejectFlag(`${flag} ${path} cannot be written: ${asError(error).message}`);
  });
}
