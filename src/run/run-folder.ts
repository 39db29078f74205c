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
 * - `instructions.json`: a `Run`, written before the command starts
 * - `seen-<process>.jsonl`: what a process of this run or of a nested run saw, a `SeenLine` each
 * - `<hash of a request's name>.<occurrence>`: empty; some process has counted that request
 * - `test-at-<port>-<world>`: the id of the test that is using this world, if tests share the world
 * - `requests-<mock>.<n>.jsonl`: a `RecordedRequest` for each request to a mock of this run or of a nested run. Some MB
 *   each, so that nobody has to read all of them at once
 * - `report-<mock>.jsonl`: the report of a mock, a `ReportLine` each, written when it stops
 */
export const instructionsFile = "instructions.json";

/**
 * One run of a command: what every mock of it does. Mocks in any process that the command starts read this from the
 * folder and write into it what they saw. Files, because a process may be killed, and because tools may intercept its
 * HTTP.
 */
export interface Run {
  readonly folder: string;
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
  /** The folders of this run and of those that it is nested in. All of them see what its mocks see. */
  readonly seenIn: readonly string[];
  /** The folder in which requests are counted: that of the run with the `inject` or `learns` that applies. */
  readonly countsIn: string;
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

/** Appends a `SeenLine` to the file of this process, in the folders of a run and of the runs around it. */
export function appendSeen({ seenIn }: Run, line: object): void {
  appendText(seenIn, `seen-${process.pid}.jsonl`, `${JSON.stringify(line)}\n`);
}

export function appendText(folders: readonly string[], file: string, text: string): void {
  for (const folder of folders) inRunFolder(() => appendFileSync(join(folder, file), text));
}

/** The lines of a file. A process that was killed may have left half a line, which is left out. */
export function readJsonLines<Line>(path: string): Line[] {
  const lines = readFileSync(path, "utf8").split("\n").map(parseJson);
  return lines.filter((line) => line !== undefined) as Line[];
}
