import { isUtf8 } from "node:buffer";
import type { raw as expressRaw, Request, RequestHandler } from "express";
import { fieldOf, parseBody } from "../../foundation/json.js";
import { MockError } from "../contract/mock-error.js";
import type { Decisions } from "../service/decisions.js";

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
      throw new MockError("unsupported_media_type", message);
    }
    if (announced > limit) throw tooLarge();
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
    // Emitted for every request. A complete body may still have to be inflated.
    req.on("close", () => req.complete || end(Object.assign(new Error("aborted"), { type: abortedType })));
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

export function missingBody({ method, originalUrl }: Pick<Request, "method" | "originalUrl">): MockError {
  const inQuery = /[?&](user_group_id|current_token)=/.exec(originalUrl)?.[1];
  const query = inQuery === undefined ? "" : ` The query string is ignored: send ${inQuery} in a JSON body.`;
  const hint =
    method === "GET"
      ? " Many HTTP clients drop the body of a GET, or send it without Content-Length, as Node's http.request does by" +
        " default. Use a client that sends the body, and set Content-Length. See node_modules/usergroup-mock/docs/troubleshooting.md."
      : " Send a JSON body with Content-Length or chunked.";
  return new MockError("missing_body", `No body arrived with this ${method}.${query}${hint}`);
}

export function assertJsonType(header: string | undefined, decisions?: Decisions): void {
  if (header === "application/json") return;
  const [type = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((part) => part.startsWith("charset="))?.slice("charset=".length) ?? "utf-8";
  const isJson = type === "application/json";
  if (isJson ? /^"?utf-?8"?$/.test(charset) : decisions?.decide("content-type") === "accepted") return;
  const sent = header === undefined ? "There is no Content-Type." : `Content-Type: ${header} is not JSON.`;
  const problem = isJson ? `The charset ${charset} is not supported. JSON must be UTF-8.` : sent;
  throw new MockError("unsupported_media_type", `${problem} Send Content-Type: application/json.`);
}

/** A byte order mark is not part of the text. */
export function decodeBody(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new MockError("invalid_json", "The body is not UTF-8. Send JSON in UTF-8.");
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString("utf8", hasMark ? 3 : 0);
}

export function readJsonBody(text: string, maxDepth: number): unknown {
  const parsed = parseBody(text, maxDepth);
  if ("json" in parsed) return parsed.json;
  throw new MockError("invalid_json", parsed.problem);
}
