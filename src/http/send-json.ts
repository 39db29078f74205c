import type { IncomingMessage, ServerResponse } from "node:http";
import type { AdminFailure, Problem } from "../contract/types.js";

export type Headers = Record<string, string | number | string[]>;

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

/** Why an admin call is refused. */
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

/** Refuses a call that reaches no world, in the shape of the service or of the admin API. */
export function sendRefusal(
  req: IncomingMessage,
  res: ServerResponse,
  { status, code, message }: { readonly status: number; readonly code: string; readonly message: string },
  headers: Headers = {},
): void {
  const error = { code, message };
  sendJson(res, status, /^[^?]*\/__admin/.test(req.url ?? "") ? { error } : { success: 0, error }, headers);
}
