import { join, relative, resolve } from "node:path";
import { asError } from "../foundation/located-problem.js";
import { variables } from "../options/names.js";
import type { ReportedTest } from "../report/report-data.js";
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
  const place = file === undefined ? {} : { file: relative("", file), line: lineIn(resolve(file), error) };
  return { title, ...place, framework, attempt, error: reportedError(error) };
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
