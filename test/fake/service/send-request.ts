import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";

/** A request as it goes over the wire. */
export interface SentRequest {
  /** Default: GET. */
  readonly method?: string;
  /** Default: the path of the service. */
  readonly path?: string;
  /** undefined leaves out one of those that every request has. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** A text and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape. Undefined: it is not JSON.
  readonly json: any;
}

/** Sends a request of any form on a connection of its own. */
export async function send(url: string, sent: SentRequest): Promise<ReceivedResponse> {
  const { method = "GET", path = "/api/user", headers = {}, body } = sent;
  const isAsItIs = body === undefined || typeof body === "string" || Buffer.isBuffer(body);
  const bytes = isAsItIs ? body : JSON.stringify(body);
  const all = {
    Authorization: "Token test-api-token",
    ...(bytes !== undefined && {
      "Content-Type": "application/json",
      "Content-Length": `${Buffer.byteLength(bytes)}`,
    }),
    ...headers,
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  const req = request(`${url}${path}`, { method, headers: Object.fromEntries(given), agent: false });
  const [res] = (await once(req.end(bytes), "response")) as [IncomingMessage];
  const text = Buffer.concat(await res.toArray()).toString();
  const isJson = /^application\/json/.test(res.headers["content-type"] ?? "") && text !== "";
  return {
    status: res.statusCode ?? 0,
    headers: res.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}
