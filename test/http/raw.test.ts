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

describe("what is not HTTP is refused and its connection closed", () => {
  const chunked = (chunks: string, ...more: string[]) =>
    request({ length: ["Transfer-Encoding: chunked", ...more], body: chunks, close: false });
  const withLength = (...length: string[]) => request({ length, close: false });
  const refused = (...parts: (string | Buffer)[]): Row => ({ parts, status: 400, code: "invalid_http" });
  const accepted = { status: 200, code: undefined, created: 1, keptOpen: true };
  const brokenOff: Row["elsewhere"] = { deno: { status: [], why: "Deno answers nobody who breaks off" } };

  checkAll({
    "both Content-Length and Transfer-Encoding": refused(
      chunked(`${chunk(json)}0\r\n\r\n`, `Content-Length: ${json.length}`),
    ),
    "two different Content-Lengths": refused(
      withLength("Content-Length: 3", `Content-Length: ${json.length}`),
    ),
    "two equal Content-Lengths": {
      ...refused(withLength(`Content-Length: ${json.length}`, `Content-Length: ${json.length}`)),
      elsewhere: {
        bun: { ...accepted, why: "Bun takes equal ones for one, as RFC 9110 allows" },
      },
    },
    "Content-Length: +10": refused(withLength("Content-Length: +10")),
    "Content-Length: -1": refused(withLength("Content-Length: -1")),
    "Content-Length: 10, 10": refused(withLength("Content-Length: 10, 10")),
    "an empty Content-Length": refused(withLength("Content-Length:")),
    "Transfer-Encoding: xchunked": refused(withLength("Transfer-Encoding: xchunked")),
    "a chunk whose size is no number": refused(chunked(`xyz\r\n${json}\r\n0\r\n\r\n`)),
    "a chunk longer than its size": refused(chunked(`5\r\n${json}\r\n0\r\n\r\n`)),
    "lines that end in a bare LF": refused(request({ close: false }).toString().replaceAll("\r\n", "\n")),
    "one line that ends in a bare LF": refused(request({ more: ["X-A: a\nX-B: b"], close: false })),
    "a folded header": refused(request({ more: ["X-Folded: a\r\n b"], close: false })),
    "a space before the colon": refused(request({ more: ["X-Spaced : a"], close: false })),
    "a NUL in the path": refused(request({ path: "/api/user\0", close: false })),
    "raw UTF-8 in the path": refused(request({ path: "/api/üser", close: false })),
    "an unknown method": refused(request({ method: "FROB", close: false })),
    "a method in lower case": refused(request({ method: "get", close: false })),
    "TLS on a plain port": refused(Buffer.from("16030100c8010000c40303", "hex")),
    "a body shorter than its Content-Length, then the end": {
      ...refused(request({ length: ["Content-Length: 50"], body: json.slice(0, 10), close: false })),
      fin: true,
      elsewhere: brokenOff,
    },
    "a chunked body that ends before its last chunk": {
      ...refused(chunked(chunk(json))),
      fin: true,
      elsewhere: brokenOff,
    },
    "a chunk extension of 20 kB": {
      parts: [chunked(`${json.length.toString(16)};${"x".repeat(20_000)}\r\n${json}\r\n0\r\n\r\n`)],
      status: 413,
      code: "invalid_http",
      elsewhere: { deno: { ...accepted, why: "Deno reads over extensions of any length" } },
    },
    "a header of 20 kB": {
      parts: [request({ more: [`X-Long: ${"x".repeat(20_000)}`], close: false })],
      status: 431,
      code: "invalid_http",
    },
  });

  it("closes after CONNECT without an answer", async () => {
    const connect = "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n";
    expect(await exchange(mock().url, [connect])).toEqual([]);
    await expectUnharmed(0);
  });
});

describe("a method", () => {
  const notAllowed = (method: string): Row => ({
    parts: [request({ method })],
    status: 405,
    code: "method_not_allowed",
    headers: { allow: allowedMethods },
  });

  checkAll({
    ...Object.fromEntries(
      unusedMethods.map((method) => [`${method} is not allowed`, notAllowed(method)] as const),
    ),
    // Node's parser learnt it late; before that it is as unknown as any other word.
    "QUERY is not allowed": METHODS.includes("QUERY")
      ? notAllowed("QUERY")
      : { parts: [request({ method: "QUERY", close: false })], status: 400, code: "invalid_http" },
  });

  it("HEAD is not allowed, says so without a body, and creates nothing", async () => {
    const [answer, ...others] = await exchange(mock().url, [request({ method: "HEAD" })]);
    expect(answer).toMatchObject({ status: 405, headers: { allow: allowedMethods }, body: "" });
    expect(others).toEqual([]);
    await expectUnharmed(0);
  });

  it("OPTIONS tells what is allowed, and lets no foreign page in", async () => {
    const preflight = ["Origin: https://example.test", "Access-Control-Request-Method: POST"];
    const parts = [request({ method: "OPTIONS", more: preflight, length: [], body: "" })];
    const [answer, ...others] = await exchange(mock().url, parts);
    expect(answer).toMatchObject({ status: 204, headers: { allow: allowedMethods }, body: "" });
    const names = Object.keys(answer?.headers ?? {});
    expect(names.filter((name) => name.startsWith("access-control-"))).toEqual([]);
    expect(others).toEqual([]);
    await expectUnharmed(0);
  });
});

describe("a path", () => {
  const notFound = (path: string): Row => ({ parts: [request({ path })], status: 404, code: "not_found" });
  const found = (path: string): Row => ({ parts: [request({ path })], status: 200, created: 1 });

  checkAll({
    "/API/User is not there": notFound("/API/User"),
    "//api/user is not there": notFound("//api/user"),
    "/api%2fuser is not there": notFound("/api%2fuser"),
    "/api/%75ser is not there": notFound("/api/%75ser"),
    "/api/user;x=1 is not there": notFound("/api/user;x=1"),
    "/api/./user is not there": notFound("/api/./user"),
    "/x/../api/user is not there": notFound("/x/../api/user"),
    "/api/user%00 is not there": notFound("/api/user%00"),
    "/%E0%A4%A with a broken escape is not there": notFound("/%E0%A4%A"),
    "/api/user/<script> is not there": notFound("/api/user/<script>alert(1)</script>"),
    "/__proto__ is not there": notFound("/__proto__"),
    "/api/user?x=1 is there, and the query means nothing": found("/api/user?x=1"),
    "/api/user? is there": found("/api/user?"),
  });
});

describe("an Authorization header", () => {
  const refused = (authorization: string | undefined, body?: string): Row => ({
    parts: [request({ authorization, ...(body !== undefined && { body }) })],
    status: 401,
    code: "unauthorized",
    headers: { "www-authenticate": "Token" },
  });

  checkAll({
    "is needed": refused(undefined),
    "may not be empty": refused(""),
    "may not be Bearer x": refused("Bearer x"),
    "may not be Bearer with a good API token": refused("Bearer test-api-token"),
    "may not be Token alone": refused("Token"),
    "may not be the API token alone": refused("test-api-token"),
    "may not hold two words": refused("Token a b"),
    "may not hold a good API token and another": refused("Token test-api-token other-api-token"),
    "may not have two spaces": refused("Token  test-api-token"),
    "may not hold an unknown API token": refused("Token nobody"),
    "may not hold the token of a group": refused(`Token ${seededToken}`),
    "may not name what every object has": refused("Token __proto__"),
    "is looked at before a malformed body": refused("Token nobody", "{"),
    "is looked at before a body over the limit": refused("Token nobody", "x".repeat(101_000)),
  });
});

describe("a connection", () => {
  it("gives the answers to pipelined calls in their order", async () => {
    const get = request({ body: '{"user_group_id":"example_1"}', close: false });
    const post = request({ method: "POST", body: JSON.stringify({ current_token: seededToken }) });
    const answers = await exchange(mock().url, [Buffer.concat([get, post])]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [got, rotated] = answers.map(({ body }) => JSON.parse(body));
    expect(got).toMatchObject({ new_user_group: false, user_group: { token: seededToken } });
    expect(rotated.user_group).toMatchObject({ provided_id: "example_1" });
    expect(rotated.user_group.token).not.toBe(seededToken);
    await expectUnharmed(0);
  });

  checkAll({
    "answers the call that is whole before what is not HTTP, and then closes": {
      parts: [Buffer.concat([request({ close: false }), Buffer.from("\u0001\u0002 garbage\r\n\r\n")])],
      status: 200,
      created: 1,
      elsewhere: { bun: { status: [200, 400], why: "Bun answers what is not HTTP, too" } },
    },
  });

  it("is asked for the body by 100-continue, and then answered", async () => {
    const answers = await exchange(mock().url, [request({ more: ["Expect: 100-continue"] })]);
    expect(answers.map(({ status }) => status)).toEqual([100, 200]);
    await expectUnharmed(1);
  });

  it("is refused with 417 when it expects anything else", async () => {
    const [answer, ...others] = await exchange(mock().url, [request({ more: ["Expect: banana"] })]);
    expect(answer?.status).toBe(417);
    expectNoPage(answer);
    expect(others).toEqual([]);
    await expectUnharmed(0);
  });

  it("other than 100-continue does not keep the next call of the connection from its answer", async () => {
    // Without bodies, so that the second is answered while the answer to the first is still on its way.
    const head = (...more: string[]) =>
      `${["GET /api/user HTTP/1.1", "Host: localhost", ...more].join("\r\n")}\r\n\r\n`;
    const calls = head("Expect: banana", "Content-Length: 0") + head("Connection: close");
    const answers = await exchange(mock().url, [calls]);
    expect(answers.map(({ status }) => status)).toEqual([417, 401]);
  });

  const upgrade = (to: string, ...more: string[]): Row => {
    const wanted = ["Connection: Upgrade, close", `Upgrade: ${to}`, ...more];
    return { parts: [request({ more: wanted, close: false })], status: 200, created: 1 };
  };

  checkAll({
    "stays with HTTP/1.1 when an upgrade to a web socket is asked for": upgrade(
      "websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ),
    "stays with HTTP/1.1 when an upgrade to h2c is asked for": upgrade("h2c", "HTTP2-Settings: AAMAAABkAAQ"),
    "takes no harm from a header named __proto__": {
      parts: [request({ more: ["__proto__: polluted", "constructor: polluted"] })],
      status: 200,
      created: 1,
    },
    "takes a body that comes byte by byte": {
      parts: [...request({}).toString()],
      turnsBetween: 1,
      status: 200,
      created: 1,
    },
    "takes a chunked body": {
      parts: [
        request({
          length: ["Transfer-Encoding: chunked"],
          body: `${chunk(json.slice(0, 5))}${chunk(json.slice(5))}0\r\n\r\n`,
        }),
      ],
      status: 200,
      created: 1,
    },
    "takes a chunked body with a short extension and a trailer": {
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

describe("an offer to upgrade the connection", () => {
  const h2c = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQ"];
  const offer = (parts: Parameters<typeof request>[0] = {}) => request({ ...parts, more: h2c, close: false });
  const other = request({ body: '{"user_group_id":"other","name":"Other"}', close: false });
  const close = request({});

  it("keeps the connection when nothing is pipelined behind it, however often it is made", async () => {
    const { hostname, port } = new URL(mock().url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
    const [head = "", body = ""] = split(offer(), -json.length);
    const bodiless = offer({ path: "/__admin/health", length: [], body: "" });
    const calls = [[offer()], [head, body], [bodiless], [offer()], [other], [close]];
    for (const [n, parts] of calls.entries()) {
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

/** Two packets. */
function split(bytes: Buffer, at: number): [Buffer, Buffer] {
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

describe("a caller who reads only when everything is written", () => {
  const large = "x".repeat(5_000_000);
  const heard = (sent: Buffer, status: number, code: string): Row => ({
    parts: [sent],
    readLast: true,
    status,
    code,
  });
  const mostlyHeard = (sent: Buffer, status: number, code: string): Row => ({
    ...heard(sent, status, code),
    elsewhere: {
      bun: { mayReset: true, why: "Bun does not read on when the caller asked it to close" },
    },
  });

  checkAll({
    "hears that 5 MB are too large": mostlyHeard(request({ body: large }), 413, "payload_too_large"),
    "hears that 5 MB are too large on a connection that he would keep": heard(
      request({ body: large, close: false }),
      413,
      "payload_too_large",
    ),
    "hears that 5 MB in chunks are too large": mostlyHeard(
      request({ length: ["Transfer-Encoding: chunked"], body: `${chunk(large)}0\r\n\r\n` }),
      413,
      "payload_too_large",
    ),
    "hears that a GET of 5 MB has no length": heard(
      request({ length: [], body: large }),
      400,
      "missing_body",
    ),
    "hears that he is not known": mostlyHeard(
      request({ authorization: "Token nobody", body: large }),
      401,
      "unauthorized",
    ),
    "hears that the path is not there": mostlyHeard(request({ path: "/api", body: large }), 404, "not_found"),
    "hears that the type is not understood": mostlyHeard(
      request({ type: "text/plain", body: large }),
      415,
      "unsupported_media_type",
    ),
    "hears that a header of 5 MB is too large": heard(
      request({ more: [`X-Long: ${large}`], close: false }),
      431,
      "invalid_http",
    ),
  });
});
