import { findKinds } from "../fake/contract/fault-kinds.js";
import { counted } from "../foundation/grammar.js";
import type { Fault, JournalEntry } from "../generated/types.js";
import { faultName } from "./fault-name.js";
import type { VerdictPart } from "./report-data.js";

/** What each armed fault has done: how often it fired, or what came nearest to it. @param earlier requests before the failure */
export function faultSentences(faults: readonly Fault[], earlier: readonly JournalEntry[]): VerdictPart[] {
  return faults.flatMap((fault, i) => [...(i === 0 ? [] : [" "]), ...faultSentence(fault, earlier, 1)]);
}

/** Whether a fault can fire, or holds requests. */
export function isArmed({ active, holding }: Fault): boolean {
  return active || holding > 0;
}

/** Whether a fault fired less often than it should. */
export function isMissed({ fired, times = 1 }: Fault): boolean {
  return fired < (times === "always" ? 1 : times);
}

/** `Fault 1 (rotate → 503) has not fired. #1 it was get-or-create, not rotate.` @param most how many near misses */
export function faultSentence(fault: Fault, earlier: readonly JournalEntry[], most: number): VerdictPart[] {
  const what = `Fault ${fault.id} (${faultName(fault)}) ${firedText(fault)}.`;
  if (!isMissed(fault)) return [what];
  const before = new Set(earlier.map(({ id }) => id));
  const misses = (fault.nearMisses ?? []).filter(({ request }) => before.has(request)).slice(0, most);
  if (misses.length === 0) return [`${what} No other request came after it was armed.`];
  const reasons = misses.flatMap(({ request, reason }): VerdictPart[] => ["; ", { request }, ` ${reason}`]);
  return [`${what} `, ...reasons.slice(1), "."];
}

function firedText({ fired, times = 1 }: Fault): string {
  if (fired === 0) return "has not fired";
  return times === "always" ? `fired ${counted(fired, "time")}` : `fired ${fired} of ${times}`;
}

/** What a fault does to a request that waits, or waited, in it. */
export function waitText({ fault: id }: JournalEntry, faults: readonly Fault[], hasEnded = false): string {
  const waits = hasEnded ? "waited" : "waits";
  if (id === null) return hasEnded ? "had no response" : "has no response yet";
  const fault = faults.find((one) => one.id === id);
  if (fault === undefined) return `${waits} in fault ${id}`;
  const { delayMs = 0, operation = "any request", fired, times = 1 } = fault;
  if (!isHold(fault)) return `${hasEnded ? "was" : "is"} delayed by ${durationOf(delayMs)} (fault ${id})`;
  const arrived = typeof times === "number" && times > 1 ? ` (${fired} of ${times} arrived)` : "";
  return `${waits} in the hold of ${operation}${arrived}`;
}

function durationOf(ms: number): string {
  return `${ms.toLocaleString("en")} ms`;
}

export function isHold(fault: Fault): boolean {
  return findKinds(fault)[0] === "hold";
}
