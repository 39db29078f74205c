import { type Breakage, failureBody, type Reply } from "../service/failures.js";
import type { Rulings } from "../service/rulings.js";
import { Aborted, type ArmedFault } from "../world/faults.js";

/** Carries out a call that a fault has taken: `operate` is the operation itself. */
export async function underFault(fault: ArmedFault, operate: () => Reply, rulings: Rulings): Promise<Reply> {
  const after = fault.request.phase === "after";
  switch (fault.effect) {
    case "delayMs":
    case "hold":
      return wait(fault, operate, after, rulings);
    case "dribble":
      return { ...operate(), dribbleMs: fault.request.delayMs ?? 0 };
    case "status":
      if (after) operate();
      return answerWith(fault, fault.request.status ?? 503, rulings);
    case "malformed":
      if (after) operate();
      return { status: 200, body: brokenJson, fault: "malformed" };
    case "truncate":
    case "reset":
    case "empty":
      return broken(after ? operate() : neverMade, fault.effect);
  }
}

const brokenJson = '{"success":1,"user_group":{"team_id":3,"token":';

/** What is cut in half when nothing may happen in the world: there is no real answer then. */
const neverMade: Reply = { status: 200, body: { success: 1, user_group: null } };

function broken(reply: Reply, fault: Breakage): Reply {
  return { ...reply, fault };
}

async function wait(
  fault: ArmedFault,
  operate: () => Reply,
  after: boolean,
  rulings: Rulings,
): Promise<Reply> {
  const reply = after ? operate() : undefined;
  try {
    await fault.wait();
  } catch (error) {
    if (!(error instanceof Aborted)) throw error;
    const message = `Fault ${fault.id} was holding this call, and let it go: ${error.message}.`;
    const failure = { code: "fault", message } as const;
    return { status: 503, body: failureBody(failure, rulings), failure, fault: "status" };
  }
  return reply ?? operate();
}

function answerWith({ id, request }: ArmedFault, status: number, rulings: Rulings): Reply {
  if (request.body !== undefined) return { status, body: request.body, fault: "status" };
  const failure = {
    code: "fault",
    message: `Fault ${id} answers this call with ${status}, as it was armed to.`,
  } as const;
  return { status, body: failureBody(failure, rulings), failure, fault: "status" };
}
