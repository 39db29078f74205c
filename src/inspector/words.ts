import type { Fault, FaultRequest, JournalEntry } from "../contract/types.js";
import { factsOf } from "./entry-facts.js";
import { operationWords } from "./operation-words.js";

/** A one-line summary of the outcome of a call. */
export function summarize(entry: JournalEntry): string {
  const { causes } = factsOf(entry);
  if (entry.outcome === "pending") {
    return entry.fault === null ? "not answered yet" : `waits in fault ${entry.fault}`;
  }
  const parts = entry.fault === null ? [] : [`fault ${entry.fault} fired`];
  if (entry.response === null) parts.push("no answer was sent");
  const [first] = causes;
  // The message of a fault already names the fault.
  if (first?.startsWith("Fault ")) return first;
  if (first !== undefined) parts.push(first);
  else if (entry.outcome === "success") parts.push(...successSummary(entry));
  return parts.join(" · ");
}

function successSummary(entry: JournalEntry): string[] {
  return entry.operation === null ? [] : [operationWords[entry.operation].done(factsOf(entry))];
}

/** The HTTP status, or a placeholder if there is none. */
export function statusText({ response, outcome }: JournalEntry): string {
  return response === null ? (outcome === "pending" ? "···" : "none") : String(response.status);
}

export function operationText({ operation, request }: JournalEntry): string {
  return operation ?? `${request.method} ${request.path}`;
}

export function timeText({ at }: JournalEntry): string {
  const time = new Date(at);
  const part = (value: number, digits = 2) => String(value).padStart(digits, "0");
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map((value) => part(value)).join(":");
  return `${clock}.${part(time.getMilliseconds(), 3)}`;
}

export function durationText({ durationMs }: JournalEntry): string {
  if (durationMs === null) return "";
  return durationMs < 10
    ? `${durationMs.toFixed(1)} ms`
    : `${Math.round(durationMs).toLocaleString("en")} ms`;
}

export function effectText(fault: Fault | FaultRequest): string {
  const { status, delayMs, dribble } = fault;
  if (status !== undefined) return `answers ${status}`;
  if (dribble) return `sends the answer slowly, over ${delayMs} ms`;
  if (delayMs !== undefined) return `waits ${delayMs} ms`;
  if (fault.reset) return "resets the connection";
  if (fault.empty) return "closes the connection without an answer";
  if (fault.truncate) return "sends half of the answer";
  if (fault.malformed) return "answers broken JSON";
  return "holds calls until released";
}

/** Which calls a fault applies to. */
export function scopeText(fault: Fault | FaultRequest): string {
  const { operation, match, phase, times = 1, skip, probability } = fault;
  const parts = [operation === undefined ? "any call" : `${operation}`];
  if (match !== undefined) parts.push(`with ${JSON.stringify(match)}`);
  parts.push(times === "always" ? "always" : times === 1 ? "once" : `${times} times`);
  if (skip) parts.push(`after skipping ${skip}`);
  if (probability !== undefined) parts.push(`with probability ${probability}`);
  if (phase === "after") parts.push("after the call took effect");
  return parts.join(", ");
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
