import { connect } from "node:net";

/** A server that closes a connection does so much sooner. */
const silenceMs = 300;

/** One response as it was on the wire. */
export interface RawResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawOptions {
  /** Closes our side once everything is written, as a client does that aborts. */
  readonly fin?: boolean;
  /** Turns of the event loop between two parts, so that the server reads them separately. */
  readonly turnsBetween?: number;
  /** Reads nothing before everything is written, as blocking clients do. */
  readonly readLast?: boolean;
  /** The server should keep the connection open: disconnects when it has been silent for a while. */
  readonly keptOpen?: boolean;
}

/**
 * Writes bytes as they are, and returns every response until the server closes the connection. Rejects when the server
 * resets it. If the server never closes it, the test times out.
 */
export async function exchange(
  url: string,
  parts: readonly (string | Buffer)[],
  options: RawOptions = {},
): Promise<readonly RawResponse[]> {
  const { hostname, port } = new URL(url);
  // Half open: the server has to end the connection by itself.
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true });
  const received: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    let silence: NodeJS.Timeout | undefined;
    socket.on("data", (bytes: Buffer) => {
      received.push(bytes);
      if (options.keptOpen) silence ??= setTimeout(resolve, silenceMs);
      silence?.refresh();
    });
    socket.once("end", () => (options.keptOpen ? reject(new Error("the server closed it")) : resolve()));
    socket.once("error", reject);
  });
  if (options.readLast) socket.pause();
  socket.once("connect", () => void writeAll());
  try {
    await ended;
  } finally {
    socket.destroy();
  }
  return parseResponses(Buffer.concat(received));

  async function writeAll(): Promise<void> {
    for (const [index, part] of parts.entries()) {
      if (index > 0) await turns(options.turnsBetween ?? 0);
      if (socket.writable) socket.write(part);
    }
    if (options.readLast) socket.write("", () => socket.resume());
    if (options.fin) socket.end();
  }
}

/** Waits for this many turns of the event loop. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function parseResponses(bytes: Buffer): RawResponse[] {
  const responses: RawResponse[] = [];
  let at = 0;
  while (at < bytes.length) {
    const headEnd = bytes.indexOf("\r\n\r\n", at);
    if (headEnd < 0) throw new Error(`not an HTTP response: ${bytes.toString("latin1", at)}`);
    const [statusLine = "", ...lines] = bytes.toString("latin1", at, headEnd).split("\r\n");
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine) ?? [];
    if (status === undefined) throw new Error(`not an HTTP status line: ${statusLine}`);
    const headers: Record<string, string> = {};
    for (const [name, value] of lines.map(headerOf)) {
      headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
    }
    const bodyAt = headEnd + 4;
    // Only responses that Node itself writes are chunked, and they are empty.
    const length =
      headers["transfer-encoding"] === "chunked" ? "0\r\n\r\n".length : headers["content-length"];
    at = Math.min(bodyAt + Number(length ?? 0), bytes.length);
    responses.push({ status: Number(status), headers, body: bytes.toString("utf8", bodyAt, at) });
  }
  return responses;
}

function headerOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
