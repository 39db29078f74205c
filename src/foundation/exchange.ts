import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import type { RequestOptions } from "node:https";
import { clearTimeout, setTimeout } from "./clock.js";
import { asError } from "./located-problem.js";

interface ExchangeOptions extends RequestOptions {
  readonly text?: string | Buffer | undefined;
  /** Rejects if the whole response has not arrived after this time. */
  readonly timeoutMs: number;
  /** Rejects if the body of the response has more characters. */
  readonly maxLength?: number;
}

/** A response arrived with which nothing can be done. Another attempt would get the same. */
export class UnusableResponse extends Error {}

/**
 * Sends one HTTP request on a connection of its own: no connection stays open, and none is stale after a restart of the
 * server. Not with `fetch`, which cannot send a GET with a body. Rejects with what came, if it is not a whole response.
 */
export async function exchange(
  url: URL,
  { text, timeoutMs, maxLength = Infinity, ...options }: ExchangeOptions,
) {
  const request = url.protocol === "https:" ? (await import("node:https")).request : httpRequest;
  const req = request(url, { ...options, agent: false });
  // Node does not add Content-Length to a GET.
  if (text) req.setHeader("Content-Length", Buffer.byteLength(text));
  const failed = new Promise<never>((_, reject) => {
    let hasResponse = false;
    req.on("response", () => {
      hasResponse = true;
    });
    // Without a listener, Node closes the connection and says nothing.
    req.on("upgrade", (_, socket) => {
      socket.destroy();
      reject(new UnusableResponse(upgraded));
    });
    req.on("error", (error) => reject(error));
    // Once there is a response, its stream reports that the connection was closed too early.
    req.on("close", () => hasResponse || reject(new Error(closedEarly)));
  });
  const tooLate = new Error(`no complete response within ${Math.ceil(timeoutMs / 1000)} s`);
  // A timeout of the request would begin again with every byte.
  const timer = setTimeout(() => req.destroy(tooLate), timeoutMs);
  const receive = async () => {
    const [res] = (await once(req.end(text), "response")) as [IncomingMessage];
    const { statusCode: status = 0, headers } = res;
    if (status === 101) throw new UnusableResponse(upgraded);
    let received = "";
    for await (const chunk of res.setEncoding("utf8")) {
      received += chunk;
      if (received.length > maxLength)
        throw new UnusableResponse(`the response has more than ${maxLength / 1e6} million characters`);
    }
    return { status, headers, text: received };
  };
  return Promise.race([failed, receive()])
    .catch((error: unknown) => {
      throw describeBroken(error);
    })
    .finally(() => {
      clearTimeout(timer);
      req.destroy();
    });
}

const upgraded = "the response has the status 101 (Switching Protocols), which was not asked for";
const closedEarly = "the connection was closed without a response";

/** Errors for which Node has only words of its own. Others stay as they are. */
function describeBroken(error: unknown): unknown {
  const { code = "", message } = asError(error);
  if (code.startsWith("HPE_")) return new Error(`the response is not valid HTTP (${message})`);
  if (message === "socket hang up") return new Error(closedEarly);
  if (message === "aborted") return new Error("the connection was closed in the middle of the response");
  return error;
}
