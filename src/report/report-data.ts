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
}

/** How a command ended. */
export interface ReportedRun {
  /** With its arguments. */
  readonly command: string;
  readonly exitCode: number;
  /** How many tests the framework imports reported, without those that were skipped. */
  readonly tests: number;
  /** How many of them failed, also when they were tried again. */
  readonly failed: number;
  /** The failed attempts, also of tests that passed later. */
  readonly attempts: readonly FailedAttempt[];
}

/** A failed attempt of a test, and where its requests are. */
export interface FailedAttempt extends ReportedTest {
  /** The name of its world in the report. */
  readonly world: string;
  readonly epoch: number;
  /** A later attempt of the test passed. */
  readonly passedLater?: true;
}

/**
 * What kind of error it is; undefined for all others, which a program throws.
 *
 * | kind         | meaning                                                                                   |
 * | ------------ | ----------------------------------------------------------------------------------------- |
 * | `assertion`  | a comparison of the test                                                                  |
 * | `time-limit` | the framework ended the test                                                              |
 * | `abort`      | a client gave up waiting                                                                  |
 * | `mock`       | a method of `World` threw it                                                              |
 */
export type ErrorKind = "assertion" | "time-limit" | "abort" | "mock";

/** The error of a test as text, and what an assertion compared. */
export interface ReportedError {
  readonly message: string;
  /** The name that a program gave it, such as `BillingError`. */
  readonly name?: string;
  readonly kind?: ErrorKind;
  /** The code of an error that a method of `World` threw. */
  readonly code?: string;
  readonly expected?: string;
  readonly actual?: string;
  /** The difference of expected and received, if the framework prints it below the message. */
  readonly diff?: string;
  /** The messages of its causes, and the fields that they and the error have, such as `status: 404`. */
  readonly causes?: readonly string[];
  /** Missing if the code of the test cannot be read. */
  readonly lines?: FailedLines;
}

/** What the lines of a test say of its error. */
export interface FailedLines {
  /** The line that failed names a status: a number that it compares is one. */
  readonly nameStatus?: true;
  /** The statuses of failures that lines before it name. */
  readonly statuses?: readonly number[];
  /** A line before it handles a rejection. */
  readonly handleRejections?: true;
  /** Missing: in the program. */
  readonly thrownIn?: "test" | "hook";
}

/** The moment at which a hook first saw that a test had failed. Nothing that comes later is a reason. */
export interface FailureMark {
  /** ISO 8601. */
  readonly at: string;
  /** The part of its world that the test used. */
  readonly epoch: number;
  /** The last request that had arrived; 0 if there was none. */
  readonly lastRequest: number;
  /** The requests that had no response yet. */
  readonly waiting: readonly number[];
}

/** The failed test that a report is about, stored beside the lines. */
export interface TestOfReport extends ReportedTest {
  readonly world: string;
}

/** A failed test. */
export interface ReportedTest {
  /** With the names of its suites, and of the subtest that failed. */
  readonly title: string;
  readonly file?: string | undefined;
  /** The line of the file at which it failed, or else of the test, if the framework shows it. */
  readonly line?: number | undefined;
  readonly framework?: string | undefined;
  /** From 1. Missing if it is not known. */
  readonly attempt?: number | undefined;
  readonly error?: ReportedError | undefined;
  /** It never had the URL of the mock: that it sent no request says nothing. */
  readonly isUnused?: true;
  /** Missing if no hook saw the failure. */
  readonly mark?: FailureMark | undefined;
  /** What was said of it in the terminal. Missing if nobody has asked. */
  readonly verdict?: FailureVerdict | undefined;
}

/** Text, or the number of a request: a link on the page. */
export type VerdictPart = string | { readonly request: number };

/** What is said of a failed test beside its error, in the terminal and on the page. */
export interface FailureVerdict {
  readonly label?: "Likely cause" | "After the failure" | "Last rejected";
  /** The sentence. Empty if there is nothing to say. */
  readonly parts: readonly VerdictPart[];
  /** What the faults that the test armed have done. Empty if there are none, or the sentence says it. */
  readonly faults: readonly VerdictPart[];
  /** The request that is open until the reader chooses one. */
  readonly request: number | undefined;
  /** It says all that the error says. */
  readonly repeatsError?: true;
  /** It has the cause or the remarks of the request. */
  readonly explains?: true;
}

/** Reads the lines of a report. Returns a function that finds the response to an admin call, if it is included. */
export function readReport(text: string): (world: string, target: string) => unknown {
  const responses = new Map<string, Record<string, unknown>>();
  for (const line of text.split("\n")) {
    const { world, target, list, value } = JSON.parse(line);
    const key = `${world} ${target}`;
    const response = responses.get(key) ?? {};
    if (list === undefined) {
      // Items of its lists may have come before.
      responses.set(key, { ...value, ...response });
    } else {
      const items = Array.isArray(response[list]) ? response[list] : [];
      items.push(value);
      response[list] = items;
      responses.set(key, response);
    }
  }
  return (world, target) => responses.get(`${world} ${target}`);
}

/** A body as text, where its exact text did not fit into the report, or the journal has dropped it. */
export function plainText(body: unknown): string | null {
  if (body === null || body === undefined) return null;
  return typeof body === "string" ? body : JSON.stringify(body);
}
