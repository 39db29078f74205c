import type { FaultKind } from "../../contract/fault-kinds.js";
import { textType } from "../../contract/response-names.js";
import { asSentence } from "../../foundation/grammar.js";
import type { FaultRule } from "../../generated/types.js";
import type { Decisions } from "../../service/decisions.js";
import { failureBody } from "../../service/respond.js";
import type { SentResponse } from "../sent-response.js";

/** A request that a fault has claimed, after it has waited. */
interface Claimed {
  readonly fault: { readonly name: string; readonly rule: FaultRule };
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
  reset: ({ lost }) => ({ ...lost, broken: "reset" }),
  empty: ({ lost }) => ({ ...lost, broken: "closed" }),
  truncate: ({ lost }) => ({ ...lost, broken: "half" }),
  malformed: () => ({ status: 200, rawText: brokenJson }),
  hold: ({ respond }) => respond(),
};

const brokenJson = '{"success":1,"user_group":{"team_id":3,"token":';

/** Stands for the response of the service if nothing may happen in the world. */
export const standIn: SentResponse = { status: 200, body: { success: 1, user_group: null } };

function respondWithStatus({ fault: { name, rule }, decisions }: Claimed): SentResponse {
  const { status = 503, headers, body, text } = rule;
  const response = { status, ...(headers && { headers }) };
  if (text !== undefined) return { ...response, rawText: text, type: textType(text) };
  if (body !== undefined) return { ...response, body };
  const message = asSentence(`${name} returned ${status} for this request`);
  return { ...failWith(status, message, decisions), ...response };
}

export function failWith(status: number, message: string, decisions: Decisions): SentResponse {
  const rejection = { code: "fault", message } as const;
  return { status, body: failureBody(rejection, decisions), rejection };
}
