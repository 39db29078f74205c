import { join, relative, resolve } from "node:path";
import { variables } from "../options/names.js";
import type { ReportedError, ReportedTest } from "../report/report-data.js";
import { lineIn, lineOfTitles, readFailedLines } from "./failed-lines.js";
import { reportedError } from "./reported-error.js";
import type { FailedTest } from "./world.js";

/**
 * The directory for the reports of failed tests. `explore` sets another one, because its runs fail on purpose.
 * @param root the directory of the project; by default, the working directory
 */
export function reportDirectory(root = ""): string {
  return process.env[variables.testReports] || join(root, "usergroup-mock-report");
}

/** What a report shows of a failed test. */
export function showFailedTest({ title, file, framework, attempt, error }: FailedTest): ReportedTest {
  if (file === undefined) return { title, framework, attempt, error: errorOfTest(error) };
  const path = resolve(file);
  const line = lineIn(path, error) ?? lineOfTitles(path, [title]);
  return {
    title,
    framework,
    attempt,
    file: relative("", file),
    line,
    error: errorOfTest(error, path, [title]),
  };
}

/** What is known of the error of a test. @param file its absolute path, if that is known */
export function errorOfTest(
  thrown: unknown,
  file = "",
  titles: readonly string[] = [],
): ReportedError | undefined {
  const error = reportedError(thrown);
  return error && { ...error, lines: readFailedLines(thrown, file, titles) };
}
