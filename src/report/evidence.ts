import { fieldOf } from "../foundation/json.js";
import type { JournalEntry } from "../generated/types.js";
import { isFollowed, isRepeated, kindOfRequest } from "./entry-facts.js";
import { type ErrorSides, readSides } from "./error-sides.js";
import type { ReportedError } from "./report-data.js";
import { beginsWithStatus, isComparedAsStatus, namesStatus } from "./status-in-text.js";

/** Errors of a client whose connection ended before it had the whole response. */
const connectionErrors =
  /\b(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|socket hang up|stream has been aborted|other side closed|premature close)\b|^(?:TypeError: )?terminated$/im;

/** Errors of a client that could not parse a response. */
const parseErrors = /\b(?:in JSON|JSON input|valid JSON)\b/i;

/**
 * The last failed request of which the error shows that the program got its response, or noticed that it did not get
 * it. Not one that succeeded when it was sent again: the program has recovered.
 * @param all the requests before the failure
 */
export function findShown(
  error: ReportedError,
  failed: readonly JournalEntry[],
  all: readonly JournalEntry[],
): JournalEntry | undefined {
  const sides = readSides(error);
  const isAssertion = error.kind === "assertion";
  // supertest got it from the app under test, which sends it for every path that it lacks.
  const isOfApp = (entry: JournalEntry) =>
    entry.response?.status === 404 && error.message.includes('got 404 "Not Found"');
  const isShown = (entry: JournalEntry) =>
    (isStatusShown(sides, isAssertion, entry, all) && !isOfApp(entry)) ||
    isContentShown(sides, entry) ||
    isTokenShown(sides, isAssertion, entry) ||
    isBreakShown(sides, entry, all);
  return failed.findLast((entry) => isShown(entry) && !isRepeated(entry, all));
}

function isStatusShown(
  sides: ErrorSides,
  isAssertion: boolean,
  entry: JournalEntry,
  all: readonly JournalEntry[],
): boolean {
  const status = entry.response?.status ?? 0;
  const isOfSuccess = all.some((one) => kindOfRequest(one) === "ok" && one.response?.status === status);
  if (status >= 400 && !isOfSuccess && isStatusIn(sides, isAssertion, status)) return true;
  return gatewayStatuses.some((one) => isStatusIn(sides, isAssertion, one)) && !isFollowed(entry, all);
}

/** With these, a server responds if another service has failed. */
const gatewayStatuses = [502, 504];

function isStatusIn(sides: ErrorSides, isAssertion: boolean, status: number): boolean {
  if (!isReceived(sides, new RegExp(`\\b${status}\\b`))) return false;
  const { received, expected } = sides;
  if (namesStatus(received, status)) return true;
  return isAssertion ? isComparedAsStatus(received, expected, status) : beginsWithStatus(received, status);
}

/** Whether a text stands in what was received, and not in what the test expected. */
function isReceived({ received, expected, equal }: ErrorSides, text: RegExp | string): boolean {
  const isIn = (side: string) => (typeof text === "string" ? side.includes(text) : text.test(side));
  return isIn(received) && !isIn(expected) && !isIn(equal);
}

/** Whether the error has the code or the message of a rejection, or a text of its response. */
function isContentShown(sides: ErrorSides, entry: JournalEntry): boolean {
  const { cause } = entry;
  const isCoded = cause !== null && kindOfRequest(entry) === "rejected";
  if (isCoded && isReceived(sides, codePattern(cause.code))) return true;
  return failureTexts(entry).some((text) => isReceived(sides, text));
}

/** A code such as `unknown_token`. One that is an ordinary word, such as `conflict`, counts only as a value. */
function codePattern(code: string): RegExp {
  return new RegExp(code.includes("_") ? `\\b${code}\\b` : `\\bcode: ${code}$|["']${code}["']`, "m");
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
function isTokenShown(sides: ErrorSides, isAssertion: boolean, { request, cause }: JournalEntry): boolean {
  if (isAssertion && cause?.code === "unknown_token") return false;
  const token = fieldOf(request.body, "current_token");
  return typeof token === "string" && token.length >= 8 && isReceived(sides, token);
}

/** Whether the error is that of a broken response. Other connections break too: no request may have followed. */
function isBreakShown(sides: ErrorSides, entry: JournalEntry, all: readonly JournalEntry[]): boolean {
  const { delivery, response } = entry;
  const isUnparsed = delivery === "complete" && typeof response?.body === "string";
  const isBroken =
    (delivery !== "complete" && isReceived(sides, connectionErrors)) ||
    (isUnparsed && isReceived(sides, parseErrors));
  return isBroken && !isFollowed(entry, all);
}
