/**
 * The data of a report is lines of JSON. Each is a part of the response to an admin call that the page makes; the parts
 * of one world and target make the response.
 */
export interface ReportLine {
  /** The default world also has the responses that concern all worlds. Empty: the line is about the report. */
  readonly world: string;
  /** The target of the admin call, below `/__admin`. Empty: the line is about the world. */
  readonly target: string;
  /** The part is an item of this list. Otherwise it has fields of the response. */
  readonly list?: string;
  readonly value?: unknown;
  /** In place of a value: the number of an earlier line that has it. */
  readonly same?: number;
}

/** The line about the report. */
export interface AboutReport {
  readonly version: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** One sentence for each thing that the report does not include. */
  readonly leftOut: readonly string[];
}

/** The line about a world. */
export interface AboutWorld {
  /** Its base URL. Missing if the mock was killed before it was recorded. */
  readonly url?: string;
  /** The failed test that used it, as far as a test framework reported it. */
  readonly test?: ReportedTest;
}

/** The line about the command of `exec` or `explore`. The world is empty. */
export interface AboutRun {
  /** With its arguments. */
  readonly command: string;
  readonly exitCode: number;
  /** The failed tests that a framework import reported. */
  readonly tests: readonly TestOfRun[];
}

export const runTarget = "/run";

/** A failed test of a command. */
export interface TestOfRun extends ReportedTest {
  /** The label of its part of a world, if it shares the world with other tests. */
  readonly label?: string;
}

/** The error of a test, and what an assertion compared, as text. */
export interface ReportedError {
  readonly message: string;
  /** The code of an error that a method of `World` threw. */
  readonly code?: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** A failed test. That of a report about one test is stored beside the lines. */
export interface ReportedTest {
  /** With the names of its suites. */
  readonly title: string;
  readonly file?: string;
  /** The line of the file at which it failed, if the stack of its error has it. */
  readonly line?: number;
  readonly framework?: string;
  /** From 1. Missing if it is not known. */
  readonly attempt?: number;
  readonly error?: ReportedError;
}

/** Finds the response to an admin call. Undefined if the report does not include it. */
export type FindResponse = (world: string, target: string) => unknown;

/** Reads the lines of a report. */
export function readReport(text: string): FindResponse {
  const lines = text.split("\n");
  const responses = new Map<string, Record<string, unknown>>();
  for (const line of lines) {
    const { world, target, list, same, value }: ReportLine = JSON.parse(line);
    const part = same === undefined ? value : JSON.parse(lines[same] ?? "").value;
    const response = responses.get(`${world} ${target}`) ?? {};
    const items = list === undefined ? undefined : response[list];
    if (Array.isArray(items)) items.push(part);
    else
      responses.set(`${world} ${target}`, {
        ...(list === undefined ? part : { [list]: [part] }),
        ...response,
      });
  }
  return (world, target) => responses.get(`${world} ${target}`);
}

/** The text of a body that was parsed: a report includes exact texts only where they differ from this. */
export function plainText(body: unknown): string | null {
  if (body === null || body === undefined) return null;
  return typeof body === "string" ? body : JSON.stringify(body);
}
