import { effects } from "../../contract/effects.js";
import { faultKinds } from "../../contract/fault-kinds.js";
import { durationWords } from "../../foundation/duration-words.js";
import type { FaultRule } from "../../generated/types.js";
import type { Entry } from "../journal/journal.js";
import type { PlannedResponse } from "../planned-response.js";
import { behaviours, failWith, standIn } from "./behaviours.js";
import { TrackedFault } from "./faults.js";

/** A failure that a run of `exec` or `explore` injects into one request. */
export interface InjectedRule {
  /** Its name in notes. */
  readonly name: string;
  readonly rule: FaultRule | "silent";
}

/** Carries out a request that the run chose to fail. The failure belongs to no world, so a reset does not end it. */
export async function injectFailure(
  { name, rule }: InjectedRule,
  operate: () => PlannedResponse,
  entry: Entry,
  disconnected: AbortSignal,
): Promise<PlannedResponse | undefined> {
  if (rule === "silent") {
    entry.note(`${name} never responds`);
    return { status: 0, fault: "silent" };
  }
  const fault = new TrackedFault(0, rule, name);
  return applyFault(fault, operate, entry, disconnected);
}

/**
 * Carries out a request that a fault has claimed. Returns undefined if the caller disconnects while the request waits:
 * then nothing more happens in the world.
 * @param operate performs the operation
 * @param disconnected aborted when the caller disconnects
 */
export async function applyFault(
  fault: TrackedFault,
  operate: () => PlannedResponse,
  entry: Entry,
  disconnected: AbortSignal,
): Promise<PlannedResponse | undefined> {
  const performed = fault.request.phase === "after" ? operate() : undefined;
  const began = entry.elapsedMs;
  const aborted = await fault.wait(disconnected);
  const waitedMs = entry.elapsedMs - began;
  if (disconnected.aborted) {
    entry.note(`${fault.name} waited ${durationWords(waitedMs)}, until the caller disconnected`);
    return undefined;
  }
  if (aborted !== undefined) {
    entry.note(`${fault.name} aborted the request: ${aborted}`);
    const message = `Fault ${fault.id} was holding this request, which was aborted: ${aborted}.`;
    return failWith(503, message, entry.decisions);
  }
  const response = behaviours[fault.kind]({
    fault,
    respond: () => performed ?? operate(),
    lost: performed ?? standIn,
    decisions: entry.decisions,
  });
  entry.note(faultNote(fault, entry, waitedMs));
  return response;
}

/** What a fault did to a request, what happened in the world, and what the caller cannot know. */
function faultNote({ name, kind, request }: TrackedFault, entry: Entry, waitedMs: number): string {
  const { letsThrough, noteText } = faultKinds[kind];
  const waited =
    request.delayMs !== undefined && !letsThrough ? `waited ${durationWords(waitedMs)} and ` : "";
  const text = `${name} ${waited}${noteText(request, waitedMs)}`;
  if (request.phase !== "after") return letsThrough ? text : `${text}; the request had no effect`;
  const { hadBeen, unseen } = effects[entry.effect];
  const got = kind === "truncate" ? "the caller got half of the response" : unseen;
  return `${text} after ${hadBeen}${letsThrough || got === undefined ? "" : `; ${got}`}`;
}
