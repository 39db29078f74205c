import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { clearTimeout, setImmediate, setTimeout } from "../../foundation/clock.js";

interface ListenOptions {
  readonly host: string;
  /** 0: a free port. */
  readonly port: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** The classes of requests and responses. */
  readonly classes?: ServerOptions;
}

/** In milliseconds. */
export const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Node checks every 30 s by default, so 10 s could become 40.
  connectionsCheckingInterval: 1_000,
  // Never: closing an idle connection just as a client uses it again makes tests flaky.
  keepAliveTimeout: 0,
} satisfies ServerOptions;

/** A request that is still in flight after this is cut off when the server stops. */
const stopAfterMs = 900;

/** A client that does not close its side after invalid HTTP is disconnected after this. */
const closeAfterMs = 1_000;

/** The statuses that Node responds with to errors of its HTTP parser. All others get 400. */
const parserStatuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** The error of a connection that a stop of the server cut: the journal must not blame the client. */
export const cutByStop = new Error("The mock was stopped.");

export async function listen(handle: RequestListener, { host, port, tls, classes }: ListenOptions) {
  const settings = { ...timeouts, ...classes, ...tls };
  const server: Server = tls ? (await import("node:https")).createServer(settings) : createServer(settings);
  // Node 20 drops headers beyond a count silently. Their size is limited to 16 kB anyway.
  server.maxHeadersCount = 0;
  /** Every connection, and under TLS also the plain one that it wraps → its response, until that is finished. */
  const sockets = new Map<Socket, ServerResponse | undefined>();
  /** The connections with invalid HTTP. Node reports each further read of them too. */
  const invalid = new WeakSet<Socket>();
  let isStopping = false;
  const connect = (socket: Socket) => {
    if (isStopping) socket.destroy();
    sockets.set(socket, undefined);
    socket.once("close", () => sockets.delete(socket));
  };
  server.on("connection", connect).on("secureConnection", connect);
  // Node would respond with 417 to an Expect header that it does not know.
  server.on("request", begin).on("checkExpectation", begin);
  server.on("clientError", (error, stream) => rejectHttp(error, stream as Socket));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
    server.listen({ port, host }, resolve);
  });
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: urlAt(host, actualPort, tls !== undefined),
    stop,
    unref: () => void server.unref().on("connection", (socket: Socket) => socket.unref()),
  };

  /**
   * Handles the requests of a connection one after the other, even if the client sends them all at once: Node gives a
   * response its socket when the earlier one is finished. After the last response of a connection it never does: what
   * follows is not a request, but may be the body of a GET without a length.
   */
  function begin(req: ServerResponse["req"], res: ServerResponse): void {
    if (isStopping) req.socket.destroy();
    else if (res.socket === null) res.once("socket", () => begin(req, res));
    else {
      sockets.set(req.socket, res);
      res.on("close", finish);
      handle(req, res);
    }
  }

  function finish(this: ServerResponse): void {
    // The next request of the connection may have begun.
    if (sockets.get(this.req.socket) === this) sockets.set(this.req.socket, undefined);
  }

  /**
   * What is not HTTP, or arrives too slowly, gets the status line that Node would send. A response in flight is finished
   * first, which Node would not do. If a request has only half a body, its journal entry ends with the connection.
   */
  function rejectHttp({ code = "" }: NodeJS.ErrnoException, socket: Socket): void {
    if (code === "ECONNRESET" || !socket.writable || invalid.has(socket)) return;
    invalid.add(socket);
    const res = sockets.get(socket);
    if (res !== undefined && (res.req.complete || res.headersSent)) {
      if (!res.headersSent) res.setHeader("Connection", "close");
      res.once("close", () => socket.end());
      return;
    }
    const status = parserStatuses[code] ?? 400;
    // Only our side: see `endResponse`.
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
    setTimeout(() => socket.destroy(), closeAfterMs).unref();
  }

  /** Requests in flight get their response, everything else is closed, all within a second. */
  async function stop(): Promise<void> {
    isStopping = true;
    const responses = [...sockets.values()].filter((res) => res !== undefined);
    for (const res of responses) if (!res.headersSent) res.setHeader("Connection", "close");
    // Not closeIdleConnections(), which keeps connections without a request, and those that are not secure yet. Under
    // TLS, the socket of a request wraps a plain one, which has the same remote port.
    const ports = new Set(responses.map(({ req }) => req.socket.remotePort));
    for (const socket of sockets.keys()) if (!ports.has(socket.remotePort)) socket.destroy();
    const cut = setTimeout(() => {
      for (const { req } of responses) req.socket.destroy(cutByStop);
    }, stopAfterMs);
    // Node's close() would cut responses that are written but not yet sent. From then on, no client can connect.
    const unsent = responses.filter(({ writableEnded }) => writableEnded);
    await Promise.all(unsent.map((res) => new Promise((resolve) => res.once("close", resolve))));
    await new Promise((resolve) => server.close(resolve));
    clearTimeout(cut);
    // A keep-alive client in the same process notices closed connections two turns later. Until then it would use
    // them for requests to the next server on this port: 25 of 50 such requests failed.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const otherAddress = `${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all addresses.`;
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is in use. Use --port 0 or the option port: 0 for a free port.`,
    EACCES: `This user is not allowed to use port ${port}. Use a port above 1023.`,
    EADDRNOTAVAIL: otherAddress,
    ENOTFOUND: otherAddress,
  };
  error.message = messages[error.code ?? ""] ?? error.message;
  return error;
}

/** The URL at which this machine reaches a server that is bound to this address. */
export function urlAt(host: string, port: number, isSecure: boolean): string {
  const allAddresses: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
  const name = allAddresses[host] ?? host;
  // Not isIPv6: its regular expression takes 4 ms the first time.
  const authority = name.includes(":") ? `[${name}]:${port}` : `${name}:${port}`;
  return `${isSecure ? "https" : "http"}://${authority}`;
}
