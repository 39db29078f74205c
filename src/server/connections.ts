import type { RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "../foundation/clock.js";
import { linger } from "./end-response.js";
import type { RejectedRequest } from "./guard.js";
import { brokenBody, InvalidHttp } from "./invalid-http.js";

/** A request that is still in flight after this is cut off when the server stops. */
const stopAfterMs = 900;

/** The error of a connection that a stop of the server cut: the journal must not blame the client. */
export const cutByStop = new Error("The mock was stopped.");

/** The newest request of a connection. */
interface Turn {
  readonly res: ServerResponse;
  /** False while an earlier request of the connection has no response. */
  hasBegun: boolean;
  /** Of the HTTP parser, if it came before the turn. */
  error?: Error;
}

/** The connections of a server: what is rejected before it reaches a handler, and how all of them end. */
export class Connections {
  readonly #server: Server;
  readonly #rejected: ((request: RejectedRequest) => void) | undefined;
  readonly #sockets = new Set<Socket>();
  /** Of connections that are not idle. */
  readonly #newest = new Map<Socket, Turn>();
  #isStopping = false;

  /** @param rejected called with what is not a request: no journal has it */
  constructor(server: Server, handle: RequestListener, rejected?: (request: RejectedRequest) => void) {
    this.#server = server;
    this.#rejected = rejected;
    server.on("connection", (socket: Socket) => {
      if (this.#isStopping) socket.destroy();
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    const begin: RequestListener = (req, res) => this.#inTurn(res, () => handle(req, res));
    server.on("request", begin);
    // Node would respond with 417 to an Expect header that it does not know.
    server.on("checkExpectation", begin);
    server.on("clientError", (error, stream) => this.#reject(error, stream as Socket));
  }

  /** Handles the requests of a connection one after the other, even if the client sends them all at once. */
  #inTurn(res: ServerResponse, handle: () => void): void {
    const { socket } = res.req;
    const earlier = this.#newest.get(socket)?.res;
    const turn: Turn = { res, hasBegun: false };
    this.#newest.set(socket, turn);
    res.on("close", () => {
      if (this.#newest.get(socket) !== turn) return;
      this.#newest.delete(socket);
      if (this.#isStopping) socket.end();
    });
    // After the last response of a connection, what follows is not a request: a GET without a length may have a body.
    const begin = () => {
      turn.hasBegun = true;
      if (socket.writable) handle();
      if (turn.error !== undefined) this.#reject(turn.error, socket);
    };
    if (earlier === undefined) begin();
    else earlier.once("close", begin);
  }

  #reject(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === "ECONNRESET" || !socket.writable) return;
    const turn = this.#newest.get(socket);
    if (turn?.hasBegun === false) {
      turn.error ??= error;
      return;
    }
    const res = turn?.res;
    const rejection = new InvalidHttp(error);
    if (res !== undefined && !res.headersSent) {
      res.setHeader("Connection", "close");
      // A complete request gets its own response. Otherwise, the code that reads the body responds.
      if (res.req.complete || res.req.emit(brokenBody, rejection)) return;
    }
    if (!res?.headersSent) {
      socket.write(rejection.toResponse());
      this.#rejected?.({ method: "-", path: "-", code: "invalid_http" });
    }
    linger(socket);
  }

  /** Requests in flight get their response, everything else is closed. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const busy = [...this.#newest.values()].map(({ res }) => res);
    for (const res of busy) if (!res.headersSent) res.setHeader("Connection", "close");
    // Not closeIdleConnections(), which keeps connections without a request, and those that are not secure yet. Under
    // TLS, the socket of a request wraps a plain one, which has the same remote port.
    const ports = new Set(busy.map(({ req }) => req.socket.remotePort));
    for (const socket of this.#sockets) if (!ports.has(socket.remotePort)) socket.destroy();
    const cut = setTimeout(() => {
      for (const { req } of busy) req.socket.destroy(cutByStop);
    }, stopAfterMs);
    // Node's close() would cut responses that are written but not yet sent.
    const unsent = busy.filter(({ writableEnded }) => writableEnded);
    await Promise.all(unsent.map((res) => new Promise((resolve) => res.once("close", resolve))));
    await new Promise((resolve) => this.#server.close(resolve));
    clearTimeout(cut);
  }
}
