import type { Agent } from "node:http";
import request, { type Test } from "supertest";

type Parser = NonNullable<Parameters<Test["parse"]>[0]>;

/** A response with its parsed body. */
export interface TestResponse {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  readonly body: any;
}

export interface RequestOptions {
  readonly apiToken?: string;
  readonly headers?: Record<string, string>;
  /** A trusted certificate for an https: URL, in PEM. */
  readonly ca?: string;
  /** By default, every request has a new connection. */
  readonly agent?: Agent;
}

export const getOrCreate = (url: string, body: unknown, options?: RequestOptions) =>
  call("GET", `${url}/api/user`, body, options);

/** Gets or creates a group whose name is its id. */
export const create = (url: string, id = "new", more: object = {}) =>
  getOrCreate(url, { user_group_id: id, name: id, ...more });

export const rotate = (url: string, current_token: string, options?: RequestOptions) =>
  call("POST", `${url}/api/user`, { current_token }, options);

/** Sends a request to the service or to the admin API. A string is sent as it is. */
export async function call(
  method: string,
  url: string,
  body?: unknown,
  { apiToken = "test-api-token", headers = {}, ca, agent = newConnection }: RequestOptions = {},
): Promise<TestResponse> {
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const { origin, pathname, search } = new URL(url);
  const sent = request(origin)
    [method.toLowerCase() as "get"](`${pathname}${search}`)
    .agent(agent)
    .redirects(0)
    .buffer(true)
    .parse(asText)
    .set("Authorization", `Token ${apiToken}`);
  if (ca !== undefined) sent.ca(ca);
  if (text !== undefined) {
    sent
      .set("Content-Type", "application/json")
      .set("Content-Length", `${Buffer.byteLength(text)}`)
      .send(text);
  }
  const { status, headers: receivedHeaders, body: receivedText } = await sent.set(headers);
  return {
    status,
    headers: receivedHeaders,
    body: receivedText.length > 0 ? JSON.parse(receivedText) : undefined,
  };
}

/** As in `http.request`: a new connection. The types of superagent do not allow it. */
const newConnection = false as unknown as Agent;

/** The default parser of superagent rejects a body that is not JSON, and leaves out an empty one. */
const asText: Parser = (res, done) => {
  let text = "";
  res.setEncoding("utf8");
  res.on("data", (part: string) => {
    text += part;
  });
  res.on("end", () => done(null, text));
};
