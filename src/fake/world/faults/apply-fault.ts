import { asSentence, durationWords } from "../../../foundation/grammar.js";
import type { FaultRule } from "../../../generated/types.js";
import { faultKinds } from "../../contract/fault-kinds.js";
import { effects } from "../../contract/operations.js";
import { inOurSpelling } from "../../contract/response-headers.js";
import type { Decisions } from "../../service/decisions.js";
import { failureBody, type ServiceResponse, textType } from "../../service/respond.js";
import type { Entry } from "../journal/entry.js";
import type { TrackedFault } from "./faults.js";

/**
 * Carries out a request that a fault has claimed. Returns undefined if the client disconnects while the request waits:
 * then nothing more happens in the world.
 * @param operate performs the operation
 * @param disconnected aborted when the client disconnects
 */
export async function applyFault(
  fault: TrackedFault,
  operate: () => ServiceResponse,
  entry: Entry,
  disconnected: AbortSignal,
): Promise<ServiceResponse | undefined> {
  const { id, name } = fault;
  const cause = id === 0 ? ({ code: "injected" } as const) : ({ code: "fault", fault: id } as const);
  const performed = fault.rule.phase === "after" ? operate() : undefined;
  const began = entry.elapsedMs;
  const ending = await fault.wait(disconnected);
  const waitedMs = entry.elapsedMs - began;
  const waiting = `${name} ${fault.kind === "hold" ? "held" : "delayed"}`;
  if (disconnected.aborted) {
    entry.abandonedIn = waiting;
    // Only one that is silent waits.
    if (cause.code === "injected") entry.intervention = { ...cause, text: `${name} never responds` };
    return undefined;
  }
  if (ending !== undefined) {
    const text = `${ending.reason} while ${waiting} this request`;
    entry.intervention = { ...cause, code: ending.code, text };
    return failWith(503, asSentence(text), entry.decisions);
  }
  const response = changeResponse(fault, performed, operate, entry);
  const text = describeFault(fault, entry, waitedMs);
  if (faultKinds[fault.kind].letsThrough) entry.notes.push(text);
  else entry.intervention = { ...cause, text };
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

/**
 * What each kind of fault makes of the response of the service.
 * @param performed the response, if `phase: "after"` has performed the operation before
 */
function changeResponse(
  { kind, name, rule }: TrackedFault,
  performed: ServiceResponse | undefined,
  operate: () => ServiceResponse,
  entry: Entry,
): ServiceResponse {
  switch (kind) {
    case "status":
      return respondWithStatus(name, rule, entry.decisions);
    case "delayMs":
    case "hold":
      return performed ?? operate();
    case "reset":
    case "empty":
    case "truncate":
      entry.broken = kind;
      // The client does not get it in full. Without `performed`, nothing may happen in the world.
      return performed ?? { status: 200, body: { success: 1, user_group: null } };
    case "malformed":
      return { status: 200, rawText: '{"success":1,"user_group":{"team_id":3,"token":' };
  }
}

function respondWithStatus(name: string, rule: FaultRule, decisions: Decisions): ServiceResponse {
  const { status = 503, headers, body, text } = rule;
  const response = { status, ...(headers && { headers: inOurSpelling(Object.entries(headers)) }) };
  if (text !== undefined) return { ...response, rawText: text, type: textType(text) };
  if (body !== undefined) return { ...response, body };
  const message = asSentence(`${name} returned ${status} for this request`);
  return { ...failWith(status, message, decisions), ...response };
}

function failWith(status: number, message: string, decisions: Decisions): ServiceResponse {
  return { status, body: failureBody({ code: "fault", message }, decisions) };
}
