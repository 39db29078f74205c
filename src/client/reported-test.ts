import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { asError } from "../foundation/located-problem.js";
import { variables } from "../options/names.js";
import type { FailedLines, ReportedError, ReportedTest } from "../report/report-data.js";
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

/** A place in the stack of an error. */
interface Frame {
  readonly file: string;
  readonly line: number;
}

/**
 * What the lines of a test say of its error. They are read when the test has failed: a report has no source code.
 * @param file the absolute path of the test file
 * @param titles of the test, and of its blocks before it
 */
function readFailedLines(thrown: unknown, file: string, titles: readonly string[]): FailedLines {
  const frames = framesOf(thrown);
  const own = frames.filter(isOwn);
  const begins = lineOfTitles(file, titles);
  const inTest = own.find(
    (frame) => frame.file === file && frame.line >= (begins ?? Number.POSITIVE_INFINITY),
  );
  const before = begins === undefined || inTest === undefined ? "" : textBetween(file, begins, inTest.line);
  const statuses = [...new Set(before.match(/\b[45]\d\d\b/g))].map(Number);
  const thrownIn = findThrower(frames, file, begins);
  return {
    ...(own.slice(0, 2).some(isAboutStatus) && { nameStatus: true }),
    ...(statuses.length > 0 && { statuses }),
    ...(/\brejects\b|\btoThrow|\bthrows\b|\bcatch\b/.test(before) && { handleRejections: true }),
    ...(thrownIn !== undefined && { thrownIn }),
  };
}

/** The line of a file in the stack of an error. @param file its absolute path */
export function lineIn(file: string, thrown: unknown): number | undefined {
  return framesOf(thrown).find((frame) => frame.file === file)?.line;
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

/** `at Object.toBe (/project/a.test.js:11:3)`, `at async file:///project/a.js:11:3`. */
const frameLine =
  /^\s*at (?:.*? \()?(?:async )?((?:file:\/\/|node:|\/|[A-Za-z]:[\\/]).*?):(\d+)(?::\d+)?\)?$/;

function framesOf(thrown: unknown): Frame[] {
  const { stack } = asError(thrown);
  // JavaScript can throw anything.
  if (typeof stack !== "string") return [];
  return stack.split("\n").flatMap((text) => {
    const [, place, line] = frameLine.exec(text) ?? [];
    if (place === undefined) return [];
    return { file: place.startsWith("file://") ? fileURLToPath(place) : place, line: Number(line) };
  });
}

/** Whether it is code of the user. */
function isOwn({ file }: Frame): boolean {
  return !file.startsWith("node:") && !/[\\/]node_modules[\\/]/.test(file);
}

/** Where an error was thrown, if no program has thrown it. @param begins the line of the test */
function findThrower(frames: readonly Frame[], file: string, begins = 0): FailedLines["thrownIn"] {
  const lines = frames.filter((frame) => frame.file === file).map(({ line }) => line);
  // Hooks stand above the tests.
  if (lines.length > 0 && lines.every((line) => line < begins)) return "hook";
  return frames[0]?.file === file ? "test" : undefined;
}

/** Whether the statement at a place names one status. */
function isAboutStatus({ file, line }: Frame): boolean {
  return /status(?!es)|\bcode\b/i.test(statementAt(sourceOf(file).split("\n"), line));
}

/** The lines of the statement that ends at a line, by its brackets. */
function statementAt(lines: readonly string[], line: number): string {
  const most = 8;
  let text = "";
  for (let n = line - 1; n >= 0 && n > line - 1 - most; n--) {
    text = `${lines[n] ?? ""}\n${text}`;
    const [opened, closed] = [text.match(/[([{]/g)?.length ?? 0, text.match(/[)\]}]/g)?.length ?? 0];
    if (opened >= closed && !/^\s*\./.test(text)) break;
  }
  return text;
}

/** The lines of a test before the one that failed. */
function textBetween(file: string, from: number, to: number): string {
  return sourceOf(file)
    .split("\n")
    .slice(from, to - 1)
    .join("\n");
}

function sourceOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
