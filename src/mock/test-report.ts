import { readFile, writeFile } from "node:fs/promises";
import type { ReportedError, ReportedTest } from "../contract/report-data.js";

/** Longer values are cut: a report is for people. */
const maxErrorLength = 20_000;

/** Adds the test to its report: the page is about it then. */
export async function addTestToReport(path: string, test: ReportedTest): Promise<void> {
  const page = await readFile(path, "utf8");
  const end = page.lastIndexOf("</body>");
  // `<` as an escape: no text can end the element.
  const json = JSON.stringify(test).replaceAll("<", "\\u003c");
  const element = `<script type="application/json" id="test">${json}</script>\n  `;
  await writeFile(path, page.slice(0, end) + element + page.slice(end));
}

/** What a framework knows of the error of a test: its message, and what an assertion compared. */
export function reportedError(error: unknown): ReportedError | undefined {
  if (error === undefined || error === null) return undefined;
  const { message, value, cause, matcherResult, ...own } = fieldsOf(error);
  // node:test wraps the error of the test.
  const isWrapped = fieldsOf(error).code === "ERR_TEST_FAILURE" && cause !== undefined;
  if (isWrapped) return reportedError(cause);
  const compared = { ...own, ...fieldsOf(matcherResult) };
  return {
    message: errorText(message ?? value ?? error),
    ...("expected" in compared && "actual" in compared
      ? { expected: errorText(compared.expected), actual: errorText(compared.actual) }
      : {}),
  };
}

/** Also those that are not enumerable, such as the message. */
function fieldsOf(error: unknown): Readonly<Record<string, unknown>> {
  if (typeof error !== "object" || error === null) return {};
  const names = ["message", "value", "cause", "code", "expected", "actual", "matcherResult"] as const;
  const fields = error as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: frameworks colour their messages with these.
const colourCodes = /\u001b\[[\d;]*m/g;

function errorText(value: unknown): string {
  const text = typeof value === "string" ? value : (jsonText(value) ?? String(value));
  return text.replace(colourCodes, "").slice(0, maxErrorLength);
}

function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, undefined, 2);
  } catch {
    // It refers to itself.
    return undefined;
  }
}
