import type { ServerResponse } from "node:http";
import type { AdminFailure, Problem } from "../contract/types.js";
import type { Failure, Reply } from "../service/failures.js";
import type { Rulings } from "../service/rulings.js";

type Headers = Record<string, string | number>;

/** Writes a service answer: the one place that does. */
export function sendReply(res: ServerResponse, reply: Reply, request: number, rulings: Rulings): void {
  const headers: Headers = { "Usergroup-Mock-Request": request };
  if (rulings.decided.length > 0) headers["Usergroup-Mock-Assumed"] = rulings.toString();
  if (reply.failure !== undefined) addFailureHeaders(headers, reply.status, reply.failure);
  if (reply.body !== undefined) sendJson(res, reply.status, reply.body, headers);
  else res.writeHead(reply.status, { ...headers, Allow: allow }).end();
}

const allow = "GET, POST";

function addFailureHeaders(headers: Headers, status: number, { code }: Failure): void {
  if (status === 401) headers["WWW-Authenticate"] = "Token";
  if (code === "method_not_allowed") headers.Allow = allow;
  // What is left of the body has not been read; and what comes after a GET without Content-Length is its body,
  // not another call. Neither connection can be used again.
  if (code === "payload_too_large" || code === "missing_body") headers.Connection = "close";
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
