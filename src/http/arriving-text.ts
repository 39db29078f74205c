import type { IncomingMessage } from "node:http";
import { clearTimeout, setTimeout } from "../foundation/clock.js";
import { announcesBody } from "./body.js";

/** How long a body is waited for that nobody needs. */
const patienceMs = 1_000;

/**
 * Reads what arrives of a body within a second and the limit, as text. Undefined where there is none, or where it is
 * compressed.
 * @returns a function that ends it
 */
export function arrivingText(
  req: IncomingMessage,
  limit: number,
  done: (text: string | undefined) => void,
): () => void {
  if (!announcesBody(req) || req.headers["content-encoding"] !== undefined) {
    done(undefined);
    return () => {};
  }
  const chunks: Buffer[] = [];
  let length = 0;
  let isDone = false;
  const end = () => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    done(length === 0 ? undefined : Buffer.concat(chunks).subarray(0, limit).toString());
  };
  const timer = setTimeout(end, patienceMs);
  req.on("data", (chunk: Buffer) => {
    if (isDone) return;
    chunks.push(chunk);
    length += chunk.length;
    if (length >= limit) end();
  });
  req.on("end", end);
  req.on("close", end);
  return end;
}
