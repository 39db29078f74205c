import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import type { RequestOptions } from "node:https";
import { clearTimeout, setTimeout } from "./clock.js";

interface Exchange extends RequestOptions {
  readonly text?: string | undefined;
  /** Rejects if the whole response has not arrived after this time. */
  readonly timeoutMs: number;
  /** Rejects if the body of the response has more characters. */
  readonly maxLength?: number;
}

/**
 * Sends one HTTP request on a connection of its own: no connection stays open, and none is stale after a restart of the
 * server. Not with `fetch`, which cannot send a GET with a body.
 */
export async function exchange(url: URL, { text, timeoutMs, maxLength = Infinity, ...options }: Exchange) {
  const request = url.protocol === "https:" ? (await import("node:https")).request : httpRequest;
  const req = request(url, { ...options, agent: false });
  // Node does not add Content-Length to a GET.
  if (text) req.setHeader("Content-Length", Buffer.byteLength(text));
  const failed = new Promise<never>((_, reject) => req.on("error", reject));
  const tooLate = new Error(`no complete response within ${Math.ceil(timeoutMs / 1000)} s`);
  // A timeout of the request would begin again with every byte.
  const timer = setTimeout(() => req.destroy(tooLate), timeoutMs);
  const receive = async () => {
    const [res] = (await once(req.end(text), "response")) as [IncomingMessage];
    const { statusCode: status = 0, headers } = res;
    let received = "";
    for await (const chunk of res.setEncoding("utf8")) {
      received += chunk;
      if (received.length > maxLength)
        throw new Error(`the response has more than ${maxLength / 1e6} million characters`);
    }
    return { status, headers, text: received };
  };
  return Promise.race([failed, receive()]).finally(() => {
    clearTimeout(timer);
    req.destroy();
  });
}
