import type { ServerResponse } from "node:http";
import type { Answer, Delivered } from "../world/answer.js";

/** What was sent to a caller whose request broke HTTP, or was too slow, after its head had been accepted. */
interface SentRefusal {
  readonly answer: Answer;
  readonly delivered: Delivered;
  /** The cause, where the delivery does not tell it. */
  readonly note: string | undefined;
}

interface WrittenRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly message: string;
  /** The caller ended its side in the middle of its body. */
  readonly isHalfClosed: boolean;
}

const refusedCalls = new WeakMap<ServerResponse, SentRefusal>();

/** Remembers a refusal that `listen` wrote itself: the journal of the call shows it. */
export function rememberRefusal(
  call: ServerResponse,
  { status, headers, text, message, isHalfClosed }: WrittenRefusal,
): void {
  const answer: Answer = { status, failure: { code: "invalid_http", message } };
  const delivery = isHalfClosed ? "caller-left" : "complete";
  const note = isHalfClosed ? undefined : message;
  refusedCalls.set(call, { answer, delivered: { delivery, headers, sentText: text }, note });
}

export function refusedCallOf(call: ServerResponse): SentRefusal | undefined {
  return refusedCalls.get(call);
}
