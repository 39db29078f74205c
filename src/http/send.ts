import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { AdminFailure, Problem } from "../contract/types.js";
import type { Failure, Reply } from "../service/failures.js";
import type { Rulings } from "../service/rulings.js";

export type Headers = Record<string, string | number | string[]>;

const allow = "GET, POST";

/** An answer as it goes over the wire. Without headers: a fault lets none come. */
export interface Wire {
  readonly headers?: Headers;
  readonly text?: string;
}

/** Turns a reply into what goes over the wire. */
export function wireOf(reply: Reply, request: number, rulings: Rulings): Wire {
  if (reply.fault === "reset" || reply.fault === "empty") return {};
  if (reply.body === undefined) {
    const headers: Headers = { "Cache-Control": "no-store", "Usergroup-Mock-Request": request, Allow: allow };
    if (rulings.decided.length > 0) headers["Usergroup-Mock-Assumed"] = rulings.toString();
    return { headers };
  }
  const text = reply.fault === "malformed" ? String(reply.body) : JSON.stringify(reply.body);
  const headers: Headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    "Usergroup-Mock-Request": request,
  };
  if (rulings.decided.length > 0) headers["Usergroup-Mock-Assumed"] = rulings.toString();
  if (reply.failure !== undefined) addFailureHeaders(headers, reply.status, reply.failure);
  return { headers, text };
}

function addFailureHeaders(headers: Headers, status: number, { code }: Failure): void {
  if (status === 401) headers["WWW-Authenticate"] = "Token";
  if (code === "method_not_allowed") headers.Allow = allow;
  // What is left of the body has not been read; and what comes after a GET without Content-Length is its body,
  // not another call. Neither connection can be used again.
  if (code === "payload_too_large" || code === "missing_body") headers.Connection = "close";
}

/** Writes a service answer, or breaks it as a fault says: the one place that does. */
export function sendReply(res: ServerResponse, reply: Reply, { headers, text }: Wire): void {
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

function breakOff(socket: Socket | null, reset: boolean): void {
  try {
    if (reset) socket?.resetAndDestroy();
  } catch {
    // Over TLS there is no plain socket to reset: it is closed, without a word.
  }
  socket?.destroy();
}

/** As many pieces as can be told apart by a client that shows progress. */
const mostPieces = 20;

/** The first piece at once and the last when time is up: with it the client has the whole answer. */
function dribble(res: ServerResponse, bytes: Buffer, overMs: number): void {
  const size = Math.ceil(bytes.length / mostPieces);
  const last = Math.ceil(bytes.length / size) - 1;
  const began = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const send = (piece: number) => {
    // Before the first piece too: a body that had to be inflated may have outlived its caller.
    if (res.destroyed) return;
    const part = bytes.subarray(piece * size, (piece + 1) * size);
    if (piece === last) {
      res.end(part);
      return;
    }
    res.write(part);
    // From the beginning, not from the last piece: timers are early or late, and that must not add up.
    timer = setTimeout(() => send(piece + 1), began + ((piece + 1) * overMs) / last - performance.now());
  };
  res.once("close", () => clearTimeout(timer));
  send(0);
}

export function sendJson(res: ServerResponse, status: number, body: unknown, headers: Headers = {}): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    ...headers,
  });
  res.end(text);
}

/** What a refused admin call is told. */
interface AdminRefusal {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly Problem[];
}

export function sendAdminFailure(
  res: ServerResponse,
  status: number,
  { code, message, details = [] }: AdminRefusal,
  headers: Headers = {},
): void {
  const problems = details.map(({ path, message }) => ({ path, message }));
  const body: AdminFailure = { error: { code, message, ...(problems.length > 0 && { details: problems }) } };
  sendJson(res, status, body, headers);
}

/** Refuses a call that reaches no world, in the shape that its caller expects: the service's or the admin API's. */
export function sendRefusal(
  req: IncomingMessage,
  res: ServerResponse,
  { status, code, message }: { readonly status: number; readonly code: string; readonly message: string },
  headers: Headers = {},
): void {
  const error = { code, message };
  sendJson(res, status, /^[^?]*\/__admin/.test(req.url ?? "") ? { error } : { success: 0, error }, headers);
}
