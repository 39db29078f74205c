import { METHODS } from "node:http";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import {
  type BodyParts,
  type Encoding,
  type Framing,
  framings,
  type RequestParts,
  type SendStep,
} from "./steps.js";

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
  tokenOf = (id: string) => id,
): Buffer {
  const { method, target, version, headers, framing, encoding } = request;
  const body = encoders[encoding](renderBody(request.body, tokenOf));
  const [lines, sent] = frame(body, framing);
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

const encoders: Readonly<Record<Encoding, (body: Buffer) => Buffer>> = {
  identity: (body) => body,
  gzip: (body) => gzipSync(body, { level: 1 }),
  "cut-gzip": (body) => gzipSync(body, { level: 1 }).subarray(0, -5),
  deflate: (body) => deflateSync(body, { level: 1 }),
  br: (body) => brotliCompressSync(body, quickBrotli),
  // Not supported, so the bytes do not matter.
  zstd: (body) => body,
};

/** The header lines that announce a body, and the bytes that are sent. */
function frame(body: Buffer, framing: Framing): [lines: string[], sent: Buffer] {
  const { length } = body;
  const half = Math.ceil(length / 2);
  const halves = [body.subarray(0, half), body.subarray(half)].filter((part) => part.length > 0);
  const chunks = (extension = "", end = "0\r\n\r\n") =>
    join(...halves.flatMap((part) => [`${part.length.toString(16)}${extension}\r\n`, part, "\r\n"]), end);
  const chunked = "Transfer-Encoding: chunked";
  const sized = (value: number | string) => `Content-Length: ${value}`;
  const framed: Record<Framing, () => [lines: string[], sent: Buffer]> = {
    length: () => [length === 0 ? [] : [sized(length)], body],
    chunked: () => [[chunked], chunks()],
    trailer: () => [[chunked], chunks(";a=b", "0\r\nX-Trailer: a\r\n\r\n")],
    none: () => [[], body],
    more: () => [[sized(length + 10)], body],
    less: () => [[sized(Math.max(0, length - 3))], body],
    both: () => [[chunked, sized(length)], chunks()],
    twice: () => [[sized(length), sized(1)], body],
    signed: () => [[sized(`+${length}`)], body],
    "bad-chunk": () => [[chunked], join("ZZ\r\n", body, "\r\n0\r\n\r\n")],
    "long-extension": () => [[chunked], chunks(`;${"x".repeat(20_000)}`)],
    "unknown-coding": () => [["Transfer-Encoding: xchunked"], body],
  };
  return framed[framing]();
}

function join(...parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}
