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

/** What an error says, without what the test expected. */
function readSides({ message, kind, expected, actual, causes = [] }: ReportedError): Sides {
  const own = sidesOfMessage(message, kind, expected, actual);
  return { ...own, received: [own.received, ...causes].join("\n") };
}

function sidesOfMessage(
  message: string,
  kind: ReportedError["kind"],
  expected: string | undefined,
  actual: string | undefined,
): Sides {
  if (kind !== "assertion") return { received: message, expected: expected ?? "" };
  if (actual !== undefined) {
    const [custom = ""] = message.split(ofLibrary);
    return { received: `${custom}\n${actual}`, expected: expected ?? "" };
  }
  const [, custom, subject, rest] = /^(.*?)\bexpected (.+?)(?: not)? to (.+)$/s.exec(message) ?? [];
  if (rest !== undefined) return { received: `${custom}\n${subject}`, expected: rest };
  return sidesOfLines(message.split("\n"));
}

/** Jest, Playwright and Node print both sides in the message: line by line, as a difference, or as `404 !== 200`. */
function sidesOfLines(lines: readonly string[]): Sides {
  const received: string[] = [];
  const expected: string[] = [];
  const isDifference = lines.some((line) => /^\s*- Expected\b|^\s*\+ actual - expected/.test(line));
  for (const line of lines) {
    const [, left, right] = /^(.+) !==? (.+)$/.exec(line) ?? [];
    if (left !== undefined && right !== undefined) {
      received.push(left);
      expected.push(right);
    } else {
      // Lines of a difference without a sign are equal on both sides.
      const isExpected = /^\s*Expected\b/.test(line) || (isDifference && /^[- ]/.test(line));
      (isExpected ? expected : received).push(line);
    }
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
