import type { raw as expressRaw, RequestHandler } from "express";
import { fieldOf } from "../../foundation/json.js";
import { MockError } from "../contract/mock-error.js";

/** What `express.raw` inflates on every version of Node. */
const encodings = ["gzip", "deflate", "br", "identity"];

/**
 * Reads a body into `req.body`, as bytes.
 * @param limit in bytes, before and after inflating
 * @param whenTooLarge advice for a client whose body is over the limit
 *
 * `express.raw` reads compressed bodies only. For plain ones it adds 8 % to the processor time of a request, and it
 * reports an error only when the whole body has arrived, with `process.nextTick`, which fake timers replace.
 */
export function readBody(raw: typeof expressRaw, limit: number, whenTooLarge: string): RequestHandler {
  const inflate = raw({ type: () => true, limit });
  const tooLarge = () =>
    new MockError("payload_too_large", `The body is over ${limit} bytes. ${whenTooLarge}`);
  /** @param error of `express.raw`, or of node:zlib */
  const explainInflating = (error: unknown, encoding: string): unknown => {
    if (fieldOf(error, "type") === "entity.too.large") return tooLarge();
    if (!/^(Z_|ERR_)/.test(String(fieldOf(error, "code")))) return error;
    const message = `The body is not valid ${encoding}. Compress it with ${encoding}, or leave out Content-Encoding.`;
    return new MockError("invalid_json", message);
  };
  return (req, res, next) => {
    const { "content-length": size = 0, "content-encoding": encoding } = req.headers;
    const announced = Number(size);
    if (encoding !== undefined && !encodings.includes(encoding.toLowerCase())) {
      const message = `Content-Encoding: ${encoding} is not supported. Send one of ${encodings.join(", ")}.`;
      return next(new MockError("unsupported_media_type", message));
    }
    if (announced > limit) return next(tooLarge());
    if (req.headers["transfer-encoding"] === undefined && announced === 0) return next();
    const chunks: Buffer[] = [];
    let length = 0;
    let isDone = false;
    const end = (error?: unknown) => {
      if (isDone) return;
      isDone = true;
      if (chunks.length > 0) req.body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
      next(error);
    };
    // Emitted for every request. A body that was read may still have to be inflated. One that has arrived and was not read
    // yet is lost.
    req.on("close", () => {
      if (!req.readableEnded) end(Object.assign(new Error("aborted"), { type: abortedType }));
    });
    if (encoding !== undefined) return inflate(req, res, (error) => end(explainInflating(error, encoding)));
    req.on("data", (chunk: Buffer) => {
      if (isDone) return;
      chunks.push(chunk);
      length += chunk.length;
      if (length > limit) end(tooLarge());
    });
    req.on("end", end);
  };
}

/** The type of the error that `express.raw` reports when the client disconnects before its body has arrived. */
export const abortedType = "request.aborted";
