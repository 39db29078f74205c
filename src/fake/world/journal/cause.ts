import { asSentence, durationWords } from "../../../foundation/grammar.js";
import type { Cause } from "../../../generated/types.js";
import { effects } from "../../contract/operations.js";
import type { Delivered, Entry, KeptRejection } from "./entry.js";

/**
 * Why the client did not get a plain success; undefined if it did, or is still waiting. The only place that decides it,
 * from what the entry has recorded: what happened last is the cause.
 */
export function causeOf(entry: Entry): Cause | undefined {
  const { intervention, rejection, delivered } = entry;
  if (delivered === undefined) return undefined;
  if (delivered.delivery === "none" && intervention === undefined)
    return { code: "stopped", message: "The mock was stopped before the whole response was sent." };
  if (delivered.delivery === "caller-left" && intervention?.code !== "injected")
    return disconnectCause(entry, delivered);
  const because = rejection && rejectionCause(rejection, entry);
  if (intervention === undefined)
    return rejection && { code: rejection.code, message: rejection.message, ...because };
  const { text, ...others } = intervention;
  const why = rejection === undefined ? "" : ` ${rejection.message}`;
  return { ...others, message: `${asSentence(text)}${why}`, ...because };
}

/** The situation in which a request was rejected, and the earlier request that explains it. */
function rejectionCause({ situation, request }: KeptRejection, { isConcurrent }: Entry) {
  return {
    ...(situation !== undefined && { situation }),
    ...(request !== undefined && { request, ...(isConcurrent && { concurrent: true as const }) }),
  };
}

/** When the client disconnected, and what it cannot know. */
function disconnectCause(entry: Entry, { headers, sentText = "" }: Delivered): Cause {
  const { hadBeen, unseen } = effects[entry.effect];
  const time = durationWords(entry.durationMs ?? 0);
  // The client may have closed it, or sent a body that was invalid or too slow.
  if (entry.text === undefined)
    return {
      code: "caller-left",
      message: `The connection was closed after ${time}, before the body of the request had arrived.`,
    };
  const after = `the client closed the connection after ${time}`;
  const when =
    headers === undefined ? "before a response was sent" : `when ${sentText.length} characters had been sent`;
  const waiting = entry.abandonedIn === undefined ? "" : `, while ${entry.abandonedIn} the request`;
  const effect = unseen === undefined ? "" : `; ${hadBeen}, ${unseen}`;
  return {
    code: "caller-left",
    message: asSentence(`${after}, ${when}${waiting}${effect}`),
    ...(entry.fault !== null && { fault: entry.fault }),
  };
}
