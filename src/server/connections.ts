import type { RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "../foundation/clock.js";
import type { Delivered, SentResponse } from "../world/sent-response.js";

/** A request that is still in flight after this is cut off when the server stops. */
const stopAfterMs = 900;

/** How long a connection is read after its last response, so that the response arrives. */
const lingerMs = 2_000;

/** What the client got for a request that broke HTTP, or was too slow, after its head had been accepted. */
interface SentRejection {
  readonly response: SentResponse;
  readonly delivered: Delivered;
  /** For the journal. */
  readonly message: string;
}

const rejections = new WeakMap<ServerResponse, SentRejection>();
const cutByStop = new WeakSet<Socket>();
/** Connections that take no further request. */
const closing = new WeakSet<Socket>();

/** The rejection that was written to the connection instead of this response, for the journal. */
export function rejectionInsteadOf(res: ServerResponse): SentRejection | undefined {
  return rejections.get(res);
}

/**
 * The response that is being sent is the last one of its connection. What follows on it is the rest of a body that was
 * not read, or of a GET without Content-Length, and not another request.
 */
export function closeAfterResponse(socket: Socket): void {
  closing.add(socket);
}

/** Whether the server closed the connection because it stopped: the journal must not blame the client. */
export function wasCut(socket: Socket): boolean {
  return cutByStop.has(socket);
}

/** The connections of a server: what is rejected before it reaches a handler, and how all of them end. */
export class Connections {
  readonly #sockets = new Set<Socket>();
  /** The newest response of each connection that is not idle. */
  readonly #newest = new Map<Socket, ServerResponse>();
  readonly #server: Server;
  #isStopping = false;

  constructor(server: Server, handle: RequestListener) {
    this.#server = server;
    server.on("connection", (socket) => this.#open(socket));
    // Only of a TLS server.
    server.on("secureConnection", (socket: Socket) => this.#open(socket));
    server.on("request", (req, res) => {
      const { socket } = req;
      if (closing.has(socket)) return;
      this.#newest.set(socket, res);
      res.on("close", () => this.#closed(socket, res));
      handle(req, res);
    });
    server.on("checkContinue", (req, res) => {
      // Without a socket it is a pipelined request: Node may write its 100 after the head of its response. A client
      // must not wait for a 100 indefinitely, so it gets none.
      if (res.socket !== null) res.writeContinue();
      server.emit("request", req, res);
    });
    server.on("clientError", (error, stream) => this.#reject(error, stream as Socket));
  }

  #open(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      this.#newest.delete(socket);
    });
    // Node calls it after a response with Connection: close.
    socket.destroySoon = () => {
      // Deno stops reading at a body that no code reads.
      this.#newest.get(socket)?.req.resume();
      linger(socket);
    };
  }

  #closed(socket: Socket, res: ServerResponse): void {
    // A pipelined request has followed.
    if (this.#newest.get(socket) !== res) return;
    if (this.#isStopping) socket.end();
    // Otherwise what arrives next is still a part of this request.
    if (res.req.complete) this.#newest.delete(socket);
  }

  #reject(error: NodeJS.ErrnoException, socket: Socket): void {
    // After the first error, the parser fails again on every read.
    if (closing.has(socket)) return;
    closing.add(socket);
    const newest = this.#newest.get(socket);
    // `closed` is equal to `destroyed`, but a response of Deno has no such field.
    const isIdle = newest === undefined || (newest.destroyed && (newest.req.complete || !newest.headersSent));
    if (!isIdle && (newest.req.complete || newest.headersSent)) {
      // It gets its own response, perhaps before its body has arrived, and no second one.
      if (newest.writableFinished) linger(socket);
      else newest.once("finish", () => linger(socket));
      return;
    }
    if (error.code === "ECONNRESET") socket.destroy();
    if (!socket.writable) return;
    const rejection = rejectionOf(error);
    if (!isIdle) rejections.set(newest, rejection.sent);
    socket.write(rejection.text);
    linger(socket);
  }

  /** Requests in flight get their response, everything else is closed. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    // Node would also cut connections whose response is written but not yet sent.
    this.#server.closeIdleConnections = () => {};
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    const busy = [...this.#newest].filter(([, res]) => !res.destroyed);
    for (const [, res] of busy) if (!res.headersSent) res.setHeader("Connection", "close");
    // Under TLS, the socket of a request wraps a plain one, which has the same remote port.
    const ports = new Set(busy.map(([{ remotePort }]) => remotePort));
    for (const socket of this.#sockets) if (!ports.has(socket.remotePort)) socket.destroy();
    const cut = setTimeout(() => {
      for (const socket of this.#sockets) {
        cutByStop.add(socket);
        socket.destroy();
      }
    }, stopAfterMs);
    await closed;
    clearTimeout(cut);
  }
}

/**
 * Ends a connection so that its last response arrives. Closing it while bytes still come in would reset it, and a
 * client that is still writing would see only the reset.
 */
function linger(socket: Socket): void {
  if (socket.writableEnded) return;
  socket.end();
  const cut = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once("close", () => clearTimeout(cut));
}

/** The response to a request that is not valid HTTP, or that arrives too slowly. */
function rejectionOf(error: NodeJS.ErrnoException): { text: string; sent: SentRejection } {
  const [status, message] = parserErrors[error.code ?? ""] ?? [
    "400 Bad Request",
    `Invalid HTTP: ${error.message}.`,
  ];
  const body = JSON.stringify({ error: { code: "invalid_http", message } });
  const headers = {
    Connection: "close",
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // The client ended its side in the middle of its body.
  const isHalfClosed = error.code === "HPE_INVALID_EOF_STATE";
  return {
    text: `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`,
    sent: {
      response: { status: Number.parseInt(status, 10), failure: { code: "invalid_http", message } },
      delivered: { delivery: isHalfClosed ? "caller-left" : "complete", headers, sentText: body },
      message,
    },
  };
}

const parserErrors: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "The headers are over 16 kB. Send fewer or shorter ones.",
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    "413 Payload Too Large",
    "The chunk extensions are over 16 kB. Leave them out.",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    "408 Request Timeout",
    "The request did not arrive completely in time. Send it without pauses.",
  ],
};
