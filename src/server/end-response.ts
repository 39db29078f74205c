import type { ServerResponse } from "node:http";

/**
 * Ends a response, perhaps before its request has arrived. Node would then close the connection while bytes still come
 * in, which resets it, and a client that is still writing would see only the reset. So only our side is closed.
 * @param body the whole body; its length is in the headers
 */
export function endResponse(res: ServerResponse, body: string | Buffer): void {
  const isLast = !res.shouldKeepAlive || res.getHeader("Connection") === "close";
  if (res.req.complete || !isLast || res.req.method === "HEAD") res.end(body);
  else {
    res.req.resume();
    res.write(body, () => res.req.socket.end());
  }
}
