import { AssertionError } from "node:assert/strict";
import { reportedError } from "../../src/client/reported-error.js";
import type { Fault, JournalEntry } from "../../src/generated/types.js";
import type { ElsewhereRequest } from "../../src/report/no-request.js";
import type { FailedLines, FailureMark } from "../../src/report/report-data.js";
import { findVerdict, verdictLines } from "../../src/report/verdict.js";
import { entry, rejected } from "./entries.js";

// A test that created a group, rotated its token, and sent the old one; its faults; and its error.

export const token = "a".repeat(64);
export const created = entry({ id: 1, effect: "created" });
export const rotated = entry({ id: 2, operation: "rotate", effect: "rotated" });
export const lost = entry({
  id: 2,
  operation: "rotate",
  fault: 1,
  effect: "rotated",
  outcome: "fault",
  delivery: "none",
  response: null,
  cause: { code: "fault", message: "Fault 1 reset the connection.", fault: 1 },
});
export const request = { method: "POST", path: "/api/user", headers: {}, body: { current_token: token } };
export const stale = {
  ...rejected(3, {
    code: "unknown_token",
    message: "The current_token was rotated out by request 2. Use the group's latest token.",
    request: 2,
  }),
  request,
};
export const racing = {
  ...stale,
  cause: { ...stale.cause, request: 2, concurrent: true as const },
} as JournalEntry;
export const invalid = {
  ...rejected(2, { code: "invalid_body", message: "Invalid body for get-or-create: /name is required." }),
  response: { status: 400, headers: {}, body: { error: { code: "invalid_body" } } },
};
export const remarked = entry({
  id: 6,
  notes: ["field propertys is not in the interface, ignored; did you mean properties?"],
});
export const left = entry({
  id: 2,
  operation: "rotate",
  outcome: "fault",
  effect: "none",
  fault: 1,
  delivery: "caller-left",
  response: null,
  durationMs: 306,
  cause: { code: "caller-left", message: "The client closed the connection after 306 ms.", fault: 1 },
});

export const armed = { id: 1, fired: 1, holding: 0, active: false };
export const delay: Fault = { ...armed, operation: "rotate", delayMs: 1_000 };
export const hold: Fault = { ...armed, operation: "rotate", hold: true, times: 2, holding: 1, active: true };
export const missed: Fault = {
  ...{ ...armed, fired: 0, active: true },
  operation: "rotate",
  status: 503,
  nearMisses: [{ request: 1, reason: "it was get-or-create, not rotate" }],
};

export interface Given {
  readonly error?: unknown;
  readonly faults?: readonly Fault[];
  readonly mark?: FailureMark;
  readonly url?: string;
  readonly elsewhere?: ElsewhereRequest;
  /** By default, the line that failed names a status. */
  readonly lines?: FailedLines;
}

/** @param entries oldest first */
export function verdict(
  entries: readonly JournalEntry[],
  { error, faults = [], mark, url = "", elsewhere, lines = { nameStatus: true } }: Given = {},
) {
  const reported = reportedError(error);
  const found = findVerdict({
    error: reported && { ...reported, lines },
    mark,
    entries,
    faults,
    url,
    elsewhere,
  });
  const [text = ""] = verdictLines({ ...found, faults: [] });
  const [ofFaults = ""] = verdictLines({ parts: [], faults: found.faults });
  return { ...found, text, ofFaults };
}

/** When the entries with these ids had arrived. @param ids of those without a response */
export function markAfter(last: number, ids: readonly number[] = []): FailureMark {
  const at = new Date(Date.UTC(2026, 0, 31) + 10 * last + 5).toISOString();
  return { at, epoch: 1, lastRequest: last, waiting: ids };
}

/** The error that an assertion of Node throws. */
export function thrownBy(assertion: () => void): unknown {
  try {
    return assertion();
  } catch (error) {
    return error;
  }
}

export const compared = (
  actual: unknown,
  expected: unknown,
  message = `expected ${actual} to be ${expected}`,
) => new AssertionError({ message, actual, expected });
export const vitestError = (message: string, diff?: string) => ({ name: "AssertionError", message, diff });
/** Playwright has the fields of an error only in its message. */
export const printed = (message: string) => ({ message });

export const staleText = "Likely cause: #3 sent a stale token ← #2 rotated it. Use the group's latest token.";
export const session = [created, rotated, stale];
