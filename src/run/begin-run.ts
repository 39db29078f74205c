import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MockError } from "../fake/contract/mock-error.js";
import { asError } from "../foundation/located-problem.js";
import { withPath } from "../foundation/save-text.js";
import { warn } from "../foundation/terminal.js";
import { variables } from "../options/names.js";
import { collectResults, type TestLine, type TestResult } from "./report-test.js";
import { inRunFolder, type Run, readJsonLines } from "./run-folder.js";

const instructionsFile = "instructions.json";

/** What `exec` and `explore` ask for. */
export type Instructions = Omit<Run, "folder" | "seenIn" | "countsIn">;

/**
 * Begins a run of a command. Remove it when the command has ended.
 * @param outer the run that it is nested in
 */
export function beginRun(given: Instructions, outer: Run | undefined): Run {
  const folder = temporaryFolder("usergroup-mock-run-");
  // A nested run that injects and learns nothing is part of the outer run.
  const isPart = outer !== undefined && given.inject.length === 0 && !given.learns;
  const { inject, learns, silenceMs, countsIn } = isPart ? outer : { ...given, countsIn: folder };
  const run: Run = {
    ...given,
    folder,
    assume: { ...outer?.assume, ...given.assume },
    inject,
    learns,
    silenceMs,
    countsIn,
    reports: given.reports || outer?.reports === true,
    seenIn: [folder, ...(outer?.seenIn ?? [])],
  };
  const instructions = join(folder, instructionsFile);
  try {
    writeFileSync(instructions, JSON.stringify(run));
  } catch (error) {
    removeRun(run);
    throw cannotBegin(instructions, error);
  }
  return run;
}

/** The run that this process belongs to, if any. */
export function openRun(env: NodeJS.ProcessEnv): Run | undefined {
  const folder = env[variables.run];
  if (folder === undefined || folder === "") return undefined;
  try {
    return JSON.parse(readFileSync(join(folder, instructionsFile), "utf8"));
  } catch (error) {
    // A process that outlives its command must not run with other settings.
    const reason = `${variables.run} refers to a run of exec or explore that has ended: ${asError(error).message}.`;
    throw new MockError("no_run", `${reason} Unset it, or start the mock within that command.`);
  }
}

/** A new folder in the temporary folder. @param name the beginning of its name */
function temporaryFolder(name: string): string {
  const beginning = join(tmpdir(), name);
  try {
    return mkdtempSync(beginning);
  } catch (error) {
    throw cannotBegin(beginning, error);
  }
}

function cannotBegin(path: string, error: unknown): MockError {
  const advice = "Free some space there, or set TMPDIR to a folder that you can write to.";
  return new MockError("no_run", `${withPath(path, asError(error).message)}. ${advice}`);
}

/** Never throws: the result of the command is more important. */
export function removeRun({ folder }: Run): void {
  try {
    // A process that outlives the command may write into the folder meanwhile.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    warn(`the temporary folder ${folder} could not be removed: ${asError(error).message}.`);
  }
}

/**
 * What a mock saw: a request ("reached"); an assumption that decided a response, with a value of the run ("decided"), one
 * that a test had set ("pinned") or the profile's ("known"); an epoch in which a fault or a hold was armed; a failure that
 * was injected, whose client still waited when its silence ended, or from which the program has recovered.
 */
type SeenKind = "reached" | "decided" | "pinned" | "known" | "armed" | "injected" | "waited" | "recovered";

/** One line of a file that a process of the run writes. */
export interface SeenLine extends Readonly<Partial<Record<SeenKind, string>>> {
  /** A request that has arrived. */
  readonly request?: Readonly<Record<"name" | "epoch", string> & Record<"at" | "occurrence", number>>;
  readonly test?: TestLine;
}

/** What the mocks of a run and of nested runs saw: the fields of `SeenLine`, of all lines. */
export interface RunSeen extends Record<Exclude<SeenKind, "reached" | "armed">, ReadonlySet<string>> {
  /** Whether any request to the service reached a mock. */
  readonly isReached: boolean;
  /** The names of the requests in the order of their arrival: `rotate:acme#2`. */
  readonly requests: readonly string[];
  /** Those of them that a test sent while it had armed a fault or a hold itself, or before that in the same epoch. */
  readonly withOwnFault: ReadonlySet<string>;
  /** The results of the tests of our framework entries. */
  readonly tests: readonly TestResult[];
}

/** What the mocks saw: nothing, if the command has removed the folder. Call it when the command has ended. */
export function readSeen(run: Pick<Run, "folder">): RunSeen {
  const lines = readSeenLines(run);
  const all = (kind: SeenKind) => new Set(lines.flatMap((line) => line[kind] ?? []));
  const armed = all("armed");
  const requests = lines
    .flatMap(({ request }) => request ?? [])
    // Two processes may write within a millisecond.
    .toSorted((a, b) => a.at - b.at || a.occurrence - b.occurrence)
    .map(({ name, occurrence, epoch }) => ({ name: `${name}#${occurrence}`, epoch }));
  return {
    isReached: all("reached").size > 0,
    decided: all("decided"),
    pinned: all("pinned"),
    known: all("known"),
    requests: requests.map(({ name }) => name),
    withOwnFault: new Set(requests.filter(({ epoch }) => armed.has(epoch)).map(({ name }) => name)),
    injected: all("injected"),
    waited: all("waited"),
    recovered: all("recovered"),
    tests: collectResults(lines.flatMap(({ test }) => test ?? [])),
  };
}

/** The attempts of tests that failed, also of tests that passed later. */
export function readFailedAttempts(run: Pick<Run, "folder">): TestLine[] {
  return readSeenLines(run).flatMap(({ test }) => (test?.result === "failed" ? test : []));
}

function readSeenLines({ folder }: Pick<Run, "folder">): SeenLine[] {
  const files = inRunFolder(() => readdirSync(folder)) ?? [];
  return files
    .filter((name) => name.startsWith("seen-"))
    .flatMap((name) => readJsonLines<SeenLine>(join(folder, name)));
}
