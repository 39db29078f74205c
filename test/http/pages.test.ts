import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { allowedMethods } from "../../src/contract/operations.js";
import { type Mock, startMock } from "../../src/index.js";
import { exchange, turns } from "./raw-socket.js";
import { expectNoPage, request } from "./raw-table.js";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
beforeEach(() => mock.reset());
afterAll(() => mock.stop());

const browser = "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36";

/** What a page of another origin can make a browser send. It cannot add an Authorization header. */
const pages: readonly [name: string, method: string, headers: readonly string[]][] = [
  ["a speculation rule that prefetches", "GET", [browser, "Sec-Purpose: prefetch", "Sec-Fetch-Site: none"]],
  [
    "a speculation rule that prerenders",
    "GET",
    [browser, "Sec-Purpose: prefetch;prerender", "Sec-Fetch-Site: none"],
  ],
  ["an older prefetch", "GET", [browser, "Purpose: prefetch"]],
  [
    "a prefetch with the admin token",
    "GET",
    [browser, "Authorization: Basic OnRva2Vu", "Sec-Fetch-Site: none"],
  ],
  [
    "an image with the admin token, without Sec-Fetch headers",
    "GET",
    [browser, "Authorization: Basic OnRva2Vu"],
  ],
  ["an older prefetch of Firefox", "GET", ["X-Moz: prefetch", "Sec-Fetch-Site: none"]],
  [
    "a WebSocket",
    "GET",
    [
      browser,
      "Origin: https://evil.test",
      "Upgrade: websocket",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Version: 13",
    ],
  ],
  [
    "an image, with Sec-Fetch headers",
    "GET",
    [browser, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: image"],
  ],
  [
    "a prefetch, from another port of this machine",
    "GET",
    [browser, "Sec-Purpose: prefetch", "Sec-Fetch-Site: same-site"],
  ],
  ["an image, without Sec-Fetch headers", "GET", [browser, "Referer: http://evil.test/"]],
  ["a window", "GET", [browser, "Upgrade-Insecure-Requests: 1"]],
  ["a form", "POST", [browser, "Origin: http://evil.test"]],
  ["a form of a sandboxed frame", "POST", [browser, "Origin: null"]],
  ["a beacon", "POST", [browser, "Origin: https://evil.test", "Sec-Fetch-Site: cross-site"]],
  ["a ping", "POST", [browser, "Origin: https://evil.test", "Ping-To: http://127.0.0.1/"]],
  ["a fetch without a User-Agent", "POST", ["Origin: https://evil.test"]],
];

describe.each(pages)("%s of another origin reaches no world", (_, method, more) => {
  it.each(["/api/user", "/worlds/w/api/user", "/worlds/w/anything", "/worlds/w/"])("at %s", async (path) => {
    const sent = request({ method, path, authorization: undefined, type: "text/plain", more });
    const [response] = await exchange(mock.url, [sent]);
    expectNoPage(response);
    expect([response?.status, JSON.parse(response?.body ?? "").error.code]).toEqual([
      403,
      "forbidden_origin",
    ]);
    expect(await mock.requests()).toEqual([]);
    expect((await mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });
});

describe("requests of a program", () => {
  it.each([
    ["without a User-Agent", []],
    ["with the User-Agent of a browser and an API token", [browser]],
    ["with another Origin and an API token", ["Origin: http://localhost:3000"]],
    ["with the origin of the mock", ["Origin: http://localhost"]],
    ["with a Purpose header", ["Purpose: prefetch"]],
  ])("are accepted %s", async (_, more) => {
    const [response] = await exchange(mock.url, [request({ more })]);
    expect(response?.status).toBe(200);
    expect(await mock.requests()).toHaveLength(1);
  });

  it.each([
    [
      "a test in jsdom",
      ["User-Agent: Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/26.1.0"],
    ],
    [
      "a proxy of the page's own origin",
      [browser, "Origin: http://localhost:5173", "Sec-Fetch-Site: same-origin"],
    ],
  ])("get 401 without an API token: %s", async (_, more) => {
    const [response] = await exchange(mock.url, [request({ authorization: undefined, more })]);
    expect([response?.status, JSON.parse(response?.body ?? "").error.code]).toEqual([401, "unauthorized"]);
    expect(await mock.requests()).toHaveLength(1);
  });

  it.each([
    ["with the User-Agent of a browser and an API token", {}, [browser], 200],
    ["with another Origin and an API token", {}, ["Origin: http://localhost:3000"], 200],
    ["without an API token", { authorization: undefined }, ["User-Agent: curl/8"], 401],
  ])("create a world %s", async (_, parts, more, status) => {
    const [response] = await exchange(mock.url, [request({ path: "/worlds/w/api/user", ...parts, more })]);
    expect(response?.status).toBe(status);
    expect((await mock.worlds()).map(({ name }) => name)).toEqual(["default", "w"]);
    await mock.world("w").drop();
  });

  it("without an API token are in the journal", async () => {
    const [response] = await exchange(mock.url, [
      request({ authorization: undefined, more: ["User-Agent: curl/8"] }),
    ]);
    expect(response?.status).toBe(401);
    expect(await mock.requests()).toHaveLength(1);
  });
});

describe("a browser without Authorization", () => {
  const ask = (method: string, more: readonly string[]) =>
    exchange(mock.url, [request({ method, authorization: undefined, length: [], body: "", more })]);

  it("gets the methods by a preflight, which is not in the journal", async () => {
    const [response] = await ask("OPTIONS", [browser, "Origin: https://evil.test"]);
    expect(response).toMatchObject({
      status: 204,
      headers: { allow: allowedMethods, "cache-control": "no-store" },
      body: "",
    });
    expect(Object.keys(response?.headers ?? {}).join()).not.toContain("access-control-");
    expect(await mock.requests()).toEqual([]);
  });

  it("is rejected with a message that says what to send", async () => {
    for (const [method, more] of [
      ["OPTIONS", [browser]],
      ["GET", [browser]],
      ["GET", [browser, "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate"]],
    ] as const) {
      const [response] = await ask(method, more);
      expect([response?.status, JSON.parse(response?.body ?? "").error]).toEqual([
        403,
        {
          code: "forbidden_origin",
          message:
            "Requests from a browser need an Authorization header. Send Authorization: Token <api token>.",
        },
      ]);
    }
  });

  it("is distinguished from a program that sends OPTIONS", async () => {
    const [response] = await ask("OPTIONS", ["Origin: http://localhost"]);
    expect([response?.status, response?.headers.allow]).toEqual([204, allowedMethods]);
    expect(await mock.requests()).toHaveLength(1);
  });
});

describe("event stream of a new world", () => {
  const open = (more: readonly string[]) =>
    request({ path: "/worlds/w/__admin/events", authorization: undefined, length: [], body: "", more });

  it.each([
    ["an image, without Sec-Fetch headers", [browser, "Accept: image/avif,*/*"]],
    ["a prefetch", [browser, "Sec-Purpose: prefetch", "Sec-Fetch-Site: none"]],
    ["a prerender, without Sec-Fetch headers", [browser, "Sec-Purpose: prefetch;prerender"]],
  ])("does not open for %s, and creates no world", async (_, more) => {
    const [response] = await exchange(mock.url, [open(more)]);
    expect(response?.status).toBe(403);
    expect((await mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });

  it("does not create the world for HEAD", async () => {
    const sent = request({ method: "HEAD", path: "/worlds/w/__admin/events", length: [], body: "" });
    const [response] = await exchange(mock.url, [sent]);
    expect(response?.status).toBe(405);
    expect((await mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });

  it("creates the world for the inspector, without Sec-Fetch headers", async () => {
    const headers = { "User-Agent": "Mozilla/5.0", Accept: "text/event-stream" };
    const req = httpRequest(`${mock.url}/worlds/w/__admin/events`, { headers, agent: false }).end();
    const [res] = await once(req, "response");
    expect(res.statusCode).toBe(200);
    expect((await mock.worlds()).map(({ name }) => name)).toEqual(["default", "w"]);
    req.destroy();
    await mock.world("w").drop();
  });
});

describe("rejects an ambiguous head", () => {
  it.each([
    ["two Authorization headers", ["Authorization: Token other-api-token"], 400, "ambiguous_header"],
    ["two equal Authorization headers", ["authorization: Token test-api-token"], 400, "ambiguous_header"],
    ["two Content-Type headers", ["Content-Type: text/plain"], 400, "ambiguous_header"],
    [
      "two Content-Encoding headers",
      ["Content-Encoding: gzip", "Content-Encoding: gzip"],
      400,
      "ambiguous_header",
    ],
    [
      "two Origin headers",
      ["Origin: http://localhost", "Origin: https://evil.test"],
      400,
      "ambiguous_header",
    ],
  ])("%s", async (_, more, status, code) => {
    const [response] = await exchange(mock.url, [request({ more })]);
    expect([response?.status, JSON.parse(response?.body ?? "").error.code]).toEqual([status, code]);
    expect(await mock.requests()).toEqual([]);
  });

  it("an unknown transfer coding", async () => {
    const sent = request({ length: ["Transfer-Encoding: gzip, chunked"], body: "2\r\n{}\r\n0\r\n\r\n" });
    const [response] = await exchange(mock.url, [sent]);
    expect([response?.status, JSON.parse(response?.body ?? "").error.code]).toEqual([400, "invalid_http"]);
    expect(await mock.requests()).toEqual([]);
  });

  it("another version of HTTP", async () => {
    const sent = request({}).toString("latin1").replace("HTTP/1.1", "HTTP/2.0");
    const [response] = await exchange(mock.url, [sent]);
    expect([response?.status, JSON.parse(response?.body ?? "").error]).toEqual([
      505,
      { code: "unsupported_version", message: "HTTP/2.0 is not supported. Use HTTP/1.1." },
    ]);
    expect(await mock.requests()).toEqual([]);
  });
});

describe("CONNECT pipelined behind a request", () => {
  const tunnel = "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n";

  it("does not crash when the client resets the connection before the response", async () => {
    const crashes: unknown[] = [];
    const onCrash = (error: unknown) => crashes.push(error);
    process.on("uncaughtException", onCrash);
    const held = await mock.hold();
    const { hostname, port } = new URL(mock.url);
    const socket = connect(Number(port), hostname);
    socket.write(Buffer.concat([request({ close: false }), Buffer.from(tunnel)]));
    // Node closes the connection at a CONNECT, so the request may be aborted already.
    await expect.poll(() => held.fired).toBe(1);
    socket.resetAndDestroy();
    await turns(50);
    await held.release();
    expect((await mock.health()).status).toBe("ok");
    process.off("uncaughtException", onCrash);
    expect(crashes).toEqual([]);
  });
});
