import { fieldOf } from "../foundation/json.js";
import type { JournalEntry } from "../generated/types.js";
import { isHandled, isRepeated, kindOfRequest } from "./entry-facts.js";
import { type ErrorSides, isReceived, readSides } from "./error-sides.js";
import type { ReportedError } from "./report-data.js";
import { beginsWithStatus, isAbout, isComparedAsStatus, namesStatus } from "./status-in-text.js";

/**
 * The last failed request of which the error shows that the program got its response, or noticed that it did not get
 * it. There is one model of evidence, in two strengths:
 *
 * | in the received side of the error           | counts                                                              |
 * | ------------------------------------------- | ------------------------------------------------------------------- |
 * | what only this response has: its code, its message, its body, the token | unless the request succeeded when it was sent again |
 * | what others have too: a status, a broken connection                     | only where the test cannot have handled the request |
 *
 * @param failed those of the requests before the failure that have a cause
 * @param before all the requests before the failure
 */
export function findShown(
  error: ReportedError,
  failed: readonly JournalEntry[],
  before: readonly JournalEntry[],
): JournalEntry | undefined {
  const sides = readSides(error);
  const isAssertion = error.kind === "assertion";
  const isOwnShown = (entry: JournalEntry) =>
    isContentShown(sides, entry) || isTokenShown(sides, isAssertion, entry);
  const isCommonShown = (entry: JournalEntry) =>
    isStatusShown(error, sides, entry) || isBreakShown(sides, entry);
  return failed.findLast((entry) =>
    isOwnShown(entry) ? !isRepeated(entry, before) : isCommonShown(entry) && !isHandled(entry, before),
  );
}

/** Whether the error names the status of a response. That of a fault is what the test wanted. */
function isStatusShown(error: ReportedError, sides: ErrorSides, entry: JournalEntry): boolean {
  const { response, cause } = entry;
  const status = response?.status ?? 0;
  // supertest got it from the app under test, which sends it for every path that it lacks.
  const isOfApp = status === 404 && error.message.includes('got 404 "Not Found"');
  if (status < 400 || cause?.code === "fault" || isOfApp || isExpected(error, status)) return false;
  return isStatusIn(error, sides, status, entry);
}

/** Whether the test has handled such a response before it failed. */
function isExpected({ lines }: ReportedError, status: number): boolean {
  return lines?.handleRejections === true || lines?.statuses?.includes(status) === true;
}

function isStatusIn(error: ReportedError, sides: ErrorSides, status: number, entry: JournalEntry): boolean {
  const pattern = new RegExp(`\\b${status}\\b`);
  if (!isReceived(sides, pattern)) return false;
  const { received } = sides;
  const isAssertion = error.kind === "assertion";
  if (isAssertion && error.lines?.nameStatus && isComparedAsStatus(sides, status)) return true;
  // The body of the response is not in the error, so a body in the error is that of another one.
  if (!isAssertion && quotedBody.test(received)) return false;
  const texts = received.split("\n").filter((line) => pattern.test(line));
  return texts.some(
    (text) =>
      (namesStatus(text, status) || (!isAssertion && beginsWithStatus(text, status))) &&
      isAbout(`${text} ${error.name ?? ""}`, entry),
  );
}

/** A JSON object in a message, or the body that a client has stored in its error. */
const quotedBody = /\{ *["']?\w+["']? *:|^(?:response )?body: /m;

/** Whether the error has the code or the message of a rejection, or the body of its response, or a text of that. */
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

/** Errors of a client whose connection ended before it had the whole response. */
const connectionErrors =
  /\b(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|socket hang up|stream has been aborted|other side closed|premature close)\b|^(?:TypeError: )?terminated$/im;

/** Errors of a client that could not parse a response. */
const parseErrors = /\b(?:in JSON|JSON input|valid JSON)\b/i;

/** Whether the error is that of a broken response. */
function isBreakShown(sides: ErrorSides, { delivery, response }: JournalEntry): boolean {
  if (delivery !== "complete") return isReceived(sides, connectionErrors);
  return typeof response?.body === "string" && isReceived(sides, parseErrors);
}
