import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { textNestsDeeper } from "../foundation/json.js";
import { oddNumbers } from "../foundation/json-numbers.js";
import { asError } from "../foundation/mock-error.js";
import type { Failure } from "../service/failures.js";

/** A body that has been parsed. */
export interface Body {
  readonly json: unknown;
  /** Causes in plain words, for the journal. */
  readonly notes?: readonly string[];
}

export interface BodyRules {
  /** In bytes, before and after inflating. */
  readonly limit: number;
  readonly maxDepth: number;
  /** Advice for a client whose body is over the limit. */
  readonly whenTooLarge: string;
}

/** What `express.raw` inflates on every version of Node. */
const encodings = ["gzip", "deflate", "br", "identity"];

/**
 * Why a body is rejected before it is read. `express.raw` checks the announced length too, but it reports an error only
 * when the whole body has arrived, and it does so with `process.nextTick`, which fake timers replace.
 */
export function refuseHead({ headers }: IncomingMessage, rules: BodyRules): Failure | undefined {
  const encoding = headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (!encodings.includes(encoding)) {
    const message = `Content-Encoding: ${encoding} is not supported. Send one of ${encodings.join(", ")}.`;
    return { code: "unsupported_media_type", message };
  }
  return Number(headers["content-length"] ?? 0) > rules.limit ? tooLarge(rules) : undefined;
}

/** Whether the head announces a body. A chunked one may still turn out to be empty. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

export function missingBody(method: string): Failure {
  const hint =
    method === "GET"
      ? " Many HTTP clients drop the body of a GET, or send it without Content-Length, as fetch and Node's" +
        " http.request do: use a client that sends it, and set Content-Length (node_modules/usergroup-mock/docs/troubleshooting.md names some)."
      : " Send a JSON body with Content-Length or chunked.";
  const note = `the ${method} body was missing`;
  return { code: "missing_body", message: `No body arrived with this ${method}.${hint}`, note };
}

/** Why a body with this Content-Type is rejected. */
export function refuseType(header: string | undefined, acceptsAnyType: () => boolean): Failure | undefined {
  if (header === "application/json") return undefined;
  const [type = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim().toLowerCase());
  if (type !== "application/json") {
    if (acceptsAnyType()) return undefined;
    const sent = header === undefined ? "There is no Content-Type." : `Content-Type: ${header} is not JSON.`;
    return { code: "unsupported_media_type", message: `${sent} Send Content-Type: application/json.` };
  }
  const charset = parameters.find((part) => part.startsWith("charset="))?.slice("charset=".length);
  if (charset === undefined || /^"?utf-?8"?$/.test(charset)) return undefined;
  return {
    code: "unsupported_media_type",
    message: `JSON travels in UTF-8, not in ${charset}. Send Content-Type: application/json.`,
  };
}

/** Why `express.raw` could not read a body: a failure, or "aborted" when the client went away in the middle. */
export function bodyFailure(error: unknown, { headers }: IncomingMessage, rules: BodyRules) {
  const { type, code } = Object(error) as { readonly type?: unknown; readonly code?: unknown };
  if (type === "entity.too.large") return tooLarge(rules);
  if (type === "request.aborted") return "aborted";
  // The errors of node:zlib.
  if (!/^(Z_|ERR_)/.test(String(code))) return undefined;
  const message = `The body is not what Content-Encoding: ${headers["content-encoding"]} says. Compress it so, or leave out the header.`;
  return { code: "invalid_json", message } satisfies Failure;
}

function tooLarge({ limit, whenTooLarge }: BodyRules): Failure {
  return { code: "payload_too_large", message: `The body is over ${limit} bytes. ${whenTooLarge}` };
}

/**
 * Bytes → text → JSON.
 * @param arrived called with the text, even if it turns out not to be JSON
 */
export function parseBody(
  bytes: Buffer,
  { maxDepth }: BodyRules,
  arrived?: (text: string) => void,
): Body | Failure {
  if (!isUtf8(bytes)) return { code: "invalid_json", message: "The body is not UTF-8. Send JSON in UTF-8." };
  const bytesBeforeJson = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const text = bytes.toString("utf8", bytesBeforeJson);
  arrived?.(text);
  try {
    const json: unknown = JSON.parse(text);
    if (textNestsDeeper(text, json, maxDepth)) {
      const message = `The body nests deeper than ${maxDepth} levels. Flatten it.`;
      return { code: "invalid_json", message };
    }
    return checkNumbers(text, json);
  } catch (error) {
    const { message } = asError(error);
    return { code: "invalid_json", message: `The body is not JSON: ${message}.` };
  }
}

function checkNumbers(text: string, json: unknown): Body | Failure {
  const { overflowing, inexact } = oddNumbers(text);
  if (overflowing === undefined)
    return inexact.length === 0 ? { json } : { json, notes: inexact.map(inexactNote) };
  const message = `The number ${overflowing.slice(0, 30)} is too large. Send it as text, or a smaller one.`;
  return { code: "invalid_json", message };
}

function inexactNote(number: string): string {
  return `the number ${number.slice(0, 60)} may have lost digits; it was read as ${Number(number)}`;
}
