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
  /** `requests`: of a journal. `texts`: the exact texts of one request. Missing: everything else. */
  readonly of?: "requests" | "texts" | undefined;
  readonly value?: unknown;
}

/** The line about the report. */
export interface AboutReport {
  readonly version: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** One sentence for each thing that the report does not include. */
  readonly leftOut: readonly string[];
  /** The command of `exec` or `explore`. */
  readonly run?: ReportedRun;
}

/** The line about a world. */
export interface AboutWorld {
  /** Its base URL. Missing if the mock was killed before it was recorded. */
  readonly url?: string;
  /** The failed test that used it, as far as a test framework reported it. */
  readonly test?: ReportedTest;
}

/** How a command ended. */
export interface ReportedRun {
  /** With its arguments. */
  readonly command: string;
  readonly exitCode: number;
  /** The failed tests that a framework import reported. */
  readonly tests: readonly ReportedTest[];
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
  /** The label of its part of a world, if it shares the world with other tests of a run. */
  readonly label?: string | undefined;
  readonly file?: string | undefined;
  /** The line of the file at which it failed, if the stack of its error has it. */
  readonly line?: number | undefined;
  readonly framework?: string | undefined;
  /** From 1. Missing if it is not known. */
  readonly attempt?: number | undefined;
  readonly error?: ReportedError | undefined;
}

/** Reads the lines of a report. Returns a function that finds the response to an admin call, if it is included. */
export function readReport(text: string): (world: string, target: string) => unknown {
  const responses = new Map<string, Record<string, unknown>>();
  for (const line of text.split("\n")) {
    const { world, target, list, value } = JSON.parse(line);
    const key = `${world} ${target}`;
    const response = responses.get(key) ?? {};
    const items = list === undefined ? undefined : response[list];
    if (Array.isArray(items)) items.push(value);
    else responses.set(key, { ...(list === undefined ? value : { [list]: [value] }), ...response });
  }
  return (world, target) => responses.get(`${world} ${target}`);
}

/** A body as text, where its exact text did not fit into the report, or the journal has dropped it. */
export function plainText(body: unknown): string | null {
  if (body === null || body === undefined) return null;
  return typeof body === "string" ? body : JSON.stringify(body);
}
