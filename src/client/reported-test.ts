import { relative, resolve } from "node:path";
import { inspect } from "node:util";
import type { ReportedError, ReportedTest } from "../report/report-data.js";
import type { FailedTest } from "./world.js";

/** Longer values are cut: a report is for people. */
const maxErrorLength = 20_000;

/** What a report shows of a failed test. */
export function showFailedTest({ title, file, framework, attempt, error: thrown }: FailedTest): ReportedTest {
  const error = reportedError(thrown);
  const line = file === undefined ? undefined : lineIn(resolve(file), thrown);
  return {
    title,
    ...(file !== undefined && { file: relative("", file) }),
    ...(line !== undefined && { line }),
    ...(framework !== undefined && { framework }),
    ...(attempt !== undefined && { attempt }),
    ...(error && { error }),
  };
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
  const { stack }: { readonly stack?: unknown } = Object(thrown);
  const at = typeof stack === "string" ? stack.indexOf(`${file}:`) : -1;
  if (at < 0) return undefined;
  return Number.parseInt(String(stack).slice(at + file.length + 1), 10) || undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: frameworks colour their messages with these.
const colourCodes = /\u001b\[[\d;]*m/g;

function errorText(value: unknown): string {
  const text = typeof value === "string" ? value : inspect(value, { compact: false, depth: 10 });
  return text.replace(colourCodes, "").slice(0, maxErrorLength);
}
