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

/** What a page of another site can make a browser send: name, method, headers. Never an Authorization header. */
const pages: readonly [name: string, method: string, headers: readonly string[]][] = [
  ["a speculation rule that prefetches", "GET", [browser, "Sec-Purpose: prefetch", "Sec-Fetch-Site: none"]],
  ["one that prerenders", "GET", [browser, "Sec-Purpose: prefetch;prerender", "Sec-Fetch-Site: none"]],
  ["an old prefetch", "GET", [browser, "Purpose: prefetch"]],
  ["an old prefetch that nobody asked for", "GET", ["Purpose: prefetch", "Sec-Fetch-Site: none"]],
  ["an old preview", "GET", ["Purpose: preview", "Sec-Fetch-Site: none"]],
  ["an old prefetch of Firefox", "GET", ["X-Moz: prefetch", "Sec-Fetch-Site: none"]],
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
  ["an image, over plain HTTP to another machine", "GET", [browser, "Referer: http://evil.test/"]],
  ["a window", "GET", [browser, "Upgrade-Insecure-Requests: 1"]],
  ["a form", "POST", [browser, "Origin: http://evil.test"]],
  ["a form of a sandboxed frame", "POST", [browser, "Origin: null"]],
  ["a beacon", "POST", [browser, "Origin: https://evil.test", "Sec-Fetch-Site: cross-site"]],
  ["a ping", "POST", [browser, "Origin: https://evil.test", "Ping-To: http://127.0.0.1/"]],
  ["a fetch without a User-Agent", "POST", ["Origin: https://evil.test"]],
];

describe.each(pages)("what a page can make a browser send reaches no world: %s", (_, method, more) => {
  it.each(["/api/user", "/worlds/w/api/user", "/worlds/w/anything", "/worlds/w/"])("at %s", async (path) => {
    const sent = request({ method, path, authorization: undefined, type: "text/plain", more });
    const [answer] = await exchange(mock.url, [sent]);
    expectNoPage(answer);
    expect([answer?.status, JSON.parse(answer?.body ?? "").error.code]).toEqual([403, "forbidden_origin"]);
    expect(await mock.requests()).toEqual([]);
    expect((await mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });
});

describe("a program", () => {
  it.each([
    ["without a User-Agent", []],
    ["that calls itself a browser, with an API token", [browser]],
    ["that hands an Origin on, with an API token", ["Origin: http://localhost:3000"]],
    ["with the origin of the mock itself", ["Origin: http://localhost"]],
    ["with a purpose of its own", ["Purpose: testing"]],
  ])("is answered: %s", async (_, more) => {
    const [answer] = await exchange(mock.url, [request({ more })]);
    expect(answer?.status).toBe(200);
    expect(await mock.requests()).toHaveLength(1);
  });

  it.each([
    [
      "a test in jsdom",
      ["User-Agent: Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/26.1.0"],
    ],
    ["a person who types the address", [browser, "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate"]],
    [
      "a proxy of the page's own origin",
      [browser, "Origin: http://localhost:5173", "Sec-Fetch-Site: same-origin"],
    ],
  ])("that forgets its API token is told so: %s", async (_, more) => {
    const [answer] = await exchange(mock.url, [request({ authorization: undefined, more })]);
    expect([answer?.status, JSON.parse(answer?.body ?? "").error.code]).toEqual([401, "unauthorized"]);
    expect(await mock.requests()).toHaveLength(1);
  });

  it.each([
    ["that calls itself a browser, with an API token", {}, [browser], 200],
    ["that hands an Origin on, with an API token", {}, ["Origin: http://localhost:3000"], 200],
    ["that sends no API token", { authorization: undefined }, ["User-Agent: curl/8"], 401],
  ])("brings a world to life: one %s", async (_, parts, more, status) => {
    const [answer] = await exchange(mock.url, [request({ path: "/worlds/w/api/user", ...parts, more })]);
    expect(answer?.status).toBe(status);
    expect((await mock.worlds()).map(({ name }) => name)).toEqual(["default", "w"]);
    await mock.world("w").drop();
  });

  it("without an API token is told so, and the journal has it", async () => {
    const [answer] = await exchange(mock.url, [
      request({ authorization: undefined, more: ["User-Agent: curl/8"] }),
    ]);
    expect(answer?.status).toBe(401);
    expect(await mock.requests()).toHaveLength(1);
  });
});

describe("a browser that sends no Sec-Fetch headers", () => {
  const ask = (method: string, more: readonly string[]) =>
    exchange(mock.url, [request({ method, authorization: undefined, length: [], body: "", more })]);

  it("learns by a preflight which methods there are, and the journal has nothing of it", async () => {
    const [answer] = await ask("OPTIONS", [browser, "Origin: https://evil.test"]);
    expect(answer).toMatchObject({
      status: 204,
      headers: { allow: allowedMethods, "cache-control": "no-store" },
      body: "",
    });
    expect(Object.keys(answer?.headers ?? {}).join()).not.toContain("access-control-");
    expect(await mock.requests()).toEqual([]);
  });

  it("is told what a program sends when it asks otherwise", async () => {
    for (const [method, more] of [
      ["OPTIONS", [browser]],
      ["GET", [browser]],
    ] as const) {
      const [answer] = await ask(method, more);
      expect([answer?.status, JSON.parse(answer?.body ?? "").error]).toEqual([
        403,
        {
          code: "forbidden_origin",
          message:
            "Requests of a browser need an Authorization header. Send Authorization: Token <api token>.",
        },
      ]);
    }
  });

  it("is told from a program that asks which methods there are", async () => {
    const [answer] = await ask("OPTIONS", ["Origin: http://localhost"]);
    expect([answer?.status, answer?.headers.allow]).toEqual([204, allowedMethods]);
    expect(await mock.requests()).toHaveLength(1);
  });
});

describe("the event stream of a world that nobody has used", () => {
  const open = (more: readonly string[]) =>
    request({ path: "/worlds/w/__admin/events", authorization: undefined, length: [], body: "", more });

  it.each([
    ["an image, over plain HTTP to another machine", [browser, "Accept: image/avif,*/*"]],
    ["a prefetch", [browser, "Sec-Purpose: prefetch", "Sec-Fetch-Site: none"]],
    ["a prerender, over plain HTTP to another machine", [browser, "Sec-Purpose: prefetch;prerender"]],
  ])("is not opened and creates no world for %s", async (_, more) => {
    const [answer] = await exchange(mock.url, [open(more)]);
    expect(answer?.status).toBe(403);
    expect((await mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });

  it("is not created by HEAD", async () => {
    const sent = request({ method: "HEAD", path: "/worlds/w/__admin/events", length: [], body: "" });
    const [answer] = await exchange(mock.url, [sent]);
    expect(answer?.status).toBe(405);
    expect((await mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });

  it("brings it to life for the inspector, over plain HTTP to another machine", async () => {
    const headers = { "User-Agent": "Mozilla/5.0", Accept: "text/event-stream" };
    const req = httpRequest(`${mock.url}/worlds/w/__admin/events`, { headers, agent: false }).end();
    const [res] = await once(req, "response");
    expect(res.statusCode).toBe(200);
    expect((await mock.worlds()).map(({ name }) => name)).toEqual(["default", "w"]);
    req.destroy();
    await mock.world("w").drop();
  });
});

describe("an ambiguous head is refused", () => {
  it.each([
    ["two Authorization headers", ["Authorization: Token other-api-token"], 400, "ambiguous_header"],
    ["two that say the same", ["authorization: Token test-api-token"], 400, "ambiguous_header"],
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
    const [answer] = await exchange(mock.url, [request({ more })]);
    expect([answer?.status, JSON.parse(answer?.body ?? "").error.code]).toEqual([status, code]);
    expect(await mock.requests()).toEqual([]);
  });

  it("an unknown transfer coding", async () => {
    const sent = request({ length: ["Transfer-Encoding: gzip, chunked"], body: "2\r\n{}\r\n0\r\n\r\n" });
    const [answer] = await exchange(mock.url, [sent]);
    expect([answer?.status, JSON.parse(answer?.body ?? "").error.code]).toEqual([400, "invalid_http"]);
    expect(await mock.requests()).toEqual([]);
  });

  it("another version of HTTP", async () => {
    const sent = request({}).toString("latin1").replace("HTTP/1.1", "HTTP/2.0");
    const [answer] = await exchange(mock.url, [sent]);
    expect([answer?.status, JSON.parse(answer?.body ?? "").error]).toEqual([
      505,
      { code: "unsupported_version", message: "This mock speaks HTTP/1.1, not HTTP/2.0." },
    ]);
    expect(await mock.requests()).toEqual([]);
  });
});

describe("a CONNECT that is pipelined behind a call", () => {
  const tunnel = "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n";

  it("does no harm when the caller resets the connection before the call was answered", async () => {
    const crashes: unknown[] = [];
    const onCrash = (error: unknown) => crashes.push(error);
    process.on("uncaughtException", onCrash);
    const held = await mock.hold();
    const { hostname, port } = new URL(mock.url);
    const socket = connect(Number(port), hostname);
    socket.write(Buffer.concat([request({ close: false }), Buffer.from(tunnel)]));
    // Node closes the connection at a CONNECT, so the call may be abandoned already.
    await expect.poll(() => held.fired).toBe(1);
    socket.resetAndDestroy();
    await turns(50);
    await held.release();
    expect((await mock.health()).status).toBe("ok");
    process.off("uncaughtException", onCrash);
    expect(crashes).toEqual([]);
  });
});
