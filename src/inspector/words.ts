import type { Fault, FaultRequest, JournalEntry } from "../contract/types.js";
import { factsOf } from "./entry-facts.js";

/** What happened to a call, in a few words. */
export function happened(entry: JournalEntry): string {
  const { causes } = factsOf(entry);
  if (entry.outcome === "pending") {
    return entry.fault === null ? "not answered yet" : `waits in fault ${entry.fault}`;
  }
  const parts = entry.fault === null ? [] : [`fault ${entry.fault} fired`];
  if (entry.response === null) parts.push("no answer was sent");
  const [first] = causes;
  // A fault that answers says itself which one it is.
  if (first?.startsWith("Fault ")) return first;
  if (first !== undefined) parts.push(first);
  else if (entry.outcome === "success") parts.push(...done(entry));
  return parts.join(" · ");
}

/** What a call that went well did. */
function done(entry: JournalEntry): string[] {
  if (entry.operation === null) return [];
  if (entry.operation === "rotate") return ["has another token now"];
  return factsOf(entry).created ? ["was created"] : ["existed"];
}

/** The status, or what stands for it where there is none. */
export function statusWord({ response, outcome }: JournalEntry): string {
  return response === null ? (outcome === "pending" ? "···" : "none") : String(response.status);
}

export function operationWord({ operation, request }: JournalEntry): string {
  return operation ?? `${request.method} ${request.path}`;
}

export function timeWord({ at }: JournalEntry): string {
  const time = new Date(at);
  const part = (value: number, digits = 2) => String(value).padStart(digits, "0");
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map((value) => part(value)).join(":");
  return `${clock}.${part(time.getMilliseconds(), 3)}`;
}

export function durationWord({ durationMs }: JournalEntry): string {
  if (durationMs === null) return "";
  return durationMs < 10
    ? `${durationMs.toFixed(1)} ms`
    : `${Math.round(durationMs).toLocaleString("en")} ms`;
}

/** What a fault does, in words. */
export function effectWord(fault: Fault | FaultRequest): string {
  const { status, delayMs, dribble } = fault;
  if (status !== undefined) return `answers ${status}`;
  if (dribble) return `draws the answer out over ${delayMs} ms`;
  if (delayMs !== undefined) return `waits ${delayMs} ms`;
  if (fault.reset) return "resets the connection";
  if (fault.empty) return "closes without an answer";
  if (fault.truncate) return "sends half of the answer";
  if (fault.malformed) return "answers broken JSON";
  return "holds calls until released";
}

/** Which calls a fault meets, in words. */
export function scopeWord(fault: Fault | FaultRequest): string {
  const { operation, match, phase, times = 1, skip, probability } = fault;
  const parts = [operation === undefined ? "any call" : `${operation}`];
  if (match !== undefined) parts.push(`with ${JSON.stringify(match)}`);
  parts.push(times === "always" ? "always" : times === 1 ? "once" : `${times} times`);
  if (skip) parts.push(`after ${skip} that pass`);
  if (probability !== undefined) parts.push(`with probability ${probability}`);
  if (phase === "after") parts.push("after it took effect");
  return parts.join(", ");
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
