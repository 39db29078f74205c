import type { FailureResponse, Problem } from "../contract/types.js";
import type { Rulings } from "./rulings.js";

export type FailureCode = NonNullable<FailureResponse["error"]>["code"];

const statuses = {
  missing_body: 400,
  invalid_json: 400,
  invalid_body: 400,
  unauthorized: 401,
  unknown_token: 404,
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
  internal: 500,
  fault: 503,
} as const satisfies Record<FailureCode, number>;

/** Why a call failed, before the assumptions decide how that looks on the wire. */
export interface Failure {
  readonly code: FailureCode;
  /** What was wrong, and what to do. */
  readonly message: string;
  readonly details?: readonly Problem[];
  /** The cause, as the journal notes it. */
  readonly note?: string;
}

export function isFailure(answer: object): answer is Failure {
  return "code" in answer;
}

/** What the service answers: plain values, that `http/send.ts` writes. */
export interface Reply {
  readonly status: number;
  /** Left out: the answer has none. */
  readonly body?: unknown;
  readonly failure?: Failure;
  /** What an armed fault does to the answer. */
  readonly fault?: Breakage;
  /** A fault draws the answer out over so many milliseconds. */
  readonly dribbleMs?: number;
}

/** How an answer can break on its way; `status`: it is whole, but not the one of the service. */
export type Breakage = "status" | "reset" | "empty" | "truncate" | "malformed";

/** The status of a failure that is not one of the service: no assumption speaks of it. */
export function statusOf(code: FailureCode): number {
  return statuses[code];
}

/** @param bodyShows not in the answer to a HEAD, which the body then cannot decide */
export function failureReply(failure: Failure, rulings: Rulings, bodyShows = true): Reply {
  const status = rulings.rule("failure-status") === "always-200" ? 200 : statuses[failure.code];
  return { status, body: failureBody(failure, rulings, bodyShows), failure };
}

/** How a failure looks on the wire. */
export function failureBody(failure: Failure, rulings: Rulings, bodyShows = true): FailureResponse {
  switch (bodyShows ? rulings.rule("failure-body") : rulings.value("failure-body")) {
    case "bare":
      return { success: 0 };
    case "message":
      return { success: 0, message: failure.message };
    case "error-object":
      return plainFailureBody(failure);
  }
}

/** An answer that is not one of the service, so that no assumption shapes it. */
export function plainReply(failure: Failure): Reply {
  return { status: statuses[failure.code], body: plainFailureBody(failure), failure };
}

function plainFailureBody({ code, message, details }: Failure): FailureResponse {
  return { success: 0, error: { code, message, ...(details && { details: [...details] }) } };
}
