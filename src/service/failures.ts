import { type FailureCode, failures } from "../contract/failures.js";
import type { Effect, FailureResponse, Problem } from "../generated/types.js";
import type { Decisions } from "./decisions.js";
import type { GroupChanges } from "./operation.js";

/** Why a request failed. The assumptions decide what it looks like on the wire. */
export interface Failure {
  readonly code: FailureCode;
  /** What is wrong, and what to do. */
  readonly message: string;
  readonly details?: readonly Problem[];
  /** The id of the earlier request that explains it. */
  readonly request?: number;
  /** A token that no group of the team has. */
  readonly unknownToken?: string;
}

export function isFailure(result: object): result is Failure {
  return "code" in result;
}

/** A response of the service, as plain values. */
export interface ServiceResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly failure?: Failure;
  /** What the request did in the world; nothing by default. */
  readonly effect?: Effect;
  readonly changes?: GroupChanges;
}

/** @param bodyShows false for HEAD, whose response has no body, so that `failure-body` does not decide it */
export function rejectWith(failure: Failure, decisions: Decisions, bodyShows = true): ServiceResponse {
  const isAlways200 = decisions.decide("failure-status") === "always-200";
  const status = isAlways200 ? 200 : failures[failure.code].status;
  return { status, body: failureBody(failure, decisions, bodyShows), failure };
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

/** For a response that is not one of the service, such as 404 for another path: no assumption changes it. */
export function rejectPlainly(failure: Failure): ServiceResponse {
  return { status: failures[failure.code].status, body: plainFailureBody(failure), failure };
}

function plainFailureBody({ code, message, details }: Failure): FailureResponse {
  return { success: 0, error: { code, message, ...(details && { details: [...details] }) } };
}
