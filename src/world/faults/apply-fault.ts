import { once } from "node:events";
import { effects } from "../../contract/effects.js";
import { faultKinds } from "../../contract/fault-kinds.js";
import { durationWords } from "../../foundation/duration-words.js";
import { asSentence } from "../../foundation/grammar.js";
import type { FaultRule } from "../../generated/types.js";
import type { Entry } from "../journal/journal.js";
import type { SentResponse } from "../sent-response.js";
import { behaviours, failWith, standIn } from "./behaviours.js";
import { TrackedFault } from "./faults.js";

/** A failure that a run of `exec` or `explore` injects into one request. */
export interface InjectedRule {
  /** Its name in the cause of the request. */
  readonly name: string;
  readonly rule: FaultRule | "silent";
}

/** Carries out a request that the run chose to fail. The failure belongs to no world, so a reset does not end it. */
export async function injectFailure(
  { name, rule }: InjectedRule,
  operate: () => SentResponse,
  entry: Entry,
  disconnected: AbortSignal,
): Promise<SentResponse | undefined> {
  if (rule !== "silent") return applyFault(new TrackedFault(0, rule, name), operate, entry, disconnected);
  entry.intervention = { code: "injected", text: `${name} never responds` };
  if (!disconnected.aborted) await once(disconnected, "abort");
  return undefined;
}

/**
 * Carries out a request that a fault has claimed. Returns undefined if the client disconnects while the request waits:
 * then nothing more happens in the world.
 * @param operate performs the operation
 * @param disconnected aborted when the client disconnects
 */
export async function applyFault(
  fault: TrackedFault,
  operate: () => SentResponse,
  entry: Entry,
  disconnected: AbortSignal,
): Promise<SentResponse | undefined> {
  const performed = fault.rule.phase === "after" ? operate() : undefined;
  const began = entry.elapsedMs;
  const ending = await fault.wait(disconnected);
  const waitedMs = entry.elapsedMs - began;
  if (disconnected.aborted) return undefined;
  const ids = fault.id === 0 ? {} : { fault: fault.id };
  if (ending !== undefined) {
    const text = `${ending.reason} while ${fault.name} held this request`;
    entry.intervention = { code: ending.code, text, ...ids };
    return failWith(503, asSentence(text), entry.decisions);
  }
  const response = behaviours[fault.kind]({
    fault,
    respond: () => performed ?? operate(),
    lost: performed ?? standIn,
    decisions: entry.decisions,
  });
  const text = describeFault(fault, entry, waitedMs);
  if (faultKinds[fault.kind].letsThrough) entry.note(text);
  else entry.intervention = { code: fault.id === 0 ? "injected" : "fault", text, ...ids };
  return response;
}

/** What a fault did to a request, what happened in the world, and what the client cannot know. */
function describeFault({ name, kind, rule }: TrackedFault, entry: Entry, waitedMs: number): string {
  const { letsThrough, noteText } = faultKinds[kind];
  const waited = rule.delayMs !== undefined && !letsThrough ? `waited ${durationWords(waitedMs)} and ` : "";
  const text = `${name} ${waited}${noteText(rule, waitedMs)}`;
  if (rule.phase !== "after") return letsThrough ? text : `${text}; the request had no effect`;
  const { hadBeen, unseen } = effects[entry.effect];
  const got = kind === "truncate" ? "the client got half of the response" : unseen;
  return `${text} after ${hadBeen}${letsThrough || got === undefined ? "" : `; ${got}`}`;
}
