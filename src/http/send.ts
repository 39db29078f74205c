import type { ServerResponse } from "node:http";
import { allowedMethods } from "../contract/operations.js";
import type { Decisions } from "../service/decisions.js";
import type { Failure } from "../service/failures.js";
import type { Answer } from "../world/answer.js";
import { breakOff, dribble } from "./break-answer.js";
import type { Headers } from "./send-json.js";

/** An answer as it goes over the wire. Without headers, a fault sends nothing at all. */
export interface Wire {
  readonly headers?: Headers;
  readonly text?: string;
}

/** Turns an answer into what goes over the wire. */
export function wireOf(reply: Answer, request: number, decisions: Decisions): Wire {
  if (reply.fault === "reset" || reply.fault === "empty") return {};
  if (reply.body === undefined) {
    const headers: Headers = {
      "Cache-Control": "no-store",
      "Usergroup-Mock-Request": request,
      Allow: allowedMethods,
    };
    if (decisions.decided.length > 0) headers["Usergroup-Mock-Assumed"] = decisions.toString();
    return { headers };
  }
  const text = reply.fault === "malformed" ? String(reply.body) : JSON.stringify(reply.body);
  const headers: Headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    "Usergroup-Mock-Request": request,
  };
  if (decisions.decided.length > 0) headers["Usergroup-Mock-Assumed"] = decisions.toString();
  if (reply.failure !== undefined) addFailureHeaders(headers, reply.status, reply.failure);
  return { headers, text };
}

function addFailureHeaders(headers: Headers, status: number, { code }: Failure): void {
  if (status === 401) headers["WWW-Authenticate"] = "Token";
  if (code === "method_not_allowed") headers.Allow = allowedMethods;
  // The rest of the body was not read; and what follows a GET without Content-Length is its body, not another call.
  // Neither connection can be used again.
  if (code === "payload_too_large" || code === "missing_body") headers.Connection = "close";
}

/** Writes an answer of the service, or breaks it as a fault says. No other code does. */
export function sendReply(res: ServerResponse, reply: Answer, { headers, text }: Wire): void {
  if (headers === undefined) {
    breakOff(res.socket, reply.fault === "reset");
    return;
  }
  res.writeHead(reply.status, headers);
  if (text !== undefined && reply.fault === "truncate") {
    res.write(text.slice(0, text.length / 2), () => res.socket?.destroy());
  } else if (text !== undefined && reply.dribbleMs !== undefined) {
    dribble(res, Buffer.from(text), reply.dribbleMs);
  } else {
    res.end(text);
  }
}
