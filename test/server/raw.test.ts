import { METHODS } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { allowedMethods } from "../../src/contract/operations.js";
import { seededToken } from "../seeded.js";
import { unusedMethods } from "../unused-methods.js";
import { exchange, turns } from "./raw-socket.js";
import {
  checkAll,
  chunk,
  expectNoPage,
  expectUnharmed,
  json,
  type Row,
  request,
  serveRows,
} from "./raw-table.js";

const mock = serveRows();

describe("rejects invalid HTTP and closes the connection", () => {
  const chunked = (chunks: string, ...more: string[]) =>
    request({ length: ["Transfer-Encoding: chunked", ...more], body: chunks, close: false });
  const withLength = (...length: string[]) => request({ length, close: false });
  const rejected = (...parts: (string | Buffer)[]): Row => ({ parts, status: 400, code: "invalid_http" });
  const accepted = { status: 200, code: undefined, created: 1, keptOpen: true };
  const brokenOff: Row["elsewhere"] = {
    deno: { status: [], why: "Deno does not respond to a client that aborts" },
  };

  checkAll({
    "both Content-Length and Transfer-Encoding": rejected(
      chunked(`${chunk(json)}0\r\n\r\n`, `Content-Length: ${json.length}`),
    ),
    "two different Content-Lengths": rejected(
      withLength("Content-Length: 3", `Content-Length: ${json.length}`),
    ),
    "two equal Content-Lengths": {
      ...rejected(withLength(`Content-Length: ${json.length}`, `Content-Length: ${json.length}`)),
      elsewhere: {
        bun: { ...accepted, why: "Bun accepts equal ones as one, as RFC 9110 allows" },
      },
    },
    "Content-Length: +10": rejected(withLength("Content-Length: +10")),
    "Content-Length: -1": rejected(withLength("Content-Length: -1")),
    "Content-Length: 10, 10": rejected(withLength("Content-Length: 10, 10")),
    "an empty Content-Length": rejected(withLength("Content-Length:")),
    "Transfer-Encoding: xchunked": rejected(withLength("Transfer-Encoding: xchunked")),
    "a chunk whose size is not a number": rejected(chunked(`xyz\r\n${json}\r\n0\r\n\r\n`)),
    "a chunk longer than its size": rejected(chunked(`5\r\n${json}\r\n0\r\n\r\n`)),
    "lines that end in a bare LF": rejected(request({ close: false }).toString().replaceAll("\r\n", "\n")),
    "one line that ends in a bare LF": rejected(request({ more: ["X-A: a\nX-B: b"], close: false })),
    "a folded header": rejected(request({ more: ["X-Folded: a\r\n b"], close: false })),
    "a space before the colon": rejected(request({ more: ["X-Spaced : a"], close: false })),
    "a NUL in the path": rejected(request({ path: "/api/user\0", close: false })),
    "raw UTF-8 in the path": rejected(request({ path: "/api/üser", close: false })),
    "an unknown method": rejected(request({ method: "FROB", close: false })),
    "a method in lower case": rejected(request({ method: "get", close: false })),
    "TLS on a plain port": rejected(Buffer.from("16030100c8010000c40303", "hex")),
    "a body shorter than its Content-Length, then FIN": {
      ...rejected(request({ length: ["Content-Length: 50"], body: json.slice(0, 10), close: false })),
      fin: true,
      elsewhere: brokenOff,
    },
    "a chunked body without its last chunk, then FIN": {
      ...rejected(chunked(chunk(json))),
      fin: true,
      elsewhere: brokenOff,
    },
    "a chunk extension of 20 kB": {
      parts: [chunked(`${json.length.toString(16)};${"x".repeat(20_000)}\r\n${json}\r\n0\r\n\r\n`)],
      status: 413,
      code: "invalid_http",
      elsewhere: { deno: { ...accepted, why: "Deno accepts extensions of any length" } },
    },
    "a header of 20 kB": {
      parts: [request({ more: [`X-Long: ${"x".repeat(20_000)}`], close: false })],
      status: 431,
      code: "invalid_http",
    },
  });

  it("CONNECT, without a response", async () => {
    const connect = "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n";
    expect(await exchange(mock().url, [connect])).toEqual([]);
    await expectUnharmed(0);
  });
});

describe("methods of /api/user", () => {
  const notAllowed = (method: string): Row => ({
    parts: [request({ method })],
    status: 405,
    code: "method_not_allowed",
    headers: { allow: allowedMethods },
  });

  checkAll({
    ...Object.fromEntries(
      unusedMethods.map((method) => [`rejects ${method} with 405`, notAllowed(method)] as const),
    ),
    // Older versions of Node do not know this method.
    "rejects QUERY": METHODS.includes("QUERY")
      ? notAllowed("QUERY")
      : { parts: [request({ method: "QUERY", close: false })], status: 400, code: "invalid_http" },
  });

  it("rejects HEAD with 405 and without a body", async () => {
    const [response, ...others] = await exchange(mock().url, [request({ method: "HEAD" })]);
    expect(response).toMatchObject({ status: 405, headers: { allow: allowedMethods }, body: "" });
    expect(others).toEqual([]);
    await expectUnharmed(0);
  });

  it.each([
    ["without an Origin with 204, Allow and no CORS headers", [], 204, allowedMethods],
    ["of another origin with 403", ["Origin: https://example.test"], 403, undefined],
  ])("responds to OPTIONS %s", async (_, origin, status, allow) => {
    const parts = { method: "OPTIONS", authorization: undefined, more: origin, length: [], body: "" };
    const [response, ...others] = await exchange(mock().url, [request(parts)]);
    expect([response?.status, response?.headers.allow, others]).toEqual([status, allow, []]);
    const names = Object.keys(response?.headers ?? {});
    expect(names.filter((name) => name.startsWith("access-control-"))).toEqual([]);
    await expectUnharmed(0);
  });
});

describe("paths", () => {
  const notFound = (path: string): Row => ({ parts: [request({ path })], status: 404, code: "not_found" });
  const found = (path: string): Row => ({ parts: [request({ path })], status: 200, created: 1 });

  checkAll({
    "/API/User: 404": notFound("/API/User"),
    "//api/user: 404": notFound("//api/user"),
    "/api%2fuser: 404": notFound("/api%2fuser"),
    "/api/%75ser: 404": notFound("/api/%75ser"),
    "/api/user;x=1: 404": notFound("/api/user;x=1"),
    "/api/./user: 404": notFound("/api/./user"),
    "/x/../api/user: 404": notFound("/x/../api/user"),
    "/api/user%00: 404": notFound("/api/user%00"),
    "/%E0%A4%A (a broken escape): 404": notFound("/%E0%A4%A"),
    "/api/user/<script>: 404": notFound("/api/user/<script>alert(1)</script>"),
    "/__proto__: 404": notFound("/__proto__"),
    "/api/user?x=1: 200, the query is ignored": found("/api/user?x=1"),
    "/api/user?: 200": found("/api/user?"),
  });
});

describe("rejects with 401", () => {
  const rejected = (authorization: string | undefined, body?: string): Row => ({
    parts: [request({ authorization, ...(body !== undefined && { body }) })],
    status: 401,
    code: "unauthorized",
    headers: { "www-authenticate": "Token" },
  });

  checkAll({
    "a request without Authorization": rejected(undefined),
    "an empty Authorization": rejected(""),
    "the scheme Bearer": rejected("Bearer x"),
    "a valid API token with the scheme Bearer": rejected("Bearer test-api-token"),
    "the scheme without an API token": rejected("Token"),
    "an API token without a scheme": rejected("test-api-token"),
    "two words after the scheme": rejected("Token a b"),
    "two valid API tokens": rejected("Token test-api-token other-api-token"),
    "two spaces after the scheme": rejected("Token  test-api-token"),
    "an unknown API token": rejected("Token unknown"),
    "the token of a group": rejected(`Token ${seededToken}`),
    "an API token named __proto__": rejected("Token __proto__"),
    "an Authorization of 8 kB": rejected(`Token ${"x".repeat(8_000)}`),
    "a tab in Authorization": rejected("Token test-api-token\tx"),
    "a no-break space in Authorization": rejected("Token\u00a0test-api-token"),
    "a quoted API token": rejected('Token "test-api-token"'),
    "a parameter in Authorization": rejected("Token token=test-api-token"),
    "an escaped API token": rejected("Token test%2dapi%2dtoken"),
    "an unknown API token with a malformed body": rejected("Token unknown", "{"),
    "an unknown API token with a body over the limit": rejected("Token unknown", "x".repeat(101_000)),
  });
});

describe("connections", () => {
  it("sends responses to pipelined requests in order", async () => {
    const get = request({ body: '{"user_group_id":"example_1"}', close: false });
    const post = request({ method: "POST", body: JSON.stringify({ current_token: seededToken }) });
    const responses = await exchange(mock().url, [Buffer.concat([get, post])]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const [got, rotated] = responses.map(({ body }) => JSON.parse(body));
    expect(got).toMatchObject({ new_user_group: false, user_group: { token: seededToken } });
    expect(rotated.user_group).toMatchObject({ provided_id: "example_1" });
    expect(rotated.user_group.token).not.toBe(seededToken);
    await expectUnharmed(0);
  });

  checkAll({
    "responds to a complete request before invalid HTTP, then closes": {
      parts: [Buffer.concat([request({ close: false }), Buffer.from("\u0001\u0002 garbage\r\n\r\n")])],
      status: 200,
      created: 1,
      elsewhere: { bun: { status: [200, 400], why: "Bun responds to invalid HTTP, too" } },
    },
  });

  it("sends 100 Continue before the response to Expect: 100-continue", async () => {
    const responses = await exchange(mock().url, [request({ more: ["Expect: 100-continue"] })]);
    expect(responses.map(({ status }) => status)).toEqual([100, 200]);
    await expectUnharmed(1);
  });

  it("sends 100 Continue to a pipelined request after the response before it", async () => {
    const second = request({ more: ["Expect: 100-continue"] });
    const responses = await exchange(mock().url, [Buffer.concat([request({ close: false }), second])]);
    expect(responses.map(({ status }) => status)).toEqual([200, 100, 200]);
    await expectUnharmed(1);
  });

  it("rejects any other Expect with 417", async () => {
    const [response, ...others] = await exchange(mock().url, [request({ more: ["Expect: banana"] })]);
    expect(response?.status).toBe(417);
    expectNoPage(response);
    expect(others).toEqual([]);
    await expectUnharmed(0);
  });

  it("responds to a request pipelined behind a 417", async () => {
    // Without bodies, so that the second response is ready while the first is still being sent.
    const head = (...more: string[]) =>
      `${["GET /api/user HTTP/1.1", "Host: localhost", ...more].join("\r\n")}\r\n\r\n`;
    const requests = head("Expect: banana", "Content-Length: 0") + head("Connection: close");
    const responses = await exchange(mock().url, [requests]);
    expect(responses.map(({ status }) => status)).toEqual([417, 401]);
  });

  const upgrade = (to: string, ...more: string[]): Row => {
    const wanted = ["Connection: Upgrade, close", `Upgrade: ${to}`, ...more];
    return { parts: [request({ more: wanted, close: false })], status: 200, created: 1 };
  };

  checkAll({
    "ignores an upgrade to a WebSocket": upgrade(
      "websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ),
    "ignores an upgrade to h2c": upgrade("h2c", "HTTP2-Settings: AAMAAABkAAQ"),
    "ignores a header named __proto__": {
      parts: [request({ more: ["__proto__: polluted", "constructor: polluted"] })],
      status: 200,
      created: 1,
    },
    "reads a body that arrives byte by byte": {
      parts: [...request({}).toString()],
      turnsBetween: 1,
      status: 200,
      created: 1,
    },
    "reads a chunked body": {
      parts: [
        request({
          length: ["Transfer-Encoding: chunked"],
          body: `${chunk(json.slice(0, 5))}${chunk(json.slice(5))}0\r\n\r\n`,
        }),
      ],
      status: 200,
      created: 1,
    },
    "reads a chunked body with a short extension and a trailer": {
      parts: [
        request({
          length: ["Transfer-Encoding: chunked"],
          body: `${json.length.toString(16)};a=b\r\n${json}\r\n0\r\nX-Trailer: a\r\n\r\n`,
        }),
      ],
      status: 200,
      created: 1,
    },
  });
});

describe("an h2c upgrade header", () => {
  const h2c = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQ"];
  const offer = (parts: Parameters<typeof request>[0] = {}) => request({ ...parts, more: h2c, close: false });
  const other = request({ body: '{"user_group_id":"other","name":"Other"}', close: false });
  const close = request({});

  it("keeps the connection usable when sent repeatedly", async () => {
    const { hostname, port } = new URL(mock().url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
    const [head = "", body = ""] = split(offer(), -json.length);
    const bodiless = offer({ path: "/__admin/health", length: [], body: "" });
    const requests = [[offer()], [head, body], [bodiless], [offer()], [other], [close]];
    for (const [n, parts] of requests.entries()) {
      for (const part of parts) {
        socket.write(part);
        await turns(5);
      }
      await expect.poll(statuses).toHaveLength(n + 1);
    }
    expect(statuses()).toEqual([200, 200, 200, 200, 200, 200]);
    await expectUnharmed(2);
  });
});

/** Splits bytes into two packets. */
function split(bytes: Buffer, at: number): [Buffer, Buffer] {
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

describe("a client that reads only after it has written 5 MB receives", () => {
  const large = "x".repeat(5_000_000);
  const received = (sent: Buffer, status: number, code: string): Row => ({
    parts: [sent],
    readLast: true,
    status,
    code,
  });
  const mostlyReceived = (sent: Buffer, status: number, code: string): Row => ({
    ...received(sent, status, code),
    elsewhere: {
      bun: { mayReset: true, why: "Bun stops reading after Connection: close" },
    },
  });

  checkAll({
    "413 for a body that is too large": mostlyReceived(request({ body: large }), 413, "payload_too_large"),
    "413 on a keep-alive connection": received(
      request({ body: large, close: false }),
      413,
      "payload_too_large",
    ),
    "413 for a chunked body that is too large": mostlyReceived(
      request({ length: ["Transfer-Encoding: chunked"], body: `${chunk(large)}0\r\n\r\n` }),
      413,
      "payload_too_large",
    ),
    "400 for a GET without a length": received(request({ length: [], body: large }), 400, "missing_body"),
    "401 for an unknown API token": mostlyReceived(
      request({ authorization: "Token unknown", body: large }),
      401,
      "unauthorized",
    ),
    "404 for an unknown path": mostlyReceived(request({ path: "/api", body: large }), 404, "not_found"),
    "415 for an unsupported type": mostlyReceived(
      request({ type: "text/plain", body: large }),
      415,
      "unsupported_media_type",
    ),
    "431 for a header that is too large": received(
      request({ more: [`X-Long: ${large}`], close: false }),
      431,
      "invalid_http",
    ),
  });
});
