import { type OutgoingHttpHeaders, request } from "node:http";
import { Readable } from "node:stream";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import axios from "axios";
import got from "got";
import superagent from "superagent";
import * as undici from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Mock, startMock } from "../../src/index.js";
import { needs } from "../needs.js";
import {
  type Call,
  type Client,
  run,
  sameGroup,
  script,
  type TestResponse,
  usesTheService,
} from "./clients/uses-the-service.js";

/** Clients that send the body of a GET. */
const clients: Readonly<Record<string, Client>> = {
  "node:http": {
    send: (call) => nodeHttp(call, { "Content-Length": Buffer.byteLength(call.body) }),
  },
  undici: {
    send: async ({ method, url, body, ...call }) => {
      const response = await undici.request(url, { method, headers: headersOf(call), body });
      return { status: response.statusCode, body: await response.body.json() };
    },
  },
  axios: {
    send: async ({ method, url, body: data, ...call }) => {
      const response = await axios.request({ method, url, headers: headersOf(call), data, proxy: false });
      return { status: response.status, body: response.data };
    },
  },
  got: {
    send: async ({ method, url, body, ...call }) => {
      const response = await got(url, { method, headers: headersOf(call), body, allowGetBody: true });
      return { status: response.statusCode, body: JSON.parse(response.body) };
    },
  },
  superagent: {
    send: async ({ method, url, body, ...call }) => {
      const response = await superagent(method, url).set(headersOf(call)).send(body);
      return { status: response.status, body: response.body };
    },
  },
  curl: {
    program: "curl",
    send: (call) => curl(call, ["--data", call.body]),
  },
  "Python's http.client": {
    program: "python3",
    send: (call) => script("python3", [], "user_call_http_client.py", call),
  },
  "Python's urllib": {
    program: "python3",
    send: (call) => script("python3", [], "user_call_urllib.py", call),
  },
};

/** Bodies without a Content-Length, and compressed ones. */
const transfers: Readonly<Record<string, Client>> = {
  "chunked by node:http": {
    send: (call) => nodeHttp(call, { "Transfer-Encoding": "chunked" }),
  },
  "chunked by undici, from a stream": {
    send: async ({ method, url, body, ...call }) => {
      const stream = Readable.from([body.slice(0, 10), body.slice(10)]);
      const response = await undici.request(url, { method, headers: headersOf(call), body: stream });
      return { status: response.statusCode, body: await response.body.json() };
    },
  },
  "chunked by curl": {
    program: "curl",
    send: (call) => curl(call, ["--header", "Transfer-Encoding: chunked", "--data", call.body]),
  },
  "gzip by node:http": { send: (call) => compressed(call, "gzip", gzipSync(call.body)) },
  "deflate by node:http": { send: (call) => compressed(call, "deflate", deflateSync(call.body)) },
  "brotli by node:http": { send: (call) => compressed(call, "br", brotliCompressSync(call.body)) },
  "gzip by curl": {
    program: "curl",
    send: (call) => {
      const args = ["--header", "Content-Encoding: gzip", "--data-binary", "@-"];
      return curl(call, args, gzipSync(call.body));
    },
  },
};

let mock: Mock;
let call: Pick<Call, "url" | "authorization">;

beforeAll(async () => {
  mock = await startMock();
  call = { url: `${mock.url}/api/user`, authorization: `Token ${mock.apiToken}` };
});
afterAll(() => mock.stop());

// Java's client: test/stacks/clients.test.ts.
describe("clients that send a body with a GET", () => {
  it.for(Object.entries(clients))("%s creates, gets and rotates", ([id, client], context) =>
    usesTheService(mock, id, client, context),
  );
});

describe("chunked and compressed bodies", () => {
  it.for(Object.entries(transfers))("are read: %s", ([id, client], context) =>
    usesTheService(mock, id, client, context),
  );

  it("are requested by 100 Continue for node:http", async () => {
    const body = JSON.stringify({ user_group_id: "node expects", name: "Continued" });
    const headers = { "Content-Length": Buffer.byteLength(body), Expect: "100-continue" };
    let isContinued = false;
    const response = await new Promise<TestResponse>((resolve, reject) => {
      const req = request(call.url, { method: "GET", headers: { ...headersOf(call), ...headers } });
      req.on("response", (res) => void responseOf(res).then(resolve, reject));
      req.on("error", reject);
      req.on("continue", () => {
        isContinued = true;
        req.end(body);
      });
      req.flushHeaders();
    });
    expect(isContinued).toBe(true);
    expect(response).toMatchObject({ status: 200, body: { success: 1, new_user_group: true } });
  });

  it("are requested by 100 Continue for curl", async (context) => {
    needs(context, "curl");
    const body = JSON.stringify({ user_group_id: "curl expects", name: "Continued" });
    const args = ["--include", "--header", "Expect: 100-continue", "--data", body];
    const printed = await run("curl", [...curlArgs({ ...call, method: "GET", body }), ...args]);
    expect(printed).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    expect(printed).toContain('"new_user_group":true');
  });
});

describe("fetch", () => {
  it("cannot send a GET with a body", async () => {
    const { groups } = await mock.health();
    const body = JSON.stringify({ user_group_id: "fetch", name: "Never sent" });
    const fetched = fetch(call.url, { method: "GET", headers: headersOf(call), body });
    await expect(fetched).rejects.toThrow(TypeError);
    expect((await mock.health()).groups).toBe(groups);
  });

  it("can rotate, which is a POST", async () => {
    const group = { team_id: 3, provided_id: "example_1" };
    const { user_groups } = await mock.state();
    const current_token = user_groups?.find((found) => sameGroup(found, group))?.token;
    const body = JSON.stringify({ current_token });
    const response = await fetch(call.url, { method: "POST", headers: headersOf(call), body });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ success: 1, user_group: group });
  });
});

function headersOf({ authorization }: Pick<Call, "authorization">) {
  return { Authorization: authorization, "Content-Type": "application/json" };
}

function compressed(call: Call, encoding: string, bytes: Buffer): Promise<TestResponse> {
  return nodeHttp(call, { "Content-Encoding": encoding, "Content-Length": bytes.length }, bytes);
}

function nodeHttp(call: Call, framing: OutgoingHttpHeaders, bytes?: Buffer): Promise<TestResponse> {
  const headers = { ...headersOf(call), ...framing };
  return new Promise((resolve, reject) => {
    const req = request(call.url, { method: call.method, headers });
    req.on("response", (res) => void responseOf(res).then(resolve, reject));
    req.on("error", reject);
    req.end(bytes ?? call.body);
  });
}

async function responseOf(
  res: Readable & { readonly statusCode?: number | undefined },
): Promise<TestResponse> {
  const text = Buffer.concat(await res.toArray()).toString("utf8");
  return { status: res.statusCode ?? 0, body: JSON.parse(text) };
}

/** The arguments of curl without the body. */
function curlArgs(call: Call): string[] {
  const headers = Object.entries(headersOf(call)).flatMap(([name, value]) => [
    "--header",
    `${name}: ${value}`,
  ]);
  return ["--silent", "--show-error", "--request", call.method, call.url, ...headers];
}

async function curl(call: Call, args: readonly string[], input?: Buffer): Promise<TestResponse> {
  const printed = await run("curl", [...curlArgs(call), ...args, "--write-out", "\n%{http_code}"], input);
  const [body = "", status] = printed.split("\n");
  return { status: Number(status), body: JSON.parse(body) };
}
