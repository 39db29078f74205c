import { join, relative, resolve } from "node:path";
import { inspect } from "node:util";
import { asError } from "../foundation/located-problem.js";
import { variables } from "../options/names.js";
import type { ReportedError, ReportedTest } from "../report/report-data.js";
import type { FailedTest } from "./world.js";

/** Longer values are cut: a report is for people. */
const maxErrorLength = 20_000;

/**
 * The directory for the reports of failed tests. `explore` sets another one, because its runs fail on purpose.
 * @param root the directory of the project; by default, the working directory
 */
export function reportDirectory(root = ""): string {
  return process.env[variables.testReports] || join(root, "usergroup-mock-report");
}

/** What a report shows of a failed test. */
export function showFailedTest({ title, file, framework, attempt, error }: FailedTest): ReportedTest {
  const place = file === undefined ? {} : { file: relative("", file), line: lineIn(resolve(file), error) };
  return { title, ...place, framework, attempt, error: reportedError(error) };
}

/** What a framework knows of the error of a test: its message, and what an assertion compared. */
export function reportedError(thrown: unknown): ReportedError | undefined {
  if (thrown === undefined || thrown === null) return undefined;
  // Jest stores the compared values in `matcherResult`. Playwright stores a thrown value that is not an error in `value`.
  const error: Partial<
    Record<"message" | "name" | "code" | "value" | "expected" | "actual" | "matcherResult", unknown>
  > = thrown;
  const { expected, actual } = (error.matcherResult ?? error) as typeof error;
  return {
    message: errorText(error.message ?? error.value ?? error),
    ...(error.name === "MockError" && { code: String(error.code) }),
    ...((expected ?? actual) !== undefined && { expected: errorText(expected), actual: errorText(actual) }),
  };
}

/** The line of a file in the stack of an error. @param file its absolute path */
export function lineIn(file: string, thrown: unknown): number | undefined {
  const { stack } = asError(thrown);
  // JavaScript can throw anything.
  if (typeof stack !== "string") return undefined;
  const at = stack.indexOf(`${file}:`);
  if (at < 0) return undefined;
  return Number.parseInt(stack.slice(at + file.length + 1), 10) || undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: frameworks colour their messages with these.
const colourCodes = /\u001b\[[\d;]*m/g;

function errorText(value: unknown): string {
  const text = typeof value === "string" ? value : inspect(value, { compact: false, depth: 10 });
  return text.replace(colourCodes, "").slice(0, maxErrorLength);
}
