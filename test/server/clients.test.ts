import { type OutgoingHttpHeaders, request } from "node:http";
import type { Readable } from "node:stream";
import { deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Mock, startMock } from "../../src/index.js";
import { needs } from "../needs.js";
import {
  type Client,
  headersOf,
  run,
  script,
  type TestRequest,
  type TestResponse,
  usesTheService,
} from "./clients/uses-the-service.js";

/** Clients that send the body of a GET. */
const clients: Readonly<Record<string, Client>> = {
  "node:http": {
    send: (sent) => nodeHttp(sent, { "Content-Length": Buffer.byteLength(sent.body) }),
  },
  curl: {
    program: "curl",
    send: (sent) => curl(sent, ["--data", sent.body]),
  },
  "Python's http.client": {
    program: "python3",
    send: (sent) => script("python3", [], "user_call_http_client.py", sent),
  },
  "Python's urllib": {
    program: "python3",
    send: (sent) => script("python3", [], "user_call_urllib.py", sent),
  },
};

/** Bodies without a Content-Length, and compressed ones. */
const transfers: Readonly<Record<string, Client>> = {
  "chunked by curl": {
    program: "curl",
    send: (sent) => curl(sent, ["--header", "Transfer-Encoding: chunked", "--data", sent.body]),
  },
  "gzip by curl": {
    program: "curl",
    send: (sent) => {
      const args = ["--header", "Content-Encoding: gzip", "--data-binary", "@-"];
      return curl(sent, args, gzipSync(sent.body));
    },
  },
  "deflate by node:http": {
    send: (sent) => {
      const bytes = deflateSync(sent.body);
      return nodeHttp(sent, { "Content-Encoding": "deflate", "Content-Length": bytes.length }, bytes);
    },
  },
};

let mock: Mock;
let sent: Pick<TestRequest, "url" | "authorization">;

beforeAll(async () => {
  mock = await startMock();
  sent = { url: `${mock.url}/api/user`, authorization: `Token ${mock.apiToken}` };
});
afterAll(() => mock.stop());

// test/stacks/clients.test.ts has clients of the registry, and Java's.
describe("clients that send a body with a GET", () => {
  it.for(Object.entries(clients))("%s creates, gets and rotates", ([id, client], context) =>
    usesTheService(mock, id, client, context),
  );
});

describe("chunked and compressed bodies", () => {
  it.for(Object.entries(transfers))("are read: %s", ([id, client], context) =>
    usesTheService(mock, id, client, context),
  );

  it("are requested by 100 Continue for curl", async (context) => {
    needs(context, "curl");
    const body = JSON.stringify({ user_group_id: "curl expects", name: "Continued" });
    const args = ["--include", "--header", "Expect: 100-continue", "--data", body];
    const printed = await run("curl", [...curlArgs({ ...sent, method: "GET", body }), ...args]);
    expect(printed).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    expect(printed).toContain('"new_user_group":true');
  });
});

function nodeHttp(sent: TestRequest, framing: OutgoingHttpHeaders, bytes?: Buffer): Promise<TestResponse> {
  const headers = { ...headersOf(sent), ...framing };
  return new Promise((resolve, reject) => {
    const req = request(sent.url, { method: sent.method, headers });
    req.on("response", (res) => void showResponse(res).then(resolve, reject));
    req.on("error", reject);
    req.end(bytes ?? sent.body);
  });
}

async function showResponse(
  res: Readable & { readonly statusCode?: number | undefined },
): Promise<TestResponse> {
  const text = Buffer.concat(await res.toArray()).toString("utf8");
  return { status: res.statusCode ?? 0, body: JSON.parse(text) };
}

/** The arguments of curl without the body. */
function curlArgs(sent: TestRequest): string[] {
  const headers = Object.entries(headersOf(sent)).flatMap(([name, value]) => [
    "--header",
    `${name}: ${value}`,
  ]);
  return ["--silent", "--show-error", "--request", sent.method, sent.url, ...headers];
}

async function curl(sent: TestRequest, args: readonly string[], input?: Buffer): Promise<TestResponse> {
  const printed = await run("curl", [...curlArgs(sent), ...args, "--write-out", "\n%{http_code}"], input);
  const [body = "", status] = printed.split("\n");
  return { status: Number(status), body: JSON.parse(body) };
}
