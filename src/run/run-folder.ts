import { appendFileSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MockError } from "../contract/mock-error.js";
import { asError } from "../foundation/coded-error.js";
import { parseJson } from "../foundation/json.js";
import type { JournalEntry, RequestBody, TestSummary } from "../generated/types.js";
import { variables } from "../options/names.js";
import type { Injection } from "./injection.js";

/**
 * The folder of a run:
 *
 * - `instructions.json`: a `RunInstructions`, written before the command starts
 * - `seen-<mock>.jsonl`: what a mock of this run or of a nested run saw, a `SeenLine` each
 * - `<hash of a request's name>.<occurrence>`: empty; some process has counted that request
 * - `tests-<process>.jsonl`: tests of our framework entries that began or ended, a `TestLine` each
 * - `test-at-<port>-<world>`: the id of the test that is using this world, if tests share the world
 * - `requests-<mock>.<n>.jsonl`: a `RecordedRequest` for each request to a mock of this run or of a nested run. Some MB
 *   each, so that nobody has to read all of them at once
 * - `report-<mock>.jsonl`: the report of a mock, a `ReportLine` each, written when it stops
 */
export const instructionsFile = "instructions.json";

/** What every mock of a run does. */
export interface RunInstructions {
  readonly assume: Readonly<Record<string, string>>;
  /** Those of them that `explore` tries: they do not override a profile. */
  readonly tried: readonly string[];
  /** Failures, each at another request. */
  readonly inject: readonly Injection[];
  /** Options that a mock takes if it does not set them itself. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether the name of every request is recorded. */
  readonly learns: boolean;
  /** The folders of the runs that write a report: mocks record there what they see. */
  readonly reportsTo: readonly string[];
  /** The folders of the runs that this run is nested in, the nearest first. They see what its mocks see. */
  readonly outerRuns: readonly string[];
  /** The folder in which requests are counted: that of the run with the `inject` or `learns` that applies. */
  readonly countsIn: string;
}

/**
 * One run of a command. Mocks in any process that the command starts read their instructions from its folder and write
 * into it what they saw. Files, because a process may be killed, and because tools may intercept its HTTP.
 */
export interface Run {
  readonly folder: string;
  readonly instructions: RunInstructions;
}

/** The run that this process belongs to, if any. */
export function openRun(env: NodeJS.ProcessEnv): Run | undefined {
  const folder = env[variables.run];
  if (folder === undefined || folder === "") return undefined;
  try {
    return { folder, instructions: JSON.parse(readFileSync(join(folder, instructionsFile), "utf8")) };
  } catch (error) {
    // A process that outlives its command must not run with other settings.
    const reason = `${variables.run} refers to a run of exec or explore that has ended: ${asError(error).message}.`;
    throw new MockError("no_run", `${reason} Unset it, or start the mock within that command.`);
  }
}

/**
 * What a mock saw: an assumption that decided a response, with a value of the run ("decided"), one that a test had set
 * ("pinned") or the profile's ("known"); an epoch in which a fault or a hold was armed; a failure that was injected, or from
 * which the program has recovered.
 */
export type SeenKind = "decided" | "pinned" | "known" | "armed" | "injected" | "recovered";

/** One line of a file that a mock writes. */
export interface SeenLine extends Readonly<Partial<Record<SeenKind, string>>> {
  /** A request that has arrived. */
  readonly request?: Readonly<Record<"name" | "epoch", string> & Record<"at" | "occurrence", number>>;
}

/** A completed request to a mock of a run. */
export interface RecordedRequest {
  /** The base URL of the mock. */
  readonly url: string | undefined;
  /** The epoch in which it began. */
  readonly test: TestSummary;
  readonly entry: JournalEntry;
  readonly bodies: RequestBody;
}

/** A new folder in the temporary folder. @param name the beginning of its name */
export function temporaryFolder(name: string): string {
  return useFolder(tmpdir(), (folder) => mkdtempSync(join(folder, name)));
}

/** Throws what to do if the folder is full or not writable. */
export function useFolder<Result>(folder: string, action: (folder: string) => Result): Result {
  try {
    return action(folder);
  } catch (error) {
    const advice = "Free some space there, or set TMPDIR to a folder that you can write to.";
    const reason = `The folder ${folder} cannot be used: ${asError(error).message}.`;
    throw new MockError("no_run", `${reason} ${advice}`);
  }
}

/**
 * Reads or writes in the folder of a run, if possible. The run may have ended before this process; otherwise, `readSeen`
 * finds that the folder is full or not writable.
 */
export function inRunFolder<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** Appends a line to a file of a run and of the runs around it. */
export function appendToRuns({ folder, instructions }: Run, file: string, line: object): void {
  appendText([folder, ...instructions.outerRuns], file, `${JSON.stringify(line)}\n`);
}

export function appendText(folders: readonly string[], file: string, text: string): void {
  for (const folder of folders) inRunFolder(() => appendFileSync(join(folder, file), text));
}

/** The lines of a file. A process that was killed may have left half a line, which is left out. */
export function readJsonLines<Line>(path: string): Line[] {
  const lines = readFileSync(path, "utf8").split("\n").map(parseJson);
  return lines.filter((line) => line !== undefined) as Line[];
}
