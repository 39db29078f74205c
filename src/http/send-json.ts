import type { Request, Response } from "express";
import type { Problem } from "../generated/types.js";

export type Headers = Record<string, string | number | string[]>;

/** `res.send` would respond with 304 to `If-None-Match: *`. */
export function sendText(res: Response, type: string, text: string): void {
  const length = String(Buffer.byteLength(text));
  res.set({ "Cache-Control": "no-store", "Content-Length": length }).type(type).end(text);
}

/** JSON of the admin API. */
export function sendJson(res: Response, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  sendText(res.status(status), "json", text);
}

/** Rejects a request that reaches no world, in the shape of the service or of the admin API. */
export function sendFailure(
  req: Request,
  res: Response,
  status: number,
  { code, message, details = [] }: { code: string; message: string; details?: readonly Problem[] },
  headers: Headers = {},
): void {
  const problems = details.map(({ path, message }) => ({ path, message }));
  const error = { code, message, ...(problems.length > 0 && { details: problems }) };
  const isAdmin = /^[^?]*\/__admin/.test(req.originalUrl);
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  sendJson(res, status, isAdmin ? { error } : { success: 0, error });
}
