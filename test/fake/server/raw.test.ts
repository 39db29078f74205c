import { METHODS } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { allowedMethods } from "../../../src/fake/contract/operations.js";
import { seededToken } from "../../seeded.js";
import { unusedMethods } from "../../unused-methods.js";
import { exchange, turns } from "./raw-socket.js";
import { checkAll, chunk, expectUnharmed, json, type Row, request, serveRows } from "./raw-table.js";

const mock = serveRows();

describe("rejects invalid HTTP and closes the connection", () => {
  const chunked = (chunks: string, ...more: string[]) =>
    request({ length: ["Transfer-Encoding: chunked", ...more], body: chunks, close: false });
  const withLength = (...length: string[]) => request({ length, close: false });
  const rejected = (...parts: (string | Buffer)[]): Row => ({ parts, status: 400, isNotHttp: true });

  checkAll({
    "both Content-Length and Transfer-Encoding": rejected(
      chunked(`${chunk(json)}0\r\n\r\n`, `Content-Length: ${json.length}`),
    ),
    "two different Content-Lengths": rejected(
      withLength("Content-Length: 3", `Content-Length: ${json.length}`),
    ),
    "two equal Content-Lengths": rejected(
      withLength(`Content-Length: ${json.length}`, `Content-Length: ${json.length}`),
    ),
    "Content-Length: +10": rejected(withLength("Content-Length: +10")),
    "Content-Length: -1": rejected(withLength("Content-Length: -1")),
    "Content-Length: 10, 10": rejected(withLength("Content-Length: 10, 10")),
    "an empty Content-Length": rejected(withLength("Content-Length:")),
    "Transfer-Encoding: xchunked": rejected(withLength("Transfer-Encoding: xchunked")),
    "a chunk whose size is not a number": rejected(chunked(`xyz\r\n${json}\r\n0\r\n\r\n`)),
    "a chunk longer than its size": rejected(chunked(`5\r\n${json}\r\n0\r\n\r\n`)),
    "lines that end in a bare LF": rejected(request({ close: false }).toString().replaceAll("\r\n", "\n")),
    "a folded header": rejected(request({ more: ["X-Folded: a\r\n b"], close: false })),
    "a space before the colon": rejected(request({ more: ["X-Spaced : a"], close: false })),
    "a NUL in the path": rejected(request({ path: "/api/user\0", close: false })),
    "raw UTF-8 in the path": rejected(request({ path: "/api/üser", close: false })),
    "an unknown method": rejected(request({ method: "FROB", close: false })),
    "a method in lower case": rejected(request({ method: "get", close: false })),
    "a body shorter than its Content-Length, then FIN": {
      ...rejected(request({ length: ["Content-Length: 50"], body: json.slice(0, 10), close: false })),
      fin: true,
    },
    "a chunked body without its last chunk, then FIN": {
      ...rejected(chunked(chunk(json))),
      fin: true,
    },
    "a chunk extension of 20 kB": {
      parts: [chunked(`${json.length.toString(16)};${"x".repeat(20_000)}\r\n${json}\r\n0\r\n\r\n`)],
      status: 413,
      isNotHttp: true,
    },
    "a header of 20 kB": {
      parts: [request({ more: [`X-Long: ${"x".repeat(20_000)}`], close: false })],
      status: 431,
      isNotHttp: true,
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
      : { parts: [request({ method: "QUERY", close: false })], status: 400, isNotHttp: true },
  });

  it("rejects HEAD with 405 and without a body", async () => {
    const [response, ...others] = await exchange(mock().url, [request({ method: "HEAD" })]);
    expect(response).toMatchObject({ status: 405, headers: { allow: allowedMethods }, body: "" });
    expect(others).toEqual([]);
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
    "/%E0%A4%A (a broken escape): 404": notFound("/%E0%A4%A"),
    "/api/user?x=1: 200, the query is ignored": found("/api/user?x=1"),
  });
});

describe("authentication", () => {
  checkAll({
    "comes before the check of the body": {
      parts: [request({ authorization: "Token unknown", body: "{" })],
      status: 401,
      code: "unauthorized",
    },
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
    },
  });

  it("sends 100 Continue before the response to Expect: 100-continue", async () => {
    const responses = await exchange(mock().url, [request({ more: ["Expect: 100-continue"] })]);
    expect(responses.map(({ status }) => status)).toEqual([100, 200]);
    await expectUnharmed(1);
  });

  const upgrade = (to: string, ...more: string[]): Row => {
    const wanted = ["Connection: Upgrade, close", `Upgrade: ${to}`, ...more];
    return { parts: [request({ more: wanted, close: false })], status: 200, created: 1 };
  };

  checkAll({
    "ignores any other Expect": { parts: [request({ more: ["Expect: banana"] })], status: 200, created: 1 },
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
  });
});

describe("a connection with invalid HTTP behind a held request", () => {
  it("is closed after the response, without adding a listener for each read", async () => {
    const warned: string[] = [];
    const onWarning = ({ name }: Error) => warned.push(name);
    process.on("warning", onWarning);
    const held = await mock().hold();
    const parts = [request({ close: false }), ...Array<string>(20).fill("not HTTP\r\n\r\n")];
    const exchanged = exchange(mock().url, parts, { turnsBetween: 5 });
    await held.arrived();
    await turns(20 * 5 + 50);
    await held.release();
    expect((await exchanged).map(({ status }) => status)).toEqual([200]);
    process.off("warning", onWarning);
    expect(warned).toEqual([]);
    await expectUnharmed(1);
  });
});

describe("CONNECT pipelined behind a request", () => {
  it("does not crash when the client resets the connection before the response", async () => {
    const crashes: unknown[] = [];
    const onCrash = (error: unknown) => crashes.push(error);
    process.on("uncaughtException", onCrash);
    const held = await mock().hold();
    const { hostname, port } = new URL(mock().url);
    const socket = connect(Number(port), hostname);
    const tunnel = "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n";
    socket.write(Buffer.concat([request({ close: false }), Buffer.from(tunnel)]));
    // Node closes the connection at a CONNECT, so the request may be aborted already.
    await expect.poll(() => held.fired()).toBe(1);
    socket.resetAndDestroy();
    await turns(50);
    await held.release();
    expect((await mock().health()).status).toBe("ok");
    process.off("uncaughtException", onCrash);
    expect(crashes).toEqual([]);
  });
});

describe("a client that reads only after it has written 5 MB receives", () => {
  const large = "x".repeat(5_000_000);
  const received = (sent: Buffer, status: number, code: string): Row => ({
    parts: [sent],
    readLast: true,
    status,
    code,
  });

  checkAll({
    "413 for a body that is too large": received(request({ body: large }), 413, "payload_too_large"),
    "413 for a chunked body that is too large": received(
      request({ length: ["Transfer-Encoding: chunked"], body: `${chunk(large)}0\r\n\r\n` }),
      413,
      "payload_too_large",
    ),
    "400 for a GET without a length": received(request({ length: [], body: large }), 400, "missing_body"),
    "413 for a body that is too large, with an unknown API token": received(
      request({ authorization: "Token unknown", body: large }),
      413,
      "payload_too_large",
    ),
    "404 for an unknown path": received(request({ path: "/api", body: large }), 404, "not_found"),
    "431 for a header that is too large": {
      parts: [request({ more: [`X-Long: ${large}`], close: false })],
      readLast: true,
      status: 431,
      isNotHttp: true,
    },
  });
});
