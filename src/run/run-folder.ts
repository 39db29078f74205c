import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "../foundation/json.js";
import type { JournalEntry, RequestBody, TestSummary } from "../generated/types.js";
import type { Injection } from "./injection.js";

/**
 * One run of a command: what every mock of it does. Mocks in any process that the command starts read this from its
 * folder and write into it what they saw. Files, because a process may be killed, and because tools may intercept its
 * HTTP.
 */
export interface Run {
  /**
   * Its files:
   *
   * - `instructions.json`: this object, written before the command starts
   * - `seen-<process>.jsonl`: what a process of this run or of a nested run saw, a `SeenLine` each
   * - `<hash of a request's name>.<occurrence>`: empty; some process has counted that request
   * - `requests-<mock>.<n>.jsonl`, `report-<mock>.jsonl`, `not-kept-<mock>.json`: what a mock of this run or of a nested
   *   run keeps for the report (`KeptRecords`)
   */
  readonly folder: string;
  readonly assume: Readonly<Record<string, string>>;
  /** Those of them that `explore` tries: they do not override a profile. */
  readonly tried: readonly string[];
  /** Failures, each at another request. */
  readonly inject: readonly Injection[];
  /** How long an injected `silent` lasts before it resets the connection. Missing: for ever. */
  readonly silenceMs?: number | undefined;
  /** Options that a mock takes if it does not set them itself. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether the name of every request is recorded. */
  readonly learns: boolean;
  /** Whether mocks record what a report shows. */
  readonly reports: boolean;
  /** The folders of this run and of those that it is nested in. All of them see what its mocks see. */
  readonly seenIn: readonly string[];
  /** The folder in which requests are counted: that of the run with the `inject` or `learns` that applies. */
  readonly countsIn: string;
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

/** Reads or writes in the folder of a run, if possible: the run may have ended before this process. */
export function inRunFolder<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** Appends a `SeenLine` to the file of this process, in the folders of the run and of the runs around it. */
export function appendSeen({ seenIn }: Run, line: object): void {
  const text = `${JSON.stringify(line)}\n`;
  for (const folder of seenIn)
    inRunFolder(() => appendFileSync(join(folder, `seen-${process.pid}.jsonl`), text));
}

/** The lines of a file. A process that was killed may have left half a line, which is left out. */
export function readJsonLines<Line>(path: string): Line[] {
  const lines = readFileSync(path, "utf8").split("\n").map(parseJson);
  return lines.filter((line) => line !== undefined) as Line[];
}
