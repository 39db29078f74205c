import { isUtf8 } from "node:buffer";
import type { raw as expressRaw, Request, RequestHandler } from "express";
import { fieldOf, parseBody, parseJson } from "../../foundation/json.js";
import type { Operation } from "../../generated/types.js";
import { MockError } from "../contract/mock-error.js";
import { maxDepth, operationIds, operations } from "../contract/operations.js";
import type { Decisions } from "../service/decisions.js";
import { type Rejection, rejectIn } from "../service/result.js";

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

/** A field that names a group, in a query string. */
const namingField = new RegExp(`[?&](${operationIds.map((id) => operations[id].namedBy).join("|")})=`);

/** The field of a query string that names a group. */
function namingFieldIn(url: string): string | undefined {
  return namingField.exec(url)?.[1];
}

/** What to do if no body has arrived. */
export function missingBodyMessage({ method, originalUrl }: Pick<Request, "method" | "originalUrl">): string {
  const inQuery = namingFieldIn(originalUrl);
  const query = inQuery === undefined ? "" : ` The query string is ignored: send ${inQuery} in a JSON body.`;
  const hint =
    method === "GET"
      ? " Many HTTP clients drop the body of a GET, or send it without Content-Length, as Node's http.request does by" +
        " default. Use a client that sends the body, and set Content-Length. See node_modules/usergroup-mock/docs/troubleshooting.md."
      : " Send a JSON body with Content-Length or chunked.";
  return `No body arrived with this ${method}.${query}${hint}`;
}

/** Why a Content-Type is not that of JSON in UTF-8, with what to do. */
function typeProblem(header: string | undefined): string | undefined {
  if (header === "application/json") return undefined;
  const [type = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((part) => part.startsWith("charset="))?.slice("charset=".length) ?? "utf-8";
  const isJson = type === "application/json";
  if (isJson && /^"?utf-?8"?$/.test(charset)) return undefined;
  const sent = header === undefined ? "There is no Content-Type." : `Content-Type: ${header} is not JSON.`;
  const problem = isJson ? `The charset ${charset} is not supported. JSON must be UTF-8.` : sent;
  return `${problem} Send Content-Type: application/json.`;
}

const notUtf8 = "The body is not UTF-8. Send JSON in UTF-8.";

/** Undefined: it is not UTF-8. A byte order mark is not part of the text. */
export function decodeBody(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString("utf8", hasMark ? 3 : 0);
}

/** The JSON of a body of the admin API. */
export function readAdminBody(bytes: Buffer, type: string | undefined, maxDepth: number): unknown {
  const problem = typeProblem(type);
  if (problem !== undefined) throw new MockError("unsupported_media_type", problem);
  const text = decodeBody(bytes);
  const parsed = text === undefined ? { problem: notUtf8 } : parseBody(text, maxDepth);
  if ("json" in parsed) return parsed.json;
  throw new MockError("invalid_json", parsed.problem);
}

type BodyRequest = Pick<Request, "method" | "originalUrl" | "headers">;

/** What has arrived. */
interface Arrived {
  readonly hasBody: boolean;
  /** Undefined: it is not UTF-8. */
  readonly text: string | undefined;
}

/** The JSON of a body as the service reads it, or why it is rejected before its fields are looked at. */
export function readServiceBody(
  operation: Operation,
  { hasBody, text }: Arrived,
  req: BodyRequest,
  decisions: Decisions,
): { readonly json: unknown } | Rejection {
  if (!hasBody) return readWithoutBody(operation, req, decisions);
  const { method } = operations[operation];
  const encoding = req.headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity" && decisions.outcome("gzip") === "rejected")
    return rejectIn("gzip", `Content-Encoding: ${encoding} is not supported. Send the body as it is.`);
  const wrongType = typeProblem(req.headers["content-type"]);
  if (wrongType !== undefined) {
    const situation = typeSituation(operation, req.headers["content-type"], text);
    if (decisions.outcome(situation) === "rejected") return rejectIn(situation, wrongType);
    if (text !== undefined && situation.endsWith("form")) return { json: formFields(text) };
  }
  if (text === undefined) return rejectIn(`${method}: broken JSON`, notUtf8);
  const parsed = parseBody(text, maxDepth);
  if ("json" in parsed) return { json: parsed.json };
  const beginning = method === "GET" ? jsonAtBeginning(text) : undefined;
  if (beginning === undefined) return rejectIn(`${method}: broken JSON`, parsed.problem);
  if (decisions.outcome("GET: text after the JSON") === "accepted") return { json: beginning };
  return rejectIn("GET: text after the JSON", parsed.problem);
}

function readWithoutBody(
  operation: Operation,
  req: BodyRequest,
  decisions: Decisions,
): { readonly json: unknown } | Rejection {
  const { method } = operations[operation];
  const hasFields = method === "GET" && namingFieldIn(req.originalUrl) !== undefined;
  const situation = hasFields ? "fields in the query" : (`${method}: no body` as const);
  if (decisions.outcome(situation) === "rejected") return rejectIn(situation, missingBodyMessage(req));
  const [, query = ""] = req.originalUrl.split(/\?(.*)/s);
  return { json: hasFields ? formFields(query) : {} };
}

function typeSituation(operation: Operation, header: string | undefined, text: string | undefined) {
  const { method } = operations[operation];
  if (header === undefined) return `${method}: no Content-Type` as const;
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(header.trim());
  // curl sends JSON with the type of a form, if it is not told otherwise.
  const isJson = text !== undefined && parseJson(text) !== undefined;
  return isForm && !isJson ? (`${method}: form` as const) : (`${method}: other Content-Type` as const);
}

function formFields(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** The object at the beginning of a text, if more text follows it. */
function jsonAtBeginning(text: string): unknown {
  let depth = 0;
  for (const { 0: part, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (part === "{") depth++;
    if (part !== "}" || --depth > 0) continue;
    const parsed = parseBody(text.slice(0, index + 1), maxDepth);
    return "json" in parsed ? parsed.json : undefined;
  }
  return undefined;
}
