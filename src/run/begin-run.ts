import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asError } from "../foundation/coded-error.js";
import {
  instructionsFile,
  type Run,
  type RunInstructions,
  temporaryFolder,
  unwritable,
} from "./run-folder.js";

/** What `exec` and `explore` ask for. */
export interface GivenInstructions extends Pick<RunInstructions, "assume" | "inject" | "learns"> {
  readonly options?: RunInstructions["options"];
  /** Default: those of the run around this one. */
  readonly tried?: RunInstructions["tried"];
  /** Whether mocks record what a report shows. */
  readonly reports: boolean;
}

/**
 * Begins a run of a command. Remove it when the command has ended.
 * @param outer the run that it is nested in
 */
export function beginRun(given: GivenInstructions, outer: Run | undefined): Run {
  const folder = temporaryFolder("usergroup-mock-run-");
  // A nested run that injects and learns nothing is part of the outer run.
  const isPart = outer !== undefined && given.inject.length === 0 && !given.learns;
  const { inject, learns, countsIn } = isPart ? outer.instructions : { ...given, countsIn: folder };
  const instructions: RunInstructions = {
    assume: { ...outer?.instructions.assume, ...given.assume },
    tried: given.tried ?? outer?.instructions.tried ?? [],
    inject,
    learns,
    countsIn,
    options: given.options ?? {},
    reportsTo: [...(given.reports ? [folder] : []), ...(outer?.instructions.reportsTo ?? [])],
    outerRuns: outer === undefined ? [] : [outer.folder, ...outer.instructions.outerRuns],
  };
  try {
    writeFileSync(join(folder, instructionsFile), JSON.stringify(instructions));
  } catch (error) {
    throw unwritable(folder, asError(error).message);
  }
  return { folder, instructions };
}

export function removeRun({ folder }: Run): void {
  // A process that outlives the command may write into the folder meanwhile.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
