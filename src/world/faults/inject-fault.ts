import type { FaultRule } from "../../generated/types.js";
import type { Decisions } from "../../service/decisions.js";
import { failureBody } from "../../service/failures.js";
import type { Answer } from "../answer.js";
import type { Entry } from "../journal/journal.js";
import { noteFault } from "./call-notes.js";
import { Aborted, TrackedFault } from "./faults.js";

/** A failure that the run of `exec` or `explore` orders for one call. */
export interface OrderedFailure {
  /** As notes call it. */
  readonly name: string;
  readonly rule: FaultRule | "silent";
}

/** Carries out a call that was chosen to fail. No world knows of it: a reset does not end it. */
export async function underOrder(
  { name, rule }: OrderedFailure,
  operate: () => Answer,
  entry: Entry,
): Promise<Answer> {
  if (rule !== "silent") return underFault(new TrackedFault(0, 0, rule, 0, name), operate, entry);
  entry.note(`${name} never answers`);
  return { status: 0, fault: "silent" };
}

/** Carries out a call that a fault has claimed. `operate` performs the operation. */
export async function underFault(fault: TrackedFault, operate: () => Answer, entry: Entry): Promise<Answer> {
  const performed = fault.request.phase === "after" ? operate() : undefined;
  const began = entry.elapsedMs;
  try {
    await fault.wait();
  } catch (error) {
    if (!(error instanceof Aborted)) throw error;
    entry.note(`${fault.name} aborted the call: ${error.message}`);
    const message = `Fault ${fault.id} was holding this call, and aborted it: ${error.message}.`;
    return failWith(503, message, entry.decisions);
  }
  const answer = answerUnder(fault, performed, operate, entry.decisions);
  noteFault(entry, fault, entry.elapsedMs - began);
  return answer;
}

function answerUnder(
  fault: TrackedFault,
  performed: Answer | undefined,
  operate: () => Answer,
  decisions: Decisions,
): Answer {
  switch (fault.effect) {
    case "delayMs":
    case "hold":
      return performed ?? operate();
    case "dribble":
      return { ...(performed ?? operate()), dribbleMs: fault.request.delayMs ?? 0 };
    case "status":
      return answerWith(fault, fault.request.status ?? 503, decisions);
    case "malformed":
      return { status: 200, rawText: brokenJson, fault: "malformed" };
    case "truncate":
    case "reset":
    case "empty":
      return { ...(performed ?? neverMade), fault: fault.effect };
  }
}

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
