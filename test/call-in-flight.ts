import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { gzipSync } from "node:zlib";
import type { RequestOptions, TestResponse } from "./call.js";

/** A request whose body is only half sent. */
export interface CallInFlight {
  /** Sends the rest and returns the response. */
  finish(): Promise<TestResponse>;
  /** Resolves once the connection is closed by either side. */
  readonly closed: Promise<unknown>;
}

interface InFlightOptions extends Pick<RequestOptions, "apiToken" | "ca"> {
  readonly path?: string;
  readonly isCompressed?: boolean;
}

/** Resolves once the mock has asked for the body, and half of the body is sent. */
export async function callInFlight(
  method: "GET" | "POST" | "PUT",
  url: string,
  body: unknown,
  { apiToken = "test-api-token", ca, path = "/api/user", isCompressed = false }: InFlightOptions = {},
): Promise<CallInFlight> {
  const text = Buffer.from(JSON.stringify(body));
  const bytes = isCompressed ? gzipSync(text) : text;
  const half = Math.floor(bytes.length / 2);
  const headers = {
    Authorization: `Token ${apiToken}`,
    "Content-Type": "application/json",
    "Content-Length": bytes.length,
    ...(isCompressed && { "Content-Encoding": "gzip" }),
    Expect: "100-continue",
  };
  const request = url.startsWith("https:") ? httpsRequest : httpRequest;
  const req = request(`${url}${path}`, { method, headers, agent: false, ca });
  // Listens from the start: the response may come, or the connection close, before `finish`.
  const responded: Promise<[IncomingMessage]> = once(req, "response") as Promise<[IncomingMessage]>;
  responded.catch(() => {});
  const closed = new Promise((resolve) => req.once("close", resolve));
  req.flushHeaders();
  await once(req, "continue");
  req.write(bytes.subarray(0, half));
  return {
    closed,
    async finish() {
      req.end(bytes.subarray(half));
      const [res] = await responded;
      const parts: Buffer[] = await res.toArray();
      const status = res.statusCode ?? 0;
      return { status, headers: res.headers, body: JSON.parse(Buffer.concat(parts).toString()) };
    },
  };
}
