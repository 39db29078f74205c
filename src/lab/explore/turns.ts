import { stripVTControlCharacters } from "node:util";
import { doesBreak, type TestResult } from "../../run/report-test.js";
import type { Change, EndedRun } from "./changes.js";

/**
 * "recovers": a test failed, but the program got through. "hangs": the client still waited when a silence ended, or the run
 * was killed. "not met": the request was not made again. "unknown": other changes of the run may be the cause.
 */
type TurnResult = "survives" | "breaks" | "recovers" | "hangs" | "not met" | "unknown";

/** What one run has shown of one test, or of the whole command. */
export interface Turn {
  /** The id of the test. Empty: the command, by its exit code. */
  readonly test: string;
  /** The change that it had in this run. Missing: a plain turn. */
  readonly change: Change | undefined;
  readonly result: TurnResult;
  /** Of a test that failed, without what differs from run to run. */
  readonly error?: string | undefined;
  readonly run: EndedRun;
}

export function hasFailed({ result }: Turn): boolean {
  return result === "breaks" || result === "recovers";
}

/** Whether no other change can have caused what a turn shows. */
export function isAlone({ run }: Turn): boolean {
  return run.changes.length === 1;
}

/** What a run has shown of each test, and of each change whose test has no result. */
export function turnsOf(run: EndedRun): Turn[] {
  const { changes, seen } = run;
  const ids = new Set(seen.tests.map(({ id }) => id));
  const changeOf = new Map(changes.map((change) => [change.test?.id, change]));
  const ofTests = seen.tests.map((test) => turnOfTest(test, changeOf.get(test.id), run));
  const others = changes.filter(({ test }) => test === undefined || !ids.has(test.id));
  const ofCommand = others.map((change) => turnOfCommand(change, run));
  const isPlainFailure = changes.length === 0 && isUnexplained(run);
  const plain: Turn[] = isPlainFailure ? [{ test: "", change: undefined, result: "breaks", run }] : [];
  return [...ofTests.filter((turn) => turn !== undefined), ...ofCommand, ...plain];
}

/** Undefined if nothing is known. */
function turnOfTest(test: TestResult, change: Change | undefined, run: EndedRun): Turn | undefined {
  const result = change === undefined ? plainResult(test) : resultOfTest(test, change, run);
  if (result === undefined) return undefined;
  const turn = { test: test.id, change, result, run };
  return hasFailed(turn) ? { ...turn, error: steadyError(test) } : turn;
}

function plainResult(test: TestResult): TurnResult | undefined {
  if (test.result === "skipped" || test.result === "unfinished") return undefined;
  return doesBreak(test) ? "breaks" : "survives";
}

function resultOfTest(test: TestResult, change: Change, run: EndedRun): TurnResult {
  const { seen, changes } = run;
  if (seen.waited.has(change.name)) return "hangs";
  if (!seen.injected.has(change.name)) return "not met";
  const isUnclear = test.result === "unfinished" || isUnexplained(run);
  if (isUnclear && changes.length > 1) return "unknown";
  if (isUnclear) return run.hangs ? "hangs" : "breaks";
  if (!doesBreak(test)) return "survives";
  return seen.recovered.has(change.name) ? "recovers" : "breaks";
}

/** By the exit code: the results of tests are not known. */
function turnOfCommand(change: Change, run: EndedRun): Turn {
  return { test: "", change, result: resultOfCommand(change, run), run };
}

function resultOfCommand({ name }: Change, { seen, exitCode, changes, hangs }: EndedRun): TurnResult {
  if (seen.waited.has(name)) return "hangs";
  if (!seen.injected.has(name)) return "not met";
  if (exitCode === 0) return "survives";
  if (changes.length > 1) return "unknown";
  return hangs ? "hangs" : "breaks";
}

/** Whether a command has failed although no test has. */
function isUnexplained({ exitCode, seen }: EndedRun): boolean {
  return exitCode !== 0 && !seen.tests.some(doesBreak);
}

/** The error of a test in one line, without ports, tokens and hashes. */
export function steadyError({ failure }: TestResult): string | undefined {
  const text = stripVTControlCharacters(failure?.error?.message ?? "").replace(/\s+/g, " ");
  const steady = text.replace(/[\da-f]{16,}|\d{4,}/g, "…").trim();
  return steady.slice(0, 200) || undefined;
}
