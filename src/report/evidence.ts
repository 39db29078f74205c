import { fieldOf } from "../foundation/json.js";
import type { JournalEntry } from "../generated/types.js";
import { kindOfRequest } from "./entry-facts.js";
import type { ReportedError } from "./report-data.js";

/** The texts of an error. What the test expected is no evidence that the program got it. */
interface Sides {
  readonly received: string;
  readonly expected: string;
}

/** Where the text of an assertion library begins. A text of the test may stand before it. */
const ofLibrary = /\bexpect(?:ed\b|\()|\bExpected\b|^The (?:expression|input)\b/;

/** What an error says, and apart from it what the test expected. */
function readSides(error: ReportedError): Sides {
  const { message, kind, expected = "", causes = [] } = error;
  // Near misses quote requests that are not the reason.
  if (kind === "mock" && error.code !== "failures") return { received: "", expected };
  const own = kind === "assertion" ? sidesOfAssertion(error) : { received: message, expected };
  return { ...own, received: [own.received, ...causes].join("\n") };
}

function sidesOfAssertion({ message, diff = "", expected, actual }: ReportedError): Sides {
  const [custom = ""] = message.split(ofLibrary);
  const [, subject, rest] = /\bexpected (.+?)(?: not)? to (.+)$/s.exec(message) ?? [];
  // A collection has more than what the assertion is about.
  if (/^[[{]/.test(subject ?? "") && searches.test(rest ?? "")) return { received: custom, expected: "" };
  const lines = `${message}\n${diff}`.split("\n");
  const difference = sidesOfDifference(lines);
  if (difference !== undefined) return withCustom(custom, difference);
  if (actual !== undefined && expected !== undefined)
    return withCustom(custom, { received: actual, expected });
  if (subject === undefined || rest === undefined) return sidesOfLines(lines);
  return withCustom(custom, { received: subject, expected: rest });
}

/** How chai and vitest write that they searched in a collection. */
const searches = /^(?:deep(?:ly)? )?(?:equally )?(?:include|contain|have)\b/;

function withCustom(custom: string, { received, expected }: Sides): Sides {
  return { received: `${custom}\n${received}`, expected };
}

/** The sides of a difference with signs. Lines without a sign are equal on both sides. */
function sidesOfDifference(lines: readonly string[]): Sides | undefined {
  const start = lines.findIndex((line) => /^\s*(?:- Expected\b|\+ actual - expected)/.test(line));
  if (start < 0) return undefined;
  const sides = { received: [] as string[], expected: [] as string[] };
  /** vitest writes values that have nothing in common as two blocks. */
  let block: keyof Sides = "expected";
  for (const line of lines.slice(start)) {
    const [, sign, title] = /^\s*([-+]) (Expected|Received):$/.exec(line) ?? [];
    if (title !== undefined) block = sign === "+" ? "received" : "expected";
    else sides[line.startsWith("+") ? "received" : block].push(line);
  }
  return { received: sides.received.join("\n"), expected: sides.expected.join("\n") };
}

/** Jest, Playwright and Node print both sides in the message: on lines of their own, or as `404 !== 200`. */
function sidesOfLines(lines: readonly string[]): Sides {
  const received: string[] = [];
  const expected: string[] = [];
  for (const line of lines) {
    if (/^Received (?:array|set|collection)\b/.test(line)) continue;
    const [, left, right] = /^(.+) !==? (.+)$/.exec(line) ?? [];
    if (left !== undefined && right !== undefined) {
      received.push(left);
      expected.push(right);
    } else (/^\s*Expected\b/.test(line) ? expected : received).push(line);
  }
  return { received: received.join("\n"), expected: expected.join("\n") };
}

/** Errors of a client whose connection ended before it had the whole response. */
const connectionErrors =
  /\b(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|socket hang up|other side closed|premature close|terminated)\b/i;

/** Errors of a client that could not parse a response. */
const parseErrors = /\b(?:in JSON|JSON input|valid JSON)\b/i;

/** Whether the error shows that the program got the response of a request, or noticed that it did not get it. */
export function isShownBy(error: ReportedError, entry: JournalEntry, all: readonly JournalEntry[]): boolean {
  const { received, expected } = readSides(error);
  const isShown = (pattern: RegExp) => pattern.test(received) && !pattern.test(expected);
  const isQuoted = (text: string) => received.includes(text) && !expected.includes(text);
  const { response, delivery } = entry;
  const status = response?.status ?? 0;
  const isOnlyOfFailures = !all.some((one) => kindOfRequest(one) === "ok" && one.response?.status === status);
  if (status >= 400 && isOnlyOfFailures && isShown(new RegExp(`\\b${status}\\b`))) return true;
  const { cause } = entry;
  if (cause !== null && kindOfRequest(entry) === "rejected" && isShown(new RegExp(`\\b${cause.code}\\b`)))
    return true;
  if (failureTexts(entry).some(isQuoted)) return true;
  if (isTokenShown(error, entry, isQuoted)) return true;
  if (error.kind === "assertion") return false;
  if (delivery !== "complete") return isShown(connectionErrors);
  return typeof response?.body === "string" && isShown(parseErrors);
}

/** The message of a failure, and the texts of a response that has another one. */
function failureTexts({ cause, response }: JournalEntry): string[] {
  const sent = leavesOf(response?.body).filter((text) => text.length >= 8 && /[ _]/.test(text));
  return [...(cause === null ? [] : [cause.message]), ...sent];
}

function leavesOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

/**
 * A rotation that failed leaves the program with the token that it sent. If that was stale before, it does not explain
 * a token that an assertion received.
 */
function isTokenShown(
  { kind }: ReportedError,
  { request, cause }: JournalEntry,
  isQuoted: (text: string) => boolean,
): boolean {
  const token = fieldOf(request.body, "current_token");
  const wasStale = kind === "assertion" && cause?.code === "unknown_token";
  return typeof token === "string" && token.length >= 8 && !wasStale && isQuoted(token);
}
