import type { FaultEffect } from "../../contract/fault-effects.js";
import type { FaultRule } from "../../generated/types.js";
import type { Decisions } from "../../service/decisions.js";
import { failureBody } from "../../service/failures.js";
import type { Answer } from "../answer.js";
import type { Entry } from "../journal/journal.js";
import { noteFault } from "./call-notes.js";
import { TrackedFault } from "./faults.js";

/** A failure that a run of `exec` or `explore` injects into one request. */
export interface InjectedRule {
  /** As notes call it. */
  readonly name: string;
  readonly rule: FaultRule | "silent";
}

/** Carries out a call that was chosen to fail. No world knows of it: a reset does not end it. */
export async function injectFailure(
  { name, rule }: InjectedRule,
  operate: () => Answer,
  entry: Entry,
): Promise<Answer> {
  if (rule !== "silent") return applyFault(new TrackedFault(0, 0, rule, 0, name), operate, entry);
  entry.note(`${name} never answers`);
  return { status: 0, fault: "silent" };
}

/** Carries out a call that a fault has claimed. `operate` performs the operation. */
export async function applyFault(fault: TrackedFault, operate: () => Answer, entry: Entry): Promise<Answer> {
  const performed = fault.request.phase === "after" ? operate() : undefined;
  const began = entry.elapsedMs;
  const aborted = await fault.wait();
  if (aborted !== undefined) {
    entry.note(`${fault.name} aborted the call: ${aborted}`);
    const message = `Fault ${fault.id} was holding this call, and aborted it: ${aborted}.`;
    return failWith(503, message, entry.decisions);
  }
  const answer = responses[fault.effect]({
    fault,
    respond: () => performed ?? operate(),
    lost: performed ?? neverMade,
    decisions: entry.decisions,
  });
  noteFault(entry, fault, entry.elapsedMs - began);
  return answer;
}

/** A request that a fault has claimed, after it has waited. */
interface Claimed {
  readonly fault: TrackedFault;
  /** The response of the service. Performs the operation, unless `phase: "after"` has done it before. */
  readonly respond: () => Answer;
  /** The same, or one that stands for it when nothing may happen in the world. */
  readonly lost: Answer;
  readonly decisions: Decisions;
}

/** What each effect makes of the response. */
const responses: Readonly<Record<FaultEffect, (claimed: Claimed) => Answer>> = {
  status: ({ fault, decisions }) => answerWith(fault, fault.request.status ?? 503, decisions),
  delayMs: ({ respond }) => respond(),
  reset: ({ lost }) => ({ ...lost, fault: "reset" }),
  empty: ({ lost }) => ({ ...lost, fault: "empty" }),
  truncate: ({ lost }) => ({ ...lost, fault: "truncate" }),
  malformed: () => ({ status: 200, rawText: brokenJson, fault: "malformed" }),
  dribble: ({ fault, respond }) => ({ ...respond(), dribbleMs: fault.request.delayMs ?? 0 }),
  hold: ({ respond }) => respond(),
};

const brokenJson = '{"success":1,"user_group":{"team_id":3,"token":';

/** Cut in half when nothing may happen in the world: there is no real answer then. */
const neverMade: Answer = { status: 200, body: { success: 1, user_group: null } };

function answerWith({ id, request }: TrackedFault, status: number, decisions: Decisions): Answer {
  const { headers, body, text } = request;
  const answer = { status, fault: "status", ...(headers && { headers }) } as const;
  if (text !== undefined) {
    const type = `text/${text.trimStart().startsWith("<") ? "html" : "plain"}; charset=utf-8`;
    return { ...answer, rawText: text, headers: { "Content-Type": type, ...headers } };
  }
  if (body !== undefined) return { ...answer, body };
  const message = `Fault ${id} answers this call with ${status}, as it was armed to.`;
  return { ...failWith(status, message, decisions), ...answer };
}

function failWith(status: number, message: string, decisions: Decisions): Answer {
  const failure = { code: "fault", message } as const;
  return { status, body: failureBody(failure, decisions), failure, fault: "status" };
}
