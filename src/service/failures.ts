import { type FailureCode, failures } from "../contract/failures.js";
import type { Effect, FailureResponse, Problem } from "../generated/types.js";
import type { Decisions } from "./decisions.js";
import type { GroupChanges } from "./operation.js";

/** Why a call failed, before the assumptions decide what that looks like on the wire. */
export interface Failure {
  readonly code: FailureCode;
  /** What was wrong, and what to do. */
  readonly message: string;
  readonly details?: readonly Problem[];
  /** The cause in a few words, for a person who looks at the call later. */
  readonly note?: string;
  /** The token that no group of the team has. */
  readonly unknownToken?: string;
}

export function isFailure(result: object): result is Failure {
  return "code" in result;
}

/** What the service answers, as plain values. */
export interface Reply {
  readonly status: number;
  /** By default the answer has none. */
  readonly body?: unknown;
  readonly failure?: Failure;
  /** What the call did in the world; by default nothing. */
  readonly effect?: Effect;
  readonly changes?: GroupChanges;
}

/** @param bodyShows false for a HEAD: its answer has no body, so `failure-body` cannot decide it */
export function failureReply(failure: Failure, decisions: Decisions, bodyShows = true): Reply {
  const { status } = failures[failure.code];
  const isAlways200 = decisions.decide("failure-status") === "always-200";
  return {
    status: isAlways200 ? 200 : status,
    body: failureBody(failure, decisions, bodyShows),
    failure,
  };
}

/** What a failure looks like on the wire. */
export function failureBody(failure: Failure, decisions: Decisions, bodyShows = true): FailureResponse {
  switch (bodyShows ? decisions.decide("failure-body") : decisions.peek("failure-body")) {
    case "bare":
      return { success: 0 };
    case "message":
      return { success: 0, message: failure.message };
    case "error-object":
      return plainFailureBody(failure);
  }
}

/** For an answer that the real service would not give, such as 404 for another path: no assumption shapes it. */
export function plainReply(failure: Failure): Reply {
  return { status: failures[failure.code].status, body: plainFailureBody(failure), failure };
}

function plainFailureBody({ code, message, details }: Failure): FailureResponse {
  return { success: 0, error: { code, message, ...(details && { details: [...details] }) } };
}
