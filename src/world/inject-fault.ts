import type { Decisions } from "../service/decisions.js";
import { failureBody } from "../service/failures.js";
import type { Answer } from "./answer.js";
import { Aborted, type TrackedFault } from "./faults.js";

/** Carries out a call that a fault has claimed. `operate` performs the operation. */
export async function underFault(
  fault: TrackedFault,
  operate: () => Answer,
  decisions: Decisions,
): Promise<Answer> {
  const after = fault.request.phase === "after";
  switch (fault.effect) {
    case "delayMs":
    case "hold":
      return wait(fault, operate, after, decisions);
    case "dribble":
      return { ...operate(), dribbleMs: fault.request.delayMs ?? 0 };
    case "status":
      if (after) operate();
      return answerWith(fault, fault.request.status ?? 503, decisions);
    case "malformed":
      if (after) operate();
      return { status: 200, body: brokenJson, fault: "malformed" };
    case "truncate":
    case "reset":
    case "empty":
      return { ...(after ? operate() : neverMade), fault: fault.effect };
  }
}

const brokenJson = '{"success":1,"user_group":{"team_id":3,"token":';

/** Cut in half when nothing may happen in the world: there is no real answer then. */
const neverMade: Answer = { status: 200, body: { success: 1, user_group: null } };

async function wait(
  fault: TrackedFault,
  operate: () => Answer,
  after: boolean,
  decisions: Decisions,
): Promise<Answer> {
  const reply = after ? operate() : undefined;
  try {
    await fault.wait();
  } catch (error) {
    if (!(error instanceof Aborted)) throw error;
    const message = `Fault ${fault.id} was holding this call, and let it go: ${error.message}.`;
    return failWith(503, message, decisions);
  }
  return reply ?? operate();
}

function answerWith({ id, request }: TrackedFault, status: number, decisions: Decisions): Answer {
  if (request.body !== undefined) return { status, body: request.body, fault: "status" };
  return failWith(status, `Fault ${id} answers this call with ${status}, as it was armed to.`, decisions);
}

function failWith(status: number, message: string, decisions: Decisions): Answer {
  const failure = { code: "fault", message } as const;
  return { status, body: failureBody(failure, decisions), failure, fault: "status" };
}
