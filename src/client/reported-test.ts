import { readFileSync } from "node:fs";
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
  const test = { title, framework, attempt, error: reportedError(error) };
  if (file === undefined) return test;
  const path = resolve(file);
  return { ...test, file: relative("", file), line: lineIn(path, error) ?? lineOfTitles(path, [title]) };
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

/**
 * The line of a file at which a test begins, for errors whose stack does not mention the file: those of a time limit of
 * node:test, or of a timer. It is where the title is passed to a function, after the titles of its blocks.
 * @returns undefined if a title is not written in the file, such as one of `test.each`
 */
export function lineOfTitles(file: string, titles: readonly string[]): number | undefined {
  const text = sourceOf(file);
  let end = 0;
  for (const title of titles) {
    // A test may have the title of its block.
    const begins = ['"', "'", "`"].map((quote) => text.indexOf(`(${quote}${title}${quote}`, end));
    const found = begins.filter((begin) => begin >= 0);
    if (found.length === 0) return undefined;
    end = Math.min(...found) + 1;
  }
  return text.slice(0, end).split("\n").length;
}

function sourceOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
