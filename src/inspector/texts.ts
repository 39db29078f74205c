import { effects } from "../contract/effects.js";
import { faultKinds, findKinds, pendingText } from "../contract/fault-kinds.js";
import { durationWords } from "../foundation/duration-words.js";
import type { Delivery, Fault, FaultRule, JournalEntry } from "../generated/types.js";
import { factsOf } from "./entry-facts.js";

/** The outcome of a request in one line. */
export function summarize(entry: JournalEntry): string {
  const { causes } = factsOf(entry);
  if (entry.outcome === "pending") return pendingText(entry.fault);
  if (causes.length > 0) return causes.join(" · ");
  return entry.outcome === "success" && entry.operation !== null ? effects[entry.effect].short : "";
}

/** The HTTP status, or why there is none. */
export function statusText({ response, delivery }: JournalEntry): string {
  if (delivery === undefined) return "···";
  if (response === null) return delivery === "caller-left" ? "aborted" : "none";
  return delivery === "complete" ? String(response.status) : `${response.status} cut`;
}

export const deliveryTexts = {
  cut: "only part of the response was sent",
  none: "no response was sent",
  "caller-left": "the caller disconnected first",
} as const satisfies Record<Exclude<Delivery, "complete">, string>;

export function operationText({ operation, request }: JournalEntry): string {
  return operation ?? `${request.method} ${request.path}`;
}

export function timeText({ at }: Pick<JournalEntry, "at">): string {
  const time = new Date(at);
  return `${clockText(time)}.${digits(time.getMilliseconds(), 3)}`;
}

/** The time of day, such as 17:04:05. */
export function clockText(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => digits(part)).join(":");
}

/** The day, such as 2026-11-16. */
export function dayText(time: Date): string {
  return [time.getFullYear(), time.getMonth() + 1, time.getDate()].map((part) => digits(part)).join("-");
}

function digits(value: number, length = 2): string {
  return String(value).padStart(length, "0");
}

export function durationText({ durationMs }: JournalEntry): string {
  return durationMs === null ? "" : millisecondsText(durationMs);
}

export function millisecondsText(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 10_000 ? `${Math.round(ms).toLocaleString("en")} ms` : durationWords(ms);
}

/** How long a request has been pending. */
export function elapsedText({ at }: JournalEntry, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(at)) / 1_000));
  return seconds < 10 ? `${seconds} s` : durationWords(1_000 * seconds);
}

export function effectText(fault: Fault | FaultRule): string {
  const [kind = "delayMs"] = findKinds(fault);
  const text = faultKinds[kind].listText(fault);
  const waitsFirst = fault.delayMs !== undefined && kind !== "delayMs";
  return waitsFirst ? `waits ${fault.delayMs} ms, then ${text}` : text;
}

/** Which requests a fault matches, and how often it fires. */
export function scopeText(fault: Fault | FaultRule): string {
  const { operation, match, team_id, phase, times = 1, skip } = fault;
  const parts = [operation === undefined ? "any request" : `${operation}`];
  if (match !== undefined) parts.push(`with ${JSON.stringify(match)}`);
  if (team_id !== undefined) parts.push(`of team ${team_id}`);
  parts.push(times === "always" ? "always" : times === 1 ? "once" : `${times} times`);
  if (skip) parts.push(`after skipping ${skip}`);
  if (phase === "after") parts.push("after the request took effect");
  return parts.join(", ");
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
