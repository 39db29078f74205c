import { faultKinds, findKinds } from "../fake/contract/fault-kinds.js";
import type { Cause, FaultRule, JournalEntry } from "../generated/types.js";
import { kindOf, type RequestKind } from "./request-facts.js";

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
export function shortCause({ code, request, fault }: Cause): string {
  if (code === "fault" && fault !== undefined) return `fault ${fault}`;
  if (code === "unknown_token" && request !== undefined) return "stale token";
  return causeWords[code] ?? code.replaceAll("_", " ");
}

/** The HTTP status, or why there is none. */
export function statusText(entry: JournalEntry): string {
  const { response, delivery, cause } = entry;
  if (kindOf(entry) === "waiting") return "waiting";
  if (response === null) return cause?.code === "caller-left" ? "aborted" : "no response";
  return delivery === "complete" ? String(response.status) : `${response.status} cut`;
}

/** `rotate acme`, or `DELETE /api/user`. */
export function requestName({ operation, request, group }: JournalEntry): string {
  const name = operation ?? `${request.method} ${request.path}`;
  return group === undefined ? name : `${name} ${group.provided_id}`;
}

/** `rotate → 503`. */
export function faultName(fault: FaultRule): string {
  const { operation = "any request", match, phase, times = 1 } = fault;
  const [kind = "delayMs"] = findKinds(fault);
  const matched = match === undefined ? "" : ` ${matchText(match)}`;
  const often = times === 1 ? "" : times === "always" ? ", always" : ` ×${times}`;
  if (kind === "hold") return `hold ${operation}${matched}${often}`;
  const isLost = phase === "after" && (kind === "reset" || kind === "empty");
  const what = isLost ? "response lost" : faultKinds[kind].shortName(fault);
  return `${operation}${matched} → ${what}${often}`;
}

/** The fields that a fault matches: the group by its id alone, long values such as tokens by their beginning. */
function matchText(match: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(match).map(([field, value]) => {
    const shown = shorten(typeof value === "string" ? value : JSON.stringify(value));
    return field === "user_group_id" ? shown : `${field}=${shown}`;
  });
  return texts.join(" ");
}

/** The beginning of a long text, such as a token. */
export function shorten(text: string): string {
  return text.length > 20 ? `${text.slice(0, 8)}…` : text;
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
