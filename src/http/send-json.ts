import type { IncomingMessage, ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { type FailureCode, failures } from "../contract/failures.js";
import { nextTurn } from "../foundation/clock.js";
import { isObject } from "../foundation/json.js";
import type { AdminFailure, Problem } from "../generated/types.js";
import type { ServerRequest } from "./server-request.js";

export type Headers = Record<string, string | number | string[]>;

const jsonHeaders = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };

export function sendJson(res: ServerResponse, status: number, body: unknown, headers: Headers = {}): void {
  const text = JSON.stringify(body);
  res.writeHead(status, { ...jsonHeaders, "Content-Length": Buffer.byteLength(text), ...headers });
  res.end(text);
}

/** How much of a long answer is written at once, in characters. */
const pieceLength = 64_000;

/**
 * Writes JSON of any length. A short one goes out at once. A long one goes out in pieces, so that it may be longer
 * than the longest string of V8, other calls go in between, and a caller that does not read fills no memory.
 */
export async function sendLongJson(res: ServerResponse, body: object): Promise<void> {
  let out: Writable | undefined;
  let text = "";
  for (const piece of jsonPieces(body)) {
    text += piece;
    if (text.length < pieceLength) continue;
    out ??= await beginLong(res);
    await written(out, text);
    if (res.destroyed) return;
    text = "";
  }
  if (out === undefined) {
    res.writeHead(200, { ...jsonHeaders, "Content-Length": Buffer.byteLength(text) });
  }
  (out ?? res).end(text);
}

/** A long answer goes out packed to callers that can unpack it, browsers above all. */
async function beginLong(res: ServerResponse): Promise<Writable> {
  if (!acceptsGzip(res.req)) {
    res.writeHead(200, jsonHeaders);
    return res;
  }
  const { constants, createGzip } = await import("node:zlib");
  res.writeHead(200, { ...jsonHeaders, "Content-Encoding": "gzip" });
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  res.on("close", () => gzip.destroy());
  // The caller may have left while zlib was loaded.
  if (res.destroyed) gzip.destroy();
  gzip.pipe(res);
  return gzip;
}

export function acceptsGzip({ headers }: IncomingMessage): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/i.test(String(headers["accept-encoding"] ?? ""));
}

async function written(out: Writable, text: string): Promise<void> {
  if (out.write(text)) return nextTurn();
  await new Promise<void>((resolve) => {
    const go = () => {
      out.off("drain", go).off("close", go);
      resolve();
    };
    out.on("drain", go).on("close", go);
  });
}

/** The JSON of an object, item by item of its arrays. */
function* jsonPieces(value: unknown, levels = 2): Generator<string> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      yield `${index === 0 ? "[" : ","}${JSON.stringify(item) ?? "null"}`;
    yield value.length === 0 ? "[]" : "]";
  } else if (isObject(value) && levels > 0) {
    let before = "{";
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue;
      yield `${before}${JSON.stringify(key)}:`;
      yield* jsonPieces(item, levels - 1);
      before = ",";
    }
    yield before === "{" ? "{}" : "}";
  } else {
    yield JSON.stringify(value);
  }
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

/** The caller learns only that there is a defect. In the middle of an answer it must not take that for whole. */
export function answerDefect(defect: unknown, res: ServerResponse, report: (defect: unknown) => void): void {
  report(defect);
  const message = "A defect of the mock; its log has the cause.";
  if (res.headersSent) res.destroy();
  else sendAdminFailure(res, 500, { code: "internal", message });
}

/** Refuses a call that reaches no world, in the shape of the service or of the admin API. */
export function sendRefusal(
  req: ServerRequest,
  res: ServerResponse,
  { code, message }: { readonly code: FailureCode; readonly message: string },
  headers: Headers = {},
): void {
  const error = { code, message };
  const { status } = failures[code];
  sendJson(res, status, /^[^?]*\/__admin/.test(req.url) ? { error } : { success: 0, error }, headers);
}
