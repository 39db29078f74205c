import { readFileSync } from "node:fs";
import { MockError, thrown } from "./mock-error.js";

/**
 * Deeper JSON than any caller means. What is kept has to be written again for the state and the journal, and
 * JSON.stringify overflows the stack at some thousands of levels.
 */
export const maxDepth = 100;

/** What steers the mock holds what callers sent, a few levels down: a state has it in a group of a list. */
export const maxAdminDepth = maxDepth + 10;

/** The most that the admin API takes, in bytes. */
export const maxAdminBytes = 1_000_000;

/** The same of a state: some 200,000 groups. */
export const maxStateBytes = 100_000_000;

export function nestsDeeper(json: unknown, levels: number): boolean {
  if (typeof json !== "object" || json === null) return false;
  if (levels === 0) return true;
  const below = levels - 1;
  if (Array.isArray(json)) return json.some((value) => nestsDeeper(value, below));
  // Without laying the values out: a fixture may have a million of them.
  for (const key in json) if (nestsDeeper((json as Record<string, unknown>)[key], below)) return true;
  return false;
}

/** The same of JSON whose text is at hand: a level costs two characters at least, so that most need no look. */
export function textNestsDeeper(text: string, json: unknown, levels: number): boolean {
  return text.length > 2 * levels && nestsDeeper(json, levels);
}

/** The text of what a test gave to a control, in this process or in another. */
export function writeJson(given: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(given);
  } catch (error) {
    throw new MockError("invalid_json", `What was given is no JSON: ${thrown(error).message}.`);
  }
  if (text === undefined) throw new MockError("invalid_json", `What was given is no JSON: ${typeof given}.`);
  return text;
}

/** The JSON of a file, with or without a byte order mark; throws where it cannot be read, or is none. */
export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
}
