import { STATUS_CODES } from "node:http";
import { MockError } from "../contract/mock-error.js";

/** Emitted by a request whose body is broken or too slow, with an `InvalidHttp`. The code that reads it responds. */
export const brokenBody = "brokenBody";

const parserErrors: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The headers are over 16 kB. Send fewer or shorter ones."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The chunk extensions are over 16 kB. Leave them out."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive completely in time. Send it without pauses."],
};

/** A request that is not valid HTTP, or that arrives too slowly. */
export class InvalidHttp extends MockError {
  readonly status: number;
  /** The client closed its side of the connection in the middle of its request. */
  readonly isHalfClosed: boolean;

  /** @param error of Node's HTTP parser */
  constructor({ code = "", message }: NodeJS.ErrnoException) {
    const [status, text] = parserErrors[code] ?? [400, `Invalid HTTP: ${message}.`];
    super("invalid_http", text);
    this.status = status;
    this.isHalfClosed = code === "HPE_INVALID_EOF_STATE";
  }

  /** The response as text, for a connection without a `ServerResponse`. */
  toResponse(): string {
    const body = JSON.stringify({ error: { code: this.code, message: this.summary } });
    const head = [
      `HTTP/1.1 ${this.status} ${STATUS_CODES[this.status]}`,
      "Connection: close",
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    return `${head.join("\r\n")}\r\n\r\n${body}`;
  }
}
