import { METHODS } from "node:http";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { type BodyParts, type Encoding, framings, type RequestParts, type SendStep } from "./steps.js";

/** The header by which a journal entry is matched with its request. */
export const tagHeader = "x-fuzz-tag";

/**
 * The bytes of a request.
 * @param tokenOf the latest token of a group
 */
export function renderRequest(
  request: RequestParts,
  world: string,
  tag: string,
  isLast: boolean,
  tokenOf: (id: string) => string,
): Buffer {
  const { method, target, version, headers, framing, encoding } = request;
  const body = encode(renderBody(request.body, tokenOf), encoding);
  const { lines, sent } = frame(body, framing);
  const own = new Set(headers.map(([name]) => name));
  const head = [
    `${method} ${worldPath(world, target)} ${version}`,
    "Host: localhost",
    ...(own.has("Authorization") ? [] : ["Authorization: Token test-api-token"]),
    ...(own.has("Content-Type") || body.length === 0 ? [] : ["Content-Type: application/json"]),
    ...(encoding === "identity" ? [] : [`Content-Encoding: ${encoding.replace("cut-", "")}`]),
    `${tagHeader}: ${tag}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...lines,
    ...(isLast ? ["Connection: close"] : []),
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), sent]);
}

export function worldPath(world: string, target: string): string {
  return world === "default" || !target.startsWith("/") ? target : `/worlds/${world}${target}`;
}

/** Whether all requests are whole, unambiguous HTTP/1.1 requests, to which the server has to respond. */
export function isWhole({ requests, overwrite, caller }: SendStep): boolean {
  const isPlain = ({ method, version, headers, framing }: RequestParts) =>
    version === "HTTP/1.1" &&
    method !== "CONNECT" &&
    METHODS.includes(method) &&
    framings.right.some((right) => right === framing) &&
    (requests.length === 1 || headers.every(([name]) => name !== "Upgrade"));
  return overwrite.length === 0 && (caller === "reads" || caller === "stalls") && requests.every(isPlain);
}

function renderBody(body: BodyParts, tokenOf: (id: string) => string): Buffer {
  if ("unit" in body) return Buffer.from(`${body.before}${body.unit.repeat(body.times)}${body.after}`);
  const text = body.text.replace(/@token:([^@]*)@/g, (_, id) => tokenOf(id));
  return Buffer.from(text, body.charset ?? "utf8");
}

/** Fast, because the size does not matter. */
const quickBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

function encode(body: Buffer, encoding: Encoding): Buffer {
  switch (encoding) {
    case "gzip":
      return gzipSync(body, { level: 1 });
    case "cut-gzip":
      return gzipSync(body, { level: 1 }).subarray(0, -5);
    case "deflate":
      return deflateSync(body, { level: 1 });
    case "br":
      return brotliCompressSync(body, quickBrotli);
    default:
      return body;
  }
}

interface Framed {
  readonly lines: readonly string[];
  readonly sent: Buffer;
}

function frame(body: Buffer, framing: RequestParts["framing"]): Framed {
  const { length } = body;
  const chunked = ["Transfer-Encoding: chunked"];
  const half = Math.ceil(length / 2);
  const halves = [body.subarray(0, half), body.subarray(half)].filter((part) => part.length > 0);
  const chunks = (extension = "") =>
    halves.flatMap((part) => [`${part.length.toString(16)}${extension}\r\n`, part, "\r\n"]);
  switch (framing) {
    case "length":
      return { lines: length === 0 ? [] : [`Content-Length: ${length}`], sent: body };
    case "chunked":
      return { lines: chunked, sent: join(...chunks(), "0\r\n\r\n") };
    case "trailer":
      return { lines: chunked, sent: join(...chunks(";a=b"), "0\r\nX-Trailer: a\r\n\r\n") };
    case "none":
      return { lines: [], sent: body };
    case "more":
      return { lines: [`Content-Length: ${length + 10}`], sent: body };
    case "less":
      return { lines: [`Content-Length: ${Math.max(0, length - 3)}`], sent: body };
    case "both":
      return { lines: [...chunked, `Content-Length: ${length}`], sent: join(...chunks(), "0\r\n\r\n") };
    case "twice":
      return { lines: [`Content-Length: ${length}`, "Content-Length: 1"], sent: body };
    case "signed":
      return { lines: [`Content-Length: +${length}`], sent: body };
    case "bad-chunk":
      return { lines: chunked, sent: join("ZZ\r\n", body, "\r\n0\r\n\r\n") };
    case "long-extension":
      return { lines: chunked, sent: join(...chunks(`;${"x".repeat(20_000)}`), "0\r\n\r\n") };
    case "unknown-coding":
      return { lines: ["Transfer-Encoding: xchunked"], sent: body };
  }
}

function join(...parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}
