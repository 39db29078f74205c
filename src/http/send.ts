import type { ServerResponse } from "node:http";
import type { AdminFailure, Problem } from "../contract/types.js";
import type { Failure, Reply } from "../service/failures.js";
import type { Rulings } from "../service/rulings.js";

export type Headers = Record<string, string | number>;

const allow = "GET, POST";

/** An answer as it goes over the wire. Without headers: a fault lets none come. */
export interface Wire {
  readonly headers?: Headers;
  readonly text?: string;
}

/** Turns a reply into what goes over the wire. */
export function wireOf(reply: Reply, request: number, rulings: Rulings): Wire {
  if (reply.fault === "reset" || reply.fault === "empty") return {};
  if (reply.body === undefined) return { headers: { "Usergroup-Mock-Request": request, Allow: allow } };
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
    if (reply.fault === "reset") res.socket?.resetAndDestroy();
    else res.socket?.destroy();
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

/** As many pieces as can be told apart by a client that shows progress. */
const pieces = 20;

function dribble(res: ServerResponse, bytes: Buffer, overMs: number): void {
  const size = Math.ceil(bytes.length / pieces);
  const next = (from: number) => {
    if (res.destroyed) return;
    if (from >= bytes.length) {
      res.end();
      return;
    }
    res.write(bytes.subarray(from, from + size));
    setTimeout(() => next(from + size), overMs / pieces);
  };
  next(0);
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
