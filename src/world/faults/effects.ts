import type { FaultEffect } from "../../contract/fault-effects.js";
import { monotonicNow } from "../../foundation/clock.js";
import type { Decisions } from "../../service/decisions.js";
import { failureBody } from "../../service/failures.js";
import type { PlannedResponse } from "../planned-response.js";
import type { TrackedFault } from "./faults.js";

/** A request that a fault has claimed, after it has waited. */
export interface Claimed {
  readonly fault: TrackedFault;
  /** The response of the service. Performs the operation, unless `phase: "after"` has done it before. */
  readonly respond: () => PlannedResponse;
  /** A response that the caller does not get in full. `standIn` if nothing may happen in the world. */
  readonly lost: PlannedResponse;
  readonly decisions: Decisions;
}

/** What an effect does to a request. */
interface Behaviour {
  /** Whether the fault meets a request that matches and is due. By default it does. */
  readonly meets?: (fault: TrackedFault) => boolean;
  /** How long the request waits first, in milliseconds. By default `delayMs` of the rule. */
  readonly waitMs?: (fault: TrackedFault) => number | undefined;
  readonly respond: (claimed: Claimed) => PlannedResponse;
}

/** How each effect is carried out. */
export const behaviours: Readonly<Record<FaultEffect, Behaviour>> = {
  status: { respond: respondWithStatus },
  delayMs: { respond: ({ respond }) => respond() },
  rateLimit: { meets: (fault) => !isWithinRate(fault), respond: limited },
  latencyMs: { waitMs: drawLatency, respond: ({ respond }) => respond() },
  reset: { respond: ({ lost }) => ({ ...lost, fault: "reset" }) },
  empty: { respond: ({ lost }) => ({ ...lost, fault: "empty" }) },
  truncate: { respond: ({ lost }) => ({ ...lost, fault: "truncate" }) },
  malformed: { respond: () => ({ status: 200, rawText: brokenJson, fault: "malformed" }) },
  dribble: {
    waitMs: () => undefined,
    respond: ({ fault, respond }) => ({ ...respond(), dribbleMs: fault.request.delayMs ?? 0 }),
  },
  hold: { respond: ({ respond }) => respond() },
};

const brokenJson = '{"success":1,"user_group":{"team_id":3,"token":';

/** Stands for the response of the service if nothing may happen in the world. */
export const standIn: PlannedResponse = { status: 200, body: { success: 1, user_group: null } };

function respondWithStatus({ fault: { id, request }, decisions }: Claimed): PlannedResponse {
  const { status = 503, headers, body, text } = request;
  const response = { status, fault: "status", ...(headers && { headers }) } as const;
  if (text !== undefined) {
    const type = `text/${text.trimStart().startsWith("<") ? "html" : "plain"}; charset=utf-8`;
    return { ...response, rawText: text, headers: { "Content-Type": type, ...headers } };
  }
  if (body !== undefined) return { ...response, body };
  const message = `Fault ${id} returned ${status} for this request.`;
  return { ...failWith(status, message, decisions), ...response };
}

export function failWith(status: number, message: string, decisions: Decisions): PlannedResponse {
  const failure = { code: "fault", message } as const;
  return { status, body: failureBody(failure, decisions), failure, fault: "status" };
}

/** Whether a request passes the rate limit. If so, it counts towards it. */
function isWithinRate(fault: TrackedFault): boolean {
  const { requests = 0, perSeconds = 0 } = fault.request.rateLimit ?? {};
  const now = monotonicNow();
  const recent = fault.passedAt.filter((at) => at > now - perSeconds * 1000);
  const passes = recent.length < requests;
  fault.passedAt = passes ? [...recent, now] : recent;
  return passes;
}

function limited({ fault, decisions }: Claimed): PlannedResponse {
  const { perSeconds = 0 } = fault.request.rateLimit ?? {};
  const [oldest = monotonicNow()] = fault.passedAt;
  const seconds = Math.max(1, Math.ceil((oldest - monotonicNow()) / 1000 + perSeconds));
  const message = `Fault ${fault.id} limits the rate of requests. Try again after ${seconds} s.`;
  return { ...failWith(429, message, decisions), headers: { "Retry-After": String(seconds) } };
}

function drawLatency(fault: TrackedFault): number {
  const { min = 0, max = 0 } = fault.request.latencyMs ?? {};
  return (fault.request.delayMs ?? 0) + Math.round(min + fault.draw("latency") * (max - min));
}
