import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { clearTimeout, nextTurn, setTimeout } from "../foundation/clock.js";
import { urlAt } from "./address.js";
import { cutConnection } from "./cut-connections.js";
import { rememberRefusal } from "./refused-calls.js";
import type { RequestClasses } from "./request-classes.js";

export interface ListenOptions {
  /** The classes of requests and responses. */
  readonly classes?: RequestClasses;
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** Overrides for tests. */
  readonly limits?: Partial<Limits> | undefined;
}

/** Timeouts in milliseconds, as Node names them. */
export interface Limits {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
  readonly keepAliveTimeout: number;
}

export interface Listening {
  readonly url: string;
  /** Calls in flight get their answer, everything else is closed, all within a second. */
  stop(): Promise<void>;
}

/** A call that is still in flight after this is cut off. */
const stopAfterMs = 900;

/** How long a connection is read on after its last answer, so that the answer arrives. */
const lingerMs = 2_000;

/** Pipelined calls that may wait on one connection; one read of 64 kB holds fewer. */
const maxPipelined = 5_000;

/** Node 20 silently drops further headers; newer versions refuse them. */
const maxHeaders = 1_000;
const tooManyHeaders = { code: "HPE_HEADER_OVERFLOW", message: "too many headers" };

export const defaultLimits: Limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Node checks every 30 s by default, so 10 s could become 40.
  connectionsCheckingInterval: 1_000,
  // Never: closing an idle connection just as a client uses it again makes tests flaky.
  keepAliveTimeout: 0,
};

export async function listen(
  handle: RequestListener,
  { classes, host, port, tls, limits }: ListenOptions,
): Promise<Listening> {
  const settings = { ...defaultLimits, ...limits, ...classes, ...tls };
  const server: Server = tls ? (await import("node:https")).createServer(settings) : createServer(settings);
  // Node would also cut connections whose answer is written but not sent; stop() below closes the idle ones.
  server.closeIdleConnections = () => {};
  const sockets = new Set<Socket>();
  /** The newest call of every connection, answered or not. Removing it would need a listener for every call. */
  const lastCalls = new Map<Socket, ServerResponse>();
  /** How many pipelined calls wait on a connection. */
  const queues = new WeakMap<Socket, number>();
  /** How many bytes the calls took that offered to upgrade a connection. */
  const offered = new WeakMap<Socket, number>();
  /** Connections that sent something that is not HTTP. */
  const refused = new WeakSet<Socket>();
  let stopped: Promise<void> | undefined;

  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      lastCalls.delete(socket);
    });
    socket.destroySoon = () => {
      // Deno stops reading at a body that nobody reads.
      lastCalls.get(socket)?.req.resume();
      linger(socket);
    };
  };
  server.on("connection", keep);
  if (tls) server.on("secureConnection", keep);
  server.on("request", (req, res) => {
    const { socket } = req;
    const before = underWay(socket);
    lastCalls.set(socket, res);
    if (stopped) endAfter(res, socket);
    if (offersUpgrade(req)) endUnlessAlone(req, res);
    // Pipelined calls run one after the other, and none after an answer that closes the connection.
    if (before === undefined) {
      begin(req, res);
      return;
    }
    const behind = (queues.get(socket) ?? 0) + 1;
    queues.set(socket, behind);
    if (behind > maxPipelined) socket.destroy();
    before.once("close", () => {
      queues.set(socket, (queues.get(socket) ?? 0) - 1);
      begin(req, res);
    });
  });
  const begin: RequestListener = (req, res) => {
    const { socket, rawHeaders } = req;
    if (!socket.writable) return;
    if (rawHeaders.length / 2 >= maxHeaders) refuseSocket(tooManyHeaders, socket, undefined);
    else handle(req, res);
  };
  // Node would destroy the connection at once; calls that came before on it get their answer.
  server.on("connect", (_, socket: Socket) => {
    // Node has removed its own listener: a caller that resets the connection would end the process.
    socket.on("error", () => socket.destroy());
    const call = underWay(socket);
    if (call === undefined) socket.destroy();
    else call.once("close", () => socket.end());
  });
  server.on("clientError", (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    // The parser fails again on every read that follows.
    if (refused.has(socket)) return;
    refused.add(socket);
    refuseSocket(error, socket, lastCalls.get(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
    server.listen({ port, host }, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: urlAt(host, address.port, tls !== undefined),
    stop: () => (stopped ??= stop()),
  };

  function underWay(socket: Socket): ServerResponse | undefined {
    const last = lastCalls.get(socket);
    // `closed` would say the same, but a response of Deno has no such field.
    return last?.destroyed ? undefined : last;
  }

  function endAfter(res: ServerResponse, socket: Socket): void {
    res.once("close", () => {
      if (lastCalls.get(socket) === res) socket.end();
    });
  }

  /**
   * An offer to upgrade is ignored and its call answered. But Node's parser stops behind the call: it drops the rest
   * of the packet and tells nobody. So count the bytes. When more came than the offers took, end the connection:
   * the caller may wait for the answer to a call that was dropped, or take the answer to a later call for it.
   */
  function endUnlessAlone(req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req;
    const taken = (offered.get(socket) ?? 0) + lengthOf(req);
    offered.set(socket, taken);
    res.once("finish", () => {
      // Bun counts no bytes, and drops none.
      if (socket.bytesRead !== taken && socket.bytesRead !== 0) linger(socket);
    });
  }

  async function stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const calls = [...lastCalls].filter(([, res]) => !res.destroyed);
    for (const [socket, res] of calls) {
      if (!res.headersSent) res.setHeader("Connection", "close");
      endAfter(res, socket);
    }
    // Under TLS, the socket of a call wraps a plain one. Only the remote port tells which.
    const busy = new Set(calls.map(([{ remotePort }]) => remotePort));
    for (const socket of sockets) if (!busy.has(socket.remotePort)) socket.destroy();
    const cut = setTimeout(() => {
      for (const socket of sockets) cutConnection(socket);
    }, stopAfterMs);
    await closed;
    clearTimeout(cut);
    // A keep-alive client in the same process notices closed connections two turns later. Until then it would use
    // them for calls to the next server on this port: 25 of 50 such calls failed.
    for (let turn = 0; turn < 2; turn++) await nextTurn();
  }
}

function offersUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? "");
}

/** How many bytes a request takes as clients usually write it; NaN when only its chunks tell. */
function lengthOf({ method, url, headers, rawHeaders }: IncomingMessage): number {
  const { "content-length": body = 0, "transfer-encoding": coding } = headers;
  let head = `${method} ${url} HTTP/1.1\r\n\r\n`.length;
  // A colon and a space after each name, CR and LF after each value.
  for (const text of rawHeaders) head += text.length + 2;
  return coding === undefined ? head + Number(body) : Number.NaN;
}

/** Answers what never reached a handler: no HTTP, or too slow. */
function refuseSocket(
  error: { readonly code?: string | undefined; readonly message: string },
  socket: Socket,
  call: ServerResponse | undefined,
): void {
  // It follows a call whose answer is on the way, or is the rest of an answered call: do not answer twice.
  if (call !== undefined && (call.req.complete ? !call.destroyed : call.headersSent)) {
    if (call.writableFinished) linger(socket);
    else call.once("finish", () => linger(socket));
    return;
  }
  if (error.code === "ECONNRESET") socket.destroy();
  if (!socket.writable) return;
  const [status, message] = refusals[error.code ?? ""] ?? [
    "400 Bad Request",
    `This is not HTTP: ${error.message}.`,
  ];
  const body = JSON.stringify({ error: { code: "invalid_http", message } });
  const headers = {
    Connection: "close",
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
  };
  if (call !== undefined && !call.destroyed) {
    const isHalfClosed = error.code === "HPE_INVALID_EOF_STATE";
    rememberRefusal(call, {
      status: Number.parseInt(status, 10),
      headers,
      text: body,
      message,
      isHalfClosed,
    });
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
  linger(socket);
}

/**
 * Ends a connection so that its last answer arrives. Closing it while bytes still come in would reset it, and a
 * caller that is still writing would see only the reset.
 */
function linger(socket: Socket): void {
  if (socket.writableEnded) return;
  socket.end();
  const cut = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once("close", () => clearTimeout(cut));
}

const refusals: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "The headers are over 16 kB, or 1,000 and more. Send fewer or shorter ones.",
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    "413 Payload Too Large",
    "The chunk extensions are over 16 kB. Leave them out.",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    "408 Request Timeout",
    "The request did not arrive whole in time. Send all of it at once.",
  ],
};

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === "EADDRINUSE") {
    error.message = `Port ${port} of ${host} is in use. Take another one, or port 0 for one that is free.`;
  }
  if (error.code === "EACCES")
    error.message = `Port ${port} may not be used by this user. Take one above 1023.`;
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    error.message = `${host} is no address of this machine. Use 127.0.0.1, or 0.0.0.0 for all addresses.`;
  }
  return error;
}
