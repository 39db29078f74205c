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
      return "client left";
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
  if (response === null) return cause?.code === "caller-left" ? "client left" : "no response";
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
  const of = fault.operation === undefined ? "of " : "";
  const group = match?.user_group_id === undefined ? "" : ` ${of}${match.user_group_id}`;
  const often = times === 1 ? "" : times === "always" ? ", always" : ` ×${times}`;
  if (kind === "hold") return `hold ${operation}${group}${often}`;
  const isLost = phase === "after" && (kind === "reset" || kind === "empty");
  const what = isLost ? "response lost" : faultKinds[kind].shortName(fault);
  return `${operation}${group} → ${what}${often}`;
}

/** What a fault does, and to which requests, in full. */
export function faultSentence(fault: FaultRule): string {
  const { operation, match, team_id, phase, times = 1, skip, delayMs } = fault;
  const [kind = "delayMs"] = findKinds(fault);
  const waits = delayMs !== undefined && kind !== "delayMs" ? `waits ${delayMs} ms, then ` : "";
  const parts = [
    `${waits}${faultKinds[kind].listText(fault)}`,
    `for ${operation ?? "any request"}`,
    ...(match === undefined ? [] : [`with ${JSON.stringify(match)}`]),
    ...(team_id === undefined ? [] : [`of team ${team_id}`]),
    ...(phase === "after" ? ["after it took effect"] : []),
    times === "always" ? "every time" : times === 1 ? "once" : `${times} times`,
    ...(skip ? [`after ${count(skip, "matching request")}`] : []),
  ];
  return parts.join(", ").replace(", for", " for");
}

export function timeText(at: string): string {
  const time = new Date(at);
  return `${clockText(time)}.${digits(time.getMilliseconds(), 3)}`;
}

/** The time of day, such as 17:04:05. */
function clockText(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => digits(part)).join(":");
}

/** Day and time, such as 2026-11-16 17:04:05. */
export function dateText(at: string): string {
  const time = new Date(at);
  const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map((part) => digits(part));
  return `${day.join("-")} ${clockText(time)}`;
}

function digits(value: number, length = 2): string {
  return String(value).padStart(length, "0");
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
