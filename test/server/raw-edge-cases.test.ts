import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { seededToken } from "../seeded.js";
import { exchange, turns } from "./raw-socket.js";
import { ask, checkAll, chunk, expectUnharmed, json, type Row, request, serveRows } from "./raw-table.js";

const mock = serveRows();

const rejected = (sent: string | Buffer): Row => ({ parts: [sent], status: 400, code: "invalid_http" });
const accepted = (sent: string | Buffer): Row => ({ parts: [sent], status: 200, created: 1 });
const chunked = (body: string, ...more: string[]) =>
  request({ length: ["Transfer-Encoding: chunked", ...more], body, close: false });
const closing = (body: string, ...more: string[]) =>
  request({ length: ["Transfer-Encoding: chunked", ...more], body });

describe("chunked body", () => {
  checkAll({
    "accepts chunks of one byte": accepted(closing(`${[...json].map(chunk).join("")}0\r\n\r\n`)),
    "accepts chunks of one byte in separate packets": {
      parts: [closing(""), ...[...json].map(chunk), "0\r\n\r\n"],
      turnsBetween: 1,
      status: 200,
      created: 1,
    },
    "accepts sizes with leading zeros and in any case": accepted(
      closing(`00${json.length.toString(16).toUpperCase()}\r\n${json}\r\n000\r\n\r\n`),
    ),
    "ignores trailers": accepted(
      closing(`${chunk(json)}0\r\nHost: evil.test\r\nAuthorization: Token x\r\n\r\n`, "Trailer: Host"),
    ),
    "rejects an invalid trailer": rejected(chunked(`${chunk(json)}0\r\nno header\r\n\r\n`)),
    "rejects a negative size": rejected(chunked(`-1\r\n${json}\r\n0\r\n\r\n`)),
    "rejects a size with a sign": rejected(chunked(`+1f\r\n${json}\r\n0\r\n\r\n`)),
    "rejects a size in 0x": rejected(chunked(`0x1f\r\n${json}\r\n0\r\n\r\n`)),
    "rejects a size over 64 bits": rejected(chunked(`${"f".repeat(17)}\r\n${json}\r\n0\r\n\r\n`)),
    "rejects lines that end in a bare LF": rejected(chunked(`${json.length.toString(16)}\n${json}\n0\n\n`)),
    "rejects Transfer-Encoding: chunked, chunked": rejected(
      request({
        length: ["Transfer-Encoding: chunked, chunked"],
        body: `${chunk(json)}0\r\n\r\n`,
        close: false,
      }),
    ),
    "rejects two Transfer-Encoding headers": rejected(
      request({
        length: ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
        body: `${chunk(json)}0\r\n\r\n`,
        close: false,
      }),
    ),
    "rejects chunked after a tab, with a Content-Length": rejected(
      request({
        length: ["Transfer-Encoding:\tchunked", `Content-Length: ${json.length}`],
        body: `${chunk(json)}0\r\n\r\n`,
        close: false,
      }),
    ),
  });

  it("cannot smuggle a second request behind an ambiguous length", async () => {
    const smuggled = request({ method: "POST", body: JSON.stringify({ current_token: seededToken }) });
    const first = request({
      length: [`Content-Length: ${json.length}`, "Transfer-Encoding: chunked"],
      close: false,
    });
    const responses = await exchange(mock().url, [Buffer.concat([first, smuggled])]);
    expect(responses.map(({ status }) => status)).toEqual([400]);
    expect(await mock().requests()).toEqual([]);
    await expectUnharmed(0);
  });
});

describe("request headers", () => {
  const withHeader = (line: string) => request({ more: [line] });
  const badHeader = (line: string) => rejected(request({ more: [line], close: false }));

  checkAll({
    "reject an empty name": badHeader(": a"),
    "reject a name with a space": badHeader("X Y: a"),
    "reject a name with a NUL": badHeader("X\0Y: a"),
    "reject a name that is not ASCII": badHeader("X-\u00e4: a"),
    "reject a name with a slash": badHeader("X/Y: a"),
    "reject a value with a NUL": badHeader("X-Y: a\0b"),
    "reject a value with a bare CR": badHeader("X-Y: a\rX-Z: b"),
    "reject a line without a colon": badHeader("X-Y"),
    "accept a name of punctuation": accepted(withHeader("!#$%&'*+-.^_`|~: a")),
    "accept an empty value": accepted(withHeader("X-Empty:")),
    "accept a value that is not ASCII": accepted(withHeader("X-Y: gr\u00fc\u00dfe")),
    "accept names of Object.prototype": accepted(
      request({ more: ["toString: a", "hasOwnProperty: b", "valueOf: c", "__proto__: d"] }),
    ),
    "accept repeated headers that the mock ignores": accepted(
      request({ more: ["X-Y: a", "X-Y: b", "Cookie: a", "Cookie: b"] }),
    ),
    "ignore method overrides": accepted(
      request({ more: ["X-HTTP-Method-Override: DELETE", "X-Method-Override: POST"] }),
    ),
    "ignore X-Forwarded headers": accepted(
      request({
        more: ["X-Forwarded-Host: evil.test", "X-Forwarded-Proto: https", "Forwarded: host=evil.test"],
      }),
    ),
    "accept 1,500 headers": {
      ...accepted(request({ more: Array.from({ length: 1_500 }, (_, n) => `X${n}: a`) })),
      elsewhere: {
        bun: { status: [431], created: 0, why: "Bun accepts fewer than 200 headers" },
      },
    },
    "reject more than 16 kB": {
      parts: [request({ more: Array.from({ length: 4_000 }, (_, n) => `X${n}: a`), close: false })],
      status: 431,
      code: "invalid_http",
    },
  });

  it("reject a NUL in Authorization without repeating its value", async () => {
    const parts = [request({ authorization: "Token secret\0token", close: false })];
    const [response] = await exchange(mock().url, parts);
    expect(response?.status).toBe(400);
    expect(response?.body).not.toContain("secret");
    await expectUnharmed(0);
  });
});

describe("a chunked body with invalid framing", () => {
  const broken = (parts: Parameters<typeof request>[0]) => ({
    parts: [request({ length: ["Transfer-Encoding: chunked"], body: "", close: false, ...parts }), "ZZZ\r\n"],
    turnsBetween: 5,
  });
  checkAll({
    "gets 400 if the API token is unknown": {
      ...broken({ method: "POST", authorization: "Token unknown" }),
      status: 400,
      code: "invalid_http",
    },
    "gets 400 while the request waits for it": { ...broken({}), status: 400, code: "invalid_http" },
  });

  checkAll({
    "gets 400 on an idle connection": {
      parts: [request({ close: false }), "ZZZ\r\n\r\n"],
      responseBetween: true,
      status: [200, 400],
      created: 1,
    },
  });
});

describe("request line", () => {
  const line = (text: string) =>
    Buffer.from(request({ close: false }).toString().replace("GET /api/user HTTP/1.1", text));
  checkAll({
    "rejects HTTP/1.2": rejected(line("GET /api/user HTTP/1.2")),
    "rejects http/1.1": rejected(line("GET /api/user http/1.1")),
    "rejects a tab": rejected(line("GET\t/api/user HTTP/1.1")),
    "rejects a path without a slash": rejected(line("GET api/user HTTP/1.1")),
    "rejects the preface of HTTP/2": rejected("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    "rejects a NUL after empty lines": rejected(`${"\r\n".repeat(2)}\u0000`),
    "accepts an empty line before it": accepted(Buffer.concat([Buffer.from("\r\n"), request({})])),
    "rejects 20 kB": {
      parts: [line(`GET /api/user?${"x".repeat(20_000)} HTTP/1.1`)],
      status: 431,
      code: "invalid_http",
    },
  });

  checkAll({
    "OPTIONS * gets 404": {
      parts: [request({ method: "OPTIONS", path: "*", length: [], body: "" })],
      status: [404],
      elsewhere: { bun: { status: [400], why: "Bun does not accept * as a target" } },
    },
  });

  it("accepts the absolute form for exports of the journal", async () => {
    await ask(json);
    for (const path of ["/__admin/openapi.json", "/__admin/requests"]) {
      const sent = request({ path: `${mock().url}${path}`, length: [], body: "" });
      const [response] = await exchange(mock().url, [sent]);
      expect([path, response?.status]).toEqual([path, 200]);
      expect(response?.body).not.toContain(`${mock().url}${mock().url}`);
    }
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

describe("a target with a # gets 404", () => {
  const notFound = (path: string): Row => ({ parts: [request({ path })], status: 404, code: "not_found" });

  checkAll({
    "in the path of the service": notFound("/api/user#x"),
    "in an invalid URL": notFound("//u@[x#y"),
    "in a URL with an invalid port": notFound("//u@h:abcsecret#y"),
    "in absolute form": notFound("http://localhost/api/user#x"),
  });

  it("in a path of the admin API", async () => {
    const [response] = await exchange(mock().url, [request({ path: "/__admin/health#x" })]);
    expect(response?.status).toBe(404);
  });
});

describe("Expect: 100-continue", () => {
  const expecting = ["Expect: 100-continue"];

  it("without a body gets one 400", async () => {
    const responses = await exchange(mock().url, [
      request({ more: expecting, length: ["Content-Length: 0"], body: "" }),
    ]);
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 100)).toEqual([400]);
    expect(statuses.length).toBeLessThanOrEqual(2);
    await expectUnharmed(0);
  });

  checkAll({
    "creates nothing if the client disconnects before its body": {
      parts: [request({ more: expecting, close: false }).toString().slice(0, -json.length)],
      fin: true,
      status: [100, 400],
      elsewhere: { deno: { status: [100], why: "Deno does not respond to a client that aborts" } },
    },
  });

  it("rejects an unknown API token", async () => {
    const sent = request({ more: expecting, authorization: "Token unknown" });
    const responses = await exchange(mock().url, [sent]);
    expect(responses.at(-1)?.status).toBe(401);
    await expectUnharmed(0);
  });
});

describe("CONNECT pipelined behind a request", () => {
  const tunnel = "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n";

  it("does not crash when the client resets the connection before the response", async () => {
    const crashes: unknown[] = [];
    const onCrash = (error: unknown) => crashes.push(error);
    process.on("uncaughtException", onCrash);
    const held = await mock().hold();
    const { hostname, port } = new URL(mock().url);
    const socket = connect(Number(port), hostname);
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
