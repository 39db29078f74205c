import type { Cause, JournalEntry } from "../generated/types.js";
import { kindOfRequest, type RequestKind } from "../report/entry-facts.js";

export const kindWords: Readonly<Record<RequestKind, string>> = {
  ok: "OK",
  rejected: "Rejected",
  fault: "Fault",
  waiting: "Waiting",
  aborted: "Aborted",
};

/** Other causes are named by their code. */
const causeWords: Partial<Record<Cause["code"], string>> = {
  injected: "injected failure",
  "caller-left": "aborted",
  reset: "the world was reset",
  stopped: "the mock was stopped",
  invalid_json: "invalid JSON",
};

/** The cause in two or three words. */
export function shortCause({ code, request, concurrent, fault }: Cause): string {
  if (code === "fault" && fault !== undefined) return `fault ${fault}`;
  if (code === "unknown_token" && request !== undefined) return concurrent ? "lost a race" : "stale token";
  return causeWords[code] ?? code.replaceAll("_", " ");
}

/** The HTTP status, or why there is none. */
export function statusText(entry: JournalEntry): string {
  const { response, delivery, cause } = entry;
  if (kindOfRequest(entry) === "waiting") return "waiting";
  if (response === null) return cause?.code === "caller-left" ? "aborted" : "no response";
  return delivery === "complete" ? String(response.status) : `${response.status} cut`;
}

/** The time of day, such as 17:04:05.123. */
export function timeText(at: string): string {
  return new Date(at).toLocaleTimeString("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
  });
}

/** Day and time, such as 2026-11-16 17:04:05. */
export function dateText(at: string): string {
  return new Date(at).toLocaleString("sv");
}

/** Whether the text contains every word of the search, in any case. */
export function hasWords(text: string, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/);
  return words.every((word) => word === "" || text.toLowerCase().includes(word));
}
