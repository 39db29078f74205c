import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "../foundation/clock.js";

/** How long a connection is read after its last response, so that the response arrives. */
const lingerMs = 2_000;

/**
 * Ends a response, perhaps before its request has arrived. Closing the connection while bytes still come in would reset
 * it, and a client that is still writing would see only the reset.
 * @param body the whole body; its length is in the headers
 */
export function endResponse(res: ServerResponse, body: string | Buffer): void {
  const isLast = !res.shouldKeepAlive || res.getHeader("Connection") === "close";
  if (res.req.complete || !isLast || res.req.method === "HEAD") res.end(body);
  else {
    res.req.resume();
    res.write(body, () => linger(res.req.socket));
  }
}

/** Sends what is written, ends our side, and reads on until the client ends its own. */
export function linger(socket: Socket): void {
  socket.end();
  const cut = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once("close", () => clearTimeout(cut));
}
