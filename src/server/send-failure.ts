import type { Request, Response } from "express";
import type { Problem } from "../generated/types.js";
import { endResponse } from "./end-response.js";

export type Headers = Record<string, string | number | string[]>;

/** Rejects a request that reaches no world, in the shape of the service or of the admin API. */
export function sendFailure(
  req: Request,
  res: Response,
  status: number,
  { code, message, details = [] }: { code: string; message: string; details?: readonly Problem[] },
): void {
  // A problem of a fixture also names its file, which a client does not have.
  const problems = details.map(({ path, message }) => ({ path, message }));
  const error = { code, message, ...(problems.length > 0 && { details: problems }) };
  const isAdmin = /^[^?]*\/__admin/.test(req.originalUrl);
  const text = JSON.stringify(isAdmin ? { error } : { success: 0, error });
  res
    .status(status)
    .type("json")
    .set({ "Cache-Control": "no-store", "Content-Length": String(Buffer.byteLength(text)) });
  endResponse(res, text);
}
