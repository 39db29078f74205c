import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { RequestOptions, TestResponse } from "./call.js";

/** A call that the mock has begun to handle and waits for the rest of. */
export interface CallInFlight {
  /** Sends the rest and gives the answer. */
  finish(): Promise<TestResponse>;
  /** Resolves once its connection is closed, by whomever. */
  readonly closed: Promise<unknown>;
}

/** Resolves once the mock has the head of the call: it asks for the body, half of which is then sent. */
export async function callInFlight(
  method: "GET" | "POST",
  url: string,
  body: unknown,
  { apiToken = "test-api-token", ca }: RequestOptions = {},
): Promise<CallInFlight> {
  const text = JSON.stringify(body);
  const half = Math.floor(text.length / 2);
  const headers = {
    Authorization: `Token ${apiToken}`,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
    Expect: "100-continue",
  };
  const request = url.startsWith("https:") ? httpsRequest : httpRequest;
  const req = request(`${url}/api/user`, { method, headers, agent: false, ca });
  // Listened to from the start: the answer or the cut may come before anybody asks.
  const answered: Promise<[IncomingMessage]> = once(req, "response") as Promise<[IncomingMessage]>;
  answered.catch(() => {});
  const closed = new Promise((resolve) => req.once("close", resolve));
  req.flushHeaders();
  await once(req, "continue");
  req.write(text.slice(0, half));
  return {
    closed,
    async finish() {
      req.end(text.slice(half));
      const [res] = await answered;
      const parts: Buffer[] = await res.toArray();
      const status = res.statusCode ?? 0;
      return { status, headers: res.headers, body: JSON.parse(Buffer.concat(parts).toString()) };
    },
  };
}
