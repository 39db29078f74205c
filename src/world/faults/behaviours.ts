import type { FaultKind } from "../../contract/fault-kinds.js";
import { textType } from "../../contract/response-names.js";
import type { FaultRule } from "../../generated/types.js";
import type { Decisions } from "../../service/decisions.js";
import { failureBody } from "../../service/respond.js";
import type { SentResponse } from "../sent-response.js";

/** A request that a fault has claimed, after it has waited. */
interface Claimed {
  readonly fault: { readonly id: number; readonly request: FaultRule };
  /** The response of the service. Performs the operation, unless `phase: "after"` has done it before. */
  readonly respond: () => SentResponse;
  /** A response that the client does not get in full. `standIn` if nothing may happen in the world. */
  readonly lost: SentResponse;
  readonly decisions: Decisions;
}

/** What each kind of fault does to a request. */
export const behaviours: Readonly<Record<FaultKind, (claimed: Claimed) => SentResponse>> = {
  status: respondWithStatus,
  delayMs: ({ respond }) => respond(),
  reset: ({ lost }) => ({ ...lost, fault: "reset" }),
  empty: ({ lost }) => ({ ...lost, fault: "empty" }),
  truncate: ({ lost }) => ({ ...lost, fault: "truncate" }),
  malformed: () => ({ status: 200, rawText: brokenJson, fault: "malformed" }),
  hold: ({ respond }) => respond(),
};

const brokenJson = '{"success":1,"user_group":{"team_id":3,"token":';

/** Stands for the response of the service if nothing may happen in the world. */
export const standIn: SentResponse = { status: 200, body: { success: 1, user_group: null } };

function respondWithStatus({ fault: { id, request }, decisions }: Claimed): SentResponse {
  const { status = 503, headers, body, text } = request;
  const response = { status, fault: "status", ...(headers && { headers }) } as const;
  if (text !== undefined) return { ...response, rawText: text, type: textType(text) };
  if (body !== undefined) return { ...response, body };
  const message = `Fault ${id} returned ${status} for this request.`;
  return { ...failWith(status, message, decisions), ...response };
}

export function failWith(status: number, message: string, decisions: Decisions): SentResponse {
  const failure = { code: "fault", message } as const;
  return { status, body: failureBody(failure, decisions), failure, fault: "status" };
}
