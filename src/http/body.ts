import type { IncomingMessage } from "node:http";
import { thrown } from "../foundation/mock-error.js";
import type { Failure } from "../service/failures.js";
import { decoders, inflate } from "./inflate.js";
import { parseBody, parseLargeBody } from "./parse-body.js";

/** A body that has been read. */
export interface Body {
  readonly json: unknown;
  /** Causes in plain words, for the journal. */
  readonly notes?: readonly string[];
}

export interface BodyRules {
  /** In bytes, before and after inflating. */
  readonly limit: number;
  readonly maxDepth: number;
  /** Advice for a caller whose body is over the limit. */
  readonly whenTooLarge: string;
  /** Called when the Content-Type is not application/json: should the body be read anyway? */
  readonly acceptAnyType: () => boolean;
  /** Called with the text of the body, even if it turns out not to be JSON. */
  readonly arrived?: (text: string) => void;
}

/**
 * Bytes → text → JSON, or a failure. Undefined when the caller went away in the middle. It takes a callback because a
 * promise cost 5 % of a call.
 */
export function readBody(
  req: IncomingMessage,
  rules: BodyRules,
  done: (body: Body | Failure | undefined) => void,
): void {
  const refused = refuseHead(req, rules);
  if (refused !== undefined) {
    done(refused);
    return;
  }
  collectBytes(req, rules, (bytes) => {
    const encoding = encodingOf(req);
    if (!Buffer.isBuffer(bytes)) done(bytes);
    else if (encoding === identity && bytes.length <= largeBytes) done(parseBody(bytes, rules));
    else void readLarge(bytes, encoding, rules).catch(defective).then(done);
  });
}

/** A packed or large body, in several turns. */
async function readLarge(bytes: Buffer, encoding: string, rules: BodyRules): Promise<Body | Failure> {
  const inflated = encoding === identity ? bytes : await inflate(bytes, encoding, rules.limit);
  if (inflated === undefined) return tooLarge(rules);
  return Buffer.isBuffer(inflated) ? parseLargeBody(inflated, rules) : inflated;
}

/** Smaller bodies are parsed within a few milliseconds. */
const largeBytes = 500_000;

/** What is wrong already in the head. */
function refuseHead(req: IncomingMessage, rules: BodyRules): Failure | undefined {
  const { headers, method } = req;
  const announced = Number(headers["content-length"] ?? 0);
  if (headers["transfer-encoding"] === undefined && announced === 0) return missingBody(method);
  const refused = refuseType(headers["content-type"], rules);
  if (refused !== undefined) return refused;
  const encoding = encodingOf(req);
  if (encoding !== identity && !decoders.has(encoding)) {
    const known = [...decoders.keys(), identity].join(", ");
    return {
      code: "unsupported_media_type",
      message: `Content-Encoding: ${encoding} is not understood. Send one of ${known}.`,
    };
  }
  return announced > rules.limit ? tooLarge(rules) : undefined;
}

const identity = "identity";

function encodingOf({ headers }: IncomingMessage): string {
  return headers["content-encoding"]?.toLowerCase() ?? identity;
}

/** A defect of the mock: the caller gets an answer all the same. */
function defective(defect: unknown): Failure {
  const message = "usergroup-mock failed to read this body, which is a defect of the mock. Please report it.";
  return { code: "internal", message, note: `the body could not be read: ${thrown(defect).message}` };
}

function missingBody(method: string | undefined): Failure {
  const hint =
    method === "GET"
      ? " Many HTTP clients drop the body of a GET, or send it without Content-Length, as fetch and Node's" +
        " http.request do: use a client that sends it, and set Content-Length (docs/troubleshooting.md names some)."
      : " Send a JSON body with Content-Length or chunked.";
  const note = `the ${method} body was missing`;
  return { code: "missing_body", message: `No body arrived with this ${method}.${hint}`, note };
}

/** Why a body of that type is refused. */
export function refuseType(header: string | undefined, rules: BodyRules): Failure | undefined {
  if (header === "application/json") return undefined;
  const [type = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim().toLowerCase());
  if (type !== "application/json") {
    if (rules.acceptAnyType()) return undefined;
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

function tooLarge({ limit, whenTooLarge }: BodyRules): Failure {
  return {
    code: "payload_too_large",
    message: `The body is over ${limit} bytes. ${whenTooLarge}`,
  };
}

function collectBytes(
  req: IncomingMessage,
  rules: BodyRules,
  done: (bytes: Buffer | Failure | undefined) => void,
): void {
  const { limit } = rules;
  let finish = done;
  const chunks: Buffer[] = [];
  let length = 0;
  req.on("data", (chunk: Buffer) => {
    if (length > limit) return;
    length += chunk.length;
    if (length <= limit) chunks.push(chunk);
    else finish(tooLarge(rules));
  });
  req.on("end", () => {
    if (length === 0) finish(missingBody(req.method));
    else if (length <= limit) finish(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  });
  // "close" comes at the end of every request, also of one that broke off. Node emits no "error" on a request without
  // a listener for it.
  req.on("close", () => {
    if (!req.complete && length <= limit) finish(undefined);
    // listen.ts keeps the last call of an idle connection: free its body and all that hangs on it.
    chunks.length = 0;
    finish = () => {};
  });
}
