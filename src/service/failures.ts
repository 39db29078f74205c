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
} as const satisfies Record<FailureCode, number>;

/** Why a call failed, before the assumptions decide how that looks on the wire. */
export interface Failure {
  readonly code: FailureCode;
  /** What was wrong, and what to do. */
  readonly message: string;
  readonly details?: readonly Problem[];
}

export function isFailure(answer: object): answer is Failure {
  return "code" in answer;
}

/** What the service answers: plain values, that `http/send.ts` writes. */
export interface Reply {
  readonly status: number;
  /** Left out: the answer has none. */
  readonly body?: object;
  readonly failure?: Failure;
}

/** The status of a failure that is not one of the service: no assumption speaks of it. */
export function statusOf(code: FailureCode): number {
  return statuses[code];
}

export function failureReply(failure: Failure, rulings: Rulings): Reply {
  const status = rulings.rule("failure-status") === "always-200" ? 200 : statuses[failure.code];
  return { status, body: failureBody(failure, rulings), failure };
}

function failureBody(failure: Failure, rulings: Rulings): FailureResponse {
  switch (rulings.rule("failure-body")) {
    case "bare":
      return { success: 0 };
    case "message":
      return { success: 0, message: failure.message };
    case "error-object":
      return plainFailureBody(failure);
  }
}

export function plainFailureBody({ code, message, details }: Failure): FailureResponse {
  return { success: 0, error: { code, message, ...(details && { details: [...details] }) } };
}
