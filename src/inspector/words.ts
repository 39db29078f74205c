import { faultKinds, findKinds } from "../contract/fault-kinds.js";
import { durationWords } from "../foundation/duration-words.js";
import type { Cause, FaultRule, JournalEntry } from "../generated/types.js";
import { type GroupKey, type Kind, kindOf } from "./request-facts.js";

export const kindWords: Readonly<Record<Kind, string>> = {
  ok: "OK",
  rejected: "Rejected",
  fault: "Fault",
  waiting: "Waiting",
  aborted: "Aborted",
};

/** The cause in two or three words. */
export function shortCause({ code, request, fault }: Cause): string {
  switch (code) {
    case "fault":
      return fault === undefined ? "fault" : `fault ${fault}`;
    case "injected":
      return "injected failure";
    case "caller-left":
      return "aborted";
    case "reset":
      return "the world was reset";
    case "stopped":
      return "the mock was stopped";
    case "unknown_token":
      return request === undefined ? "unknown token" : "stale token";
    case "invalid_json":
      return "invalid JSON";
    case "invalid_http":
      return "invalid HTTP";
    default:
      return code.replaceAll("_", " ");
  }
}

/** The HTTP status, or why there is none. */
export function statusText(entry: JournalEntry): string {
  const { response, delivery, cause } = entry;
  if (kindOf(entry) === "waiting") return "waiting";
  if (response === null) return cause?.code === "caller-left" ? "aborted" : "no response";
  return delivery === "complete" ? String(response.status) : `${response.status} cut`;
}

/** `rotate acme`, or `DELETE /api/user`. */
export function requestName({ operation, request }: JournalEntry, group: GroupKey | undefined): string {
  const name = operation ?? `${request.method} ${request.path}`;
  return group === undefined ? name : `${name} ${group.id}`;
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
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const shown = text.length > 20 ? `${text.slice(0, 8)}…` : text;
    return field === "user_group_id" ? shown : `${field}=${shown}`;
  });
  return texts.join(" ");
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

export function durationText(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 10_000 ? `${Math.round(ms).toLocaleString("en")} ms` : durationWords(ms);
}

export function count(number: number, one: string): string {
  return `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;
}

/** Whether the text contains every word of the search, in any case. */
export function hasWords(text: string, search: string): boolean {
  const lower = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
