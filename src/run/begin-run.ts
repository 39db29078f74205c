import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asError } from "../foundation/coded-error.js";
import { collectResults, type TestLine, type TestResult } from "./report-test.js";
import {
  instructionsFile,
  type Run,
  type RunInstructions,
  readJsonLines,
  type SeenKind,
  type SeenLine,
  temporaryFolder,
  useFolder,
} from "./run-folder.js";

/** What `exec` and `explore` ask for. */
export interface GivenInstructions
  extends Pick<RunInstructions, "assume" | "tried" | "inject" | "learns" | "options"> {
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
    tried: given.tried,
    options: given.options,
    inject,
    learns,
    countsIn,
    reportsTo: [...(given.reports ? [folder] : []), ...(outer?.instructions.reportsTo ?? [])],
    outerRuns: outer === undefined ? [] : [outer.folder, ...outer.instructions.outerRuns],
  };
  useFolder(folder, () => writeFileSync(join(folder, instructionsFile), JSON.stringify(instructions)));
  return { folder, instructions };
}

export function removeRun({ folder }: Run): void {
  // A process that outlives the command may write into the folder meanwhile.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** What the mocks of a run and of nested runs saw: the fields of `SeenLine`, of all lines. */
export interface RunSeen extends Record<Exclude<SeenKind, "armed">, ReadonlySet<string>> {
  /** Whether any request to the service reached a mock. */
  readonly isReached: boolean;
  /** The names of the requests in the order of their arrival: `rotate:acme#2`. */
  readonly requests: readonly string[];
  /** Those of them that a test sent while it had armed a fault or a hold itself, or before that in the same epoch. */
  readonly withOwnFault: ReadonlySet<string>;
  /** The results of the tests of our framework entries. */
  readonly tests: readonly TestResult[];
  /** Why the above is not complete: the folder of the run is full or not writable. */
  readonly problem?: string;
}

/** What the mocks saw: nothing, if the command has removed the folder. Call it when the command has ended. */
export function readSeen({ folder }: Pick<Run, "folder">): RunSeen {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const linesOf = <Line>(kind: string) =>
    files
      .filter((name) => name.startsWith(kind) && name.endsWith(".jsonl"))
      .flatMap((name) => readJsonLines<Line>(join(folder, name)));
  const lines = linesOf<SeenLine>("seen-");
  const all = (kind: SeenKind) => new Set(lines.flatMap((line) => line[kind] ?? []));
  const armed = all("armed");
  const requests = lines
    .flatMap(({ request }) => request ?? [])
    // Two processes may write within a millisecond.
    .toSorted((a, b) => a.at - b.at || a.occurrence - b.occurrence)
    .map(({ name, occurrence, epoch }) => ({ name: `${name}#${occurrence}`, epoch }));
  return {
    isReached: lines.length > 0,
    decided: all("decided"),
    pinned: all("pinned"),
    known: all("known"),
    requests: requests.map(({ name }) => name),
    withOwnFault: new Set(requests.filter(({ epoch }) => armed.has(epoch)).map(({ name }) => name)),
    injected: all("injected"),
    recovered: all("recovered"),
    tests: collectResults(linesOf<TestLine>("tests-")),
    ...(files.length > 0 && whyUnusable(folder)),
  };
}

function whyUnusable(folder: string): Pick<RunSeen, "problem"> {
  try {
    useFolder(folder, () => writeFileSync(join(folder, "probe"), "probe"));
    return {};
  } catch (error) {
    return { problem: asError(error).message };
  }
}
