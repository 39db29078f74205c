import { durationWords } from "../../foundation/duration-words.js";
import type { FaultRule } from "../../generated/types.js";
import type { Entry } from "../journal/journal.js";
import type { PlannedResponse } from "../planned-response.js";
import { behaviours, failWith, neverMade } from "./effects.js";
import { TrackedFault } from "./faults.js";
import { noteFault } from "./request-notes.js";

/** A failure that a run of `exec` or `explore` injects into one request. */
export interface InjectedRule {
  /** As notes call it. */
  readonly name: string;
  readonly rule: FaultRule | "silent";
}

/** Carries out a call that was chosen to fail. No world knows of it: a reset does not end it. */
export async function injectFailure(
  { name, rule }: InjectedRule,
  operate: () => PlannedResponse,
  entry: Entry,
  left: AbortSignal,
): Promise<PlannedResponse | undefined> {
  if (rule !== "silent")
    return applyFault(
      new TrackedFault({ id: 0, ordinal: 0, request: rule, size: 0, randomSeed: "", name }),
      operate,
      entry,
      left,
    );
  entry.note(`${name} never answers`);
  return { status: 0, fault: "silent" };
}

/**
 * Carries out a call that a fault has claimed. Gives no answer when the caller disconnects while the call waits: then
 * nothing more happens in the world.
 * @param operate performs the operation
 * @param left aborted when the caller disconnects
 */
export async function applyFault(
  fault: TrackedFault,
  operate: () => PlannedResponse,
  entry: Entry,
  left: AbortSignal,
): Promise<PlannedResponse | undefined> {
  const performed = fault.request.phase === "after" ? operate() : undefined;
  const began = entry.elapsedMs;
  const aborted = await fault.wait(left);
  if (left.aborted) {
    const waited = durationWords(entry.elapsedMs - began);
    entry.note(`${fault.name} waited ${waited}, until the caller disconnected`);
    return undefined;
  }
  if (aborted !== undefined) {
    entry.note(`${fault.name} aborted the call: ${aborted}`);
    const message = `Fault ${fault.id} was holding this call, and aborted it: ${aborted}.`;
    return failWith(503, message, entry.decisions);
  }
  const answer = behaviours[fault.effect].respond({
    fault,
    respond: () => performed ?? operate(),
    lost: performed ?? neverMade,
    decisions: entry.decisions,
  });
  noteFault(entry, fault, entry.elapsedMs - began);
  return answer;
}
