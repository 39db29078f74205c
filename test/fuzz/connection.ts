import { connect, type Socket } from "node:net";
import { gunzipSync } from "node:zlib";
import { turns } from "../server/raw-socket.js";
import { soon } from "./patience.js";

/** A response, joined from its chunks. */
export interface Received {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Whether the whole body arrived. */
  readonly isWhole: boolean;
}

/** A connection that writes raw bytes and keeps all received bytes. */
export class Connection {
  /** Resolves once the server has closed or reset the connection. */
  readonly ended: Promise<void>;
  isOver = false;
  readonly #socket: Socket;
  readonly #received: Buffer[] = [];
  #waiting: { readonly text: string; readonly resolve: () => void } | undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    // Half open: the server has to close the connection by itself.
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true });
    this.#socket.on("data", (bytes: Buffer) => {
      this.#received.push(bytes);
      if (this.#waiting !== undefined && this.received.includes(this.#waiting.text)) this.#waiting.resolve();
    });
    this.ended = new Promise((resolve) => {
      const over = () => {
        this.isOver = true;
        this.#socket.destroy();
        resolve();
      };
      this.#socket.once("end", over).once("error", over).once("close", over);
    });
  }

  /** All bytes so far, as Latin-1. */
  get received(): string {
    return Buffer.concat(this.#received).toString("latin1");
  }

  /** Writes in several pieces, which the server probably reads one by one. */
  async write(bytes: Buffer | string, pieces = 1): Promise<void> {
    const all = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    const size = Math.max(1, Math.ceil(all.length / pieces));
    for (let at = 0; at < all.length; at += size) {
      if (at > 0) await turns(3);
      if (this.#socket.writable) this.#socket.write(all.subarray(at, at + size));
    }
  }

  /** Resolves once the text has arrived, or the connection has ended. */
  async receives(text: string): Promise<boolean> {
    const arrived = new Promise<void>((resolve) => {
      this.#waiting = { text, resolve };
    });
    if (!this.received.includes(text)) await Promise.race([arrived, this.ended]);
    this.#waiting = undefined;
    return this.received.includes(text);
  }

  endOwnSide(): void {
    this.#socket.end();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /**
   * Closes the connection once all bytes have been sent. The server may not read all of it: a request
   * behind an event stream waits for the end of the stream.
   */
  async abort(): Promise<void> {
    const written = new Promise((resolve) => this.#socket.write("", resolve));
    await soon(Promise.race([written, this.ended]));
    this.close();
  }

  close(): void {
    this.#socket.destroy();
  }

  /** @param methods of the requests, because the response to a HEAD has no body */
  responses(methods: readonly string[]): Received[] {
    return parseAnswers(Buffer.concat(this.#received), methods);
  }
}

/** The received responses, without 100 Continue. Bytes that are not HTTP are left out. */
function parseAnswers(bytes: Buffer, methods: readonly string[]): Received[] {
  const responses: Received[] = [];
  let at = 0;
  while (at < bytes.length) {
    const headEnd = bytes.indexOf("\r\n\r\n", at);
    const [line = "", ...lines] = bytes.toString("latin1", at, Math.max(at, headEnd)).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
    if (Number.isNaN(status)) break;
    at = headEnd + 4;
    if (status === 100) continue;
    const headers = new Map(lines.map(headerOf));
    const isEmpty = status === 204 || status === 304 || methods[responses.length] === "HEAD";
    const body = isEmpty ? { ...nothing, end: at } : bodyAt(bytes, at, headers);
    at = body.end;
    responses.push({ status, headers, body: textOf(body, headers), isWhole: body.isWhole });
  }
  return responses;
}

function headerOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

interface Body {
  readonly bytes: Buffer;
  /** The position after the body. */
  readonly end: number;
  readonly isWhole: boolean;
}

/** The text of the body. If it cannot be decompressed, parsing its JSON fails later. */
function textOf({ bytes, isWhole }: Body, headers: ReadonlyMap<string, string>): string {
  if (!isWhole || headers.get("content-encoding") !== "gzip") return bytes.toString();
  try {
    return gunzipSync(bytes).toString();
  } catch {
    return bytes.toString();
  }
}

const nothing: Body = { bytes: Buffer.alloc(0), end: 0, isWhole: true };

function bodyAt(bytes: Buffer, at: number, headers: ReadonlyMap<string, string>): Body {
  if (headers.get("transfer-encoding") !== "chunked") {
    const length = Number(headers.get("content-length") ?? bytes.length - at);
    const end = Math.min(at + length, bytes.length);
    return { bytes: bytes.subarray(at, end), end, isWhole: at + length <= bytes.length };
  }
  const parts: Buffer[] = [];
  for (let next = at; ; ) {
    const lineEnd = bytes.indexOf("\r\n", next);
    const size = Number.parseInt(bytes.toString("latin1", next, lineEnd), 16);
    const end = lineEnd + 2 + size;
    if (lineEnd < 0 || !(end + 2 <= bytes.length))
      return { bytes: Buffer.concat(parts), end: bytes.length, isWhole: false };
    if (size === 0) return { bytes: Buffer.concat(parts), end: end + 2, isWhole: true };
    parts.push(bytes.subarray(lineEnd + 2, end));
    next = end + 2;
  }
}
