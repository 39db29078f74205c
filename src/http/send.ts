import type { ServerResponse } from "node:http";
import { allowedMethods } from "../contract/operations.js";
import type { Decisions } from "../service/decisions.js";
import type { Failure } from "../service/failures.js";
import type { Delivered, PlannedResponse } from "../world/planned-response.js";
import { breakOff, dribble, firstHalf } from "./break-response.js";
import { closeAfterResponse } from "./connections.js";
import { connectionOf, httpDate } from "./own-headers.js";
import type { Headers } from "./send-json.js";

/** An answer as it goes over the wire. Without headers, a fault sends nothing at all. */
export interface Wire {
  readonly headers?: Headers;
  readonly text?: string;
}

/** Turns an answer into what goes over the wire. */
export function wireOf(reply: PlannedResponse, request: number, decisions: Decisions): Wire {
  if (reply.fault === "reset" || reply.fault === "empty" || reply.fault === "silent") return {};
  const text = reply.rawText ?? (reply.body === undefined ? undefined : JSON.stringify(reply.body));
  const date = httpDate();
  const headers: Headers =
    text === undefined
      ? { "Cache-Control": "no-store", "Usergroup-Mock-Request": request, Allow: allowedMethods, Date: date }
      : {
          "Content-Type": "application/json; charset=utf-8",
          "Content-Length": Buffer.byteLength(text),
          "Cache-Control": "no-store",
          "Usergroup-Mock-Request": request,
          Date: date,
        };
  if (decisions.decided.length > 0) headers["Usergroup-Mock-Assumed"] = decisions.toString();
  if (reply.failure !== undefined) addFailureHeaders(headers, reply.status, reply.failure);
  if (reply.headers !== undefined) replaceHeaders(headers, reply.headers);
  return text === undefined ? { headers } : { headers, text };
}

function addFailureHeaders(headers: Headers, status: number, { code }: Failure): void {
  if (status === 401) headers["WWW-Authenticate"] = "Token";
  if (code === "method_not_allowed") headers.Allow = allowedMethods;
  // See closeAfterResponse.
  if (code === "payload_too_large" || code === "missing_body") headers.Connection = "close";
}

/** Names of headers are the same in upper and lower case. */
function replaceHeaders(headers: Headers, others: Readonly<Record<string, string>>): void {
  const known = new Map(Object.keys(headers).map((name) => [name.toLowerCase(), name]));
  for (const [name, value] of Object.entries(others)) headers[known.get(name.toLowerCase()) ?? name] = value;
}

/**
 * Writes an answer of the service, or breaks it as a fault says. No other code does.
 * @param ended called with what went over the wire, just before the caller can have the last byte
 */
export function sendReply(
  res: ServerResponse,
  reply: PlannedResponse,
  { headers, text }: Wire,
  ended: (delivered: Delivered) => void,
): void {
  // A pipelined answer has no socket of its own until those before it are sent.
  const { socket } = res.req;
  if (!socket.writable || reply.fault === "silent") {
    const left = () => ended({ delivery: "caller-left" });
    if (socket.writable) res.once("close", left);
    else left();
    return;
  }
  if (headers === undefined) {
    ended({ delivery: "none" });
    breakOff(socket, reply.fault === "reset");
    return;
  }
  if (headers.Connection === "close") closeAfterResponse(socket);
  res.writeHead(reply.status, headers);
  // Node has added this itself; now the journal has all that is sent.
  headers.Connection = connectionOf(res, headers);
  if (text !== undefined && reply.fault === "truncate") {
    const half = firstHalf(text);
    ended({ delivery: "cut", headers, sentText: half });
    res.write(half, () => res.socket?.destroy());
  } else if (text !== undefined && reply.dribbleMs !== undefined) {
    dribble(res, text, reply.dribbleMs, (sent) => ended({ ...sent, headers }));
  } else {
    const complete = { delivery: "complete", headers } as const;
    ended(res.req.method === "HEAD" ? { ...complete, sentText: "" } : complete);
    // Node encodes the headers like the string that follows them; before bytes, they are Latin-1.
    res.end(reply.headers === undefined || text === undefined ? text : Buffer.from(text));
  }
}
