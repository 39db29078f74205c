import { describe, expect, it } from "vitest";
import { seededToken } from "../seeded.js";
import { exchange, turns } from "./raw-socket.js";
import {
  ask,
  checkAll,
  chunk,
  example,
  expectRow,
  expectUnharmed,
  json,
  type Row,
  request,
  serveRows,
} from "./raw-table.js";

const mock = serveRows();

const refused = (sent: string | Buffer): Row => ({ parts: [sent], status: 400, code: "invalid_http" });
const taken = (sent: string | Buffer): Row => ({ parts: [sent], status: 200, created: 1 });
const chunked = (body: string, ...more: string[]) =>
  request({ length: ["Transfer-Encoding: chunked", ...more], body, close: false });
const closing = (body: string, ...more: string[]) =>
  request({ length: ["Transfer-Encoding: chunked", ...more], body });

describe("a chunked body", () => {
  checkAll({
    "may come a byte a chunk": taken(closing(`${[...json].map(chunk).join("")}0\r\n\r\n`)),
    "may come a byte a chunk and a chunk a packet": {
      parts: [closing(""), ...[...json].map(chunk), "0\r\n\r\n"],
      turnsBetween: 1,
      status: 200,
      created: 1,
    },
    "may write its sizes with leading zeros and in any case": taken(
      closing(`00${json.length.toString(16).toUpperCase()}\r\n${json}\r\n000\r\n\r\n`),
    ),
    "may have trailers, which mean nothing": taken(
      closing(`${chunk(json)}0\r\nHost: evil.test\r\nAuthorization: Token x\r\n\r\n`, "Trailer: Host"),
    ),
    "may not have a trailer that is no header": refused(chunked(`${chunk(json)}0\r\nno header\r\n\r\n`)),
    "may not have a negative size": refused(chunked(`-1\r\n${json}\r\n0\r\n\r\n`)),
    "may not have a size with a sign": refused(chunked(`+1f\r\n${json}\r\n0\r\n\r\n`)),
    "may not have a size in 0x": refused(chunked(`0x1f\r\n${json}\r\n0\r\n\r\n`)),
    "may not have a size over 64 bits": refused(chunked(`${"f".repeat(17)}\r\n${json}\r\n0\r\n\r\n`)),
    "may not end its lines in a bare LF": refused(chunked(`${json.length.toString(16)}\n${json}\n0\n\n`)),
    "may not be chunked twice over": refused(
      request({
        length: ["Transfer-Encoding: chunked, chunked"],
        body: `${chunk(json)}0\r\n\r\n`,
        close: false,
      }),
    ),
    "may not be said twice": refused(
      request({
        length: ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
        body: `${chunk(json)}0\r\n\r\n`,
        close: false,
      }),
    ),
    "may not hide behind a tab in the header": refused(
      request({
        length: ["Transfer-Encoding:\tchunked", `Content-Length: ${json.length}`],
        body: `${chunk(json)}0\r\n\r\n`,
        close: false,
      }),
    ),
  });

  it("that ends early hides no second call: what follows the refusal is not read", async () => {
    const smuggled = request({ method: "POST", body: JSON.stringify({ current_token: seededToken }) });
    const first = request({
      length: [`Content-Length: ${json.length}`, "Transfer-Encoding: chunked"],
      close: false,
    });
    const answers = await exchange(mock().url, [Buffer.concat([first, smuggled])]);
    expect(answers.map(({ status }) => status)).toEqual([400]);
    expect(await mock().requests()).toEqual([]);
    await expectUnharmed(0);
  });
});

describe("headers", () => {
  const withHeader = (line: string) => request({ more: [line] });
  const badHeader = (line: string) => refused(request({ more: [line], close: false }));

  checkAll({
    "may not have a name that is empty": badHeader(": a"),
    "may not have a name with a space": badHeader("X Y: a"),
    "may not have a name with a NUL": badHeader("X\0Y: a"),
    "may not have a name with a letter beyond ASCII": badHeader("X-\u00e4: a"),
    "may not have a name with a slash": badHeader("X/Y: a"),
    "may not have a value with a NUL": badHeader("X-Y: a\0b"),
    "may not have a value with a bare CR": badHeader("X-Y: a\rX-Z: b"),
    "may not be without a colon": badHeader("X-Y"),
    "may have a name of signs": taken(withHeader("!#$%&'*+-.^_`|~: a")),
    "may have an empty value": taken(withHeader("X-Empty:")),
    "may have a value beyond ASCII": taken(withHeader("X-Y: gr\u00fc\u00dfe")),
    "may have the name of what every object has": taken(
      request({ more: ["toString: a", "hasOwnProperty: b", "valueOf: c", "__proto__: d"] }),
    ),
    "may say twice what means nothing": taken(
      request({ more: ["X-Y: a", "X-Y: b", "Cookie: a", "Cookie: b"] }),
    ),
    "may ask for other methods by name, which means nothing": taken(
      request({ more: ["X-HTTP-Method-Override: DELETE", "X-Method-Override: POST"] }),
    ),
    "may say that somebody forwarded the call, which means nothing": taken(
      request({
        more: ["X-Forwarded-Host: evil.test", "X-Forwarded-Proto: https", "Forwarded: host=evil.test"],
      }),
    ),
    // Five of them are those of every request here.
    "may be many": {
      ...taken(request({ more: Array.from({ length: 1_500 }, (_, n) => `X${n}: a`) })),
      elsewhere: {
        bun: { status: [431], created: 0, why: "Bun takes fewer than 200 headers" },
      },
    },
    "may not be so many that they come to 16 kB": {
      parts: [request({ more: Array.from({ length: 4_000 }, (_, n) => `X${n}: a`), close: false })],
      status: 431,
      code: "invalid_http",
    },
  });

  it("of an Authorization with a NUL are no HTTP, and nothing of it is told", async () => {
    const parts = [request({ authorization: "Token secret\0token", close: false })];
    const [answer] = await exchange(mock().url, parts);
    expect(answer?.status).toBe(400);
    expect(answer?.body).not.toContain("secret");
    await expectUnharmed(0);
  });

  const unauthorized = (authorization: string): Row => ({
    parts: [request({ authorization })],
    status: 401,
    code: "unauthorized",
    headers: { "www-authenticate": "Token" },
  });

  checkAll({
    "of an Authorization may not be of 8 kB": unauthorized(`Token ${"x".repeat(8_000)}`),
    "of an Authorization may not end in a tab and more": unauthorized("Token test-api-token\tx"),
    "of an Authorization may not hold a no-break space": unauthorized("Token\u00a0test-api-token"),
    "of an Authorization may not be quoted": unauthorized('Token "test-api-token"'),
    "of an Authorization may not name a parameter": unauthorized("Token token=test-api-token"),
    "of an Authorization may not be escaped": unauthorized("Token test%2dapi%2dtoken"),
  });

  it("of an Authorization that is sent twice are refused, whichever comes first", async () => {
    const twice = (first: string, second: string) =>
      request({ authorization: first, more: [`Authorization: ${second}`] });
    const [good] = await exchange(mock().url, [twice("Token test-api-token", "Token nobody")]);
    const [bad] = await exchange(mock().url, [twice("Token nobody", "Token test-api-token")]);
    expect([good?.status, bad?.status]).toEqual([400, 400]);
    await expectUnharmed(0);
  });
});

describe("a body that breaks after its call was answered", () => {
  const broken = (parts: Parameters<typeof request>[0]) => ({
    parts: [request({ length: ["Transfer-Encoding: chunked"], body: "", close: false, ...parts }), "ZZZ\r\n"],
    turnsBetween: 5,
  });
  checkAll({
    "gets no second answer to a wrong API token": {
      ...broken({ method: "POST", authorization: "Token nobody's" }),
      status: 401,
      code: "unauthorized",
    },
    "gets no second answer to a wrong path": {
      ...broken({ path: "/nowhere" }),
      status: 404,
      code: "not_found",
    },
    "gets no second answer to another type": {
      ...broken({ type: "text/plain" }),
      status: 415,
      code: "unsupported_media_type",
    },
    "is told of where the call waits for it": { ...broken({}), status: 400, code: "invalid_http" },
  });

  checkAll({
    "is told of as ever on a connection that is idle": {
      parts: [request({ close: false }), "ZZZ\r\n\r\n"],
      answerBetween: true,
      status: [200, 400],
      created: 1,
    },
  });
});

describe("a request line", () => {
  const line = (text: string) =>
    Buffer.from(request({ close: false }).toString().replace("GET /api/user HTTP/1.1", text));
  checkAll({
    "may not be of HTTP/1.2": refused(line("GET /api/user HTTP/1.2")),
    "may not be of http/1.1": refused(line("GET /api/user http/1.1")),
    "may not have a tab": refused(line("GET\t/api/user HTTP/1.1")),
    "may not have a path without a slash": refused(line("GET api/user HTTP/1.1")),
    "may not be the preface of HTTP/2": refused("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    "may not be empty for ever": refused(`${"\r\n".repeat(2)}\u0000`),
    "may come after an empty line": taken(Buffer.concat([Buffer.from("\r\n"), request({})])),
    "may not be of 20 kB": {
      parts: [line(`GET /api/user?${"x".repeat(20_000)} HTTP/1.1`)],
      status: 431,
      code: "invalid_http",
    },
  });

  checkAll({
    "of OPTIONS * asks for no path": {
      parts: [request({ method: "OPTIONS", path: "*", length: [], body: "" })],
      status: [404],
      elsewhere: { bun: { status: [400], why: "Bun takes * for no target" } },
    },
  });

  it("of OPTIONS * leaves the journal readable as HAR", async () => {
    await exchange(mock().url, [request({ method: "OPTIONS", path: "*", length: [], body: "" })]);
    const [har] = await exchange(mock().url, [
      request({ path: "/__admin/requests.har", length: [], body: "" }),
    ]);
    expect(har?.status).toBe(200);
    await expectUnharmed(0);
  });

  it("in absolute form leads to the journal in every form", async () => {
    await ask(json);
    for (const path of ["/__admin/requests.har", "/__admin/openapi.json", "/__admin/requests"]) {
      const sent = request({ path: `${mock().url}${path}`, length: [], body: "" });
      const [answer] = await exchange(mock().url, [sent]);
      expect([path, answer?.status]).toEqual([path, 200]);
      expect(answer?.body).not.toContain(`${mock().url}${mock().url}`);
    }
  });

  it.each(["", "127.0.0.1"])("with the Host %j leads to the journal as HAR", async (host) => {
    await exchange(mock().url, [request({ path: "/", length: [], body: "" })]);
    const sent = request({ path: "/__admin/requests.har", length: [], body: "" }).toString();
    const [har] = await exchange(mock().url, [sent.replace("Host: localhost", `Host: ${host}`)]);
    expect(har?.status).toBe(200);
  });
});

describe("a connection on which much that is not HTTP follows a call that is held", () => {
  it("is closed after the answer, and costs no listener for each read", async () => {
    const warned: string[] = [];
    const onWarning = ({ name }: Error) => warned.push(name);
    process.on("warning", onWarning);
    const held = await mock().hold();
    const parts = [request({ close: false }), ...Array<string>(20).fill("not HTTP\r\n\r\n")];
    const exchanged = exchange(mock().url, parts, { turnsBetween: 5 });
    await held.arrived;
    await turns(20 * 5 + 50);
    await held.release();
    expect((await exchanged).map(({ status }) => status)).toEqual([200]);
    process.off("warning", onWarning);
    expect(warned).toEqual([]);
    await expectUnharmed(1);
  });
});

describe("a target with a #", () => {
  const notFound = (path: string): Row => ({ parts: [request({ path })], status: 404, code: "not_found" });

  checkAll({
    "names no group service": notFound("/api/user#x"),
    "may be what no URL is": notFound("//u@[x#y"),
    "may have a port that is none": notFound("//u@h:abcsecret#y"),
    "may be in absolute form": notFound("http://localhost/api/user#x"),
  });

  it("names nothing of the admin API either", async () => {
    const [answer] = await exchange(mock().url, [request({ path: "/__admin/health#x" })]);
    expect(answer?.status).toBe(404);
  });
});

describe("100-continue", () => {
  const expecting = ["Expect: 100-continue"];

  it("without a body is answered, and asks for none twice", async () => {
    const answers = await exchange(mock().url, [
      request({ more: expecting, length: ["Content-Length: 0"], body: "" }),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 100)).toEqual([400]);
    expect(statuses.length).toBeLessThanOrEqual(2);
    await expectUnharmed(0);
  });

  checkAll({
    "whose body never comes ends with the connection, and creates nothing": {
      parts: [request({ more: expecting, close: false }).toString().slice(0, -json.length)],
      fin: true,
      status: [100, 400],
      elsewhere: { deno: { status: [100], why: "Deno answers nobody who breaks off" } },
    },
  });

  it("of somebody unknown is refused", async () => {
    const sent = request({ more: expecting, authorization: "Token nobody" });
    const answers = await exchange(mock().url, [sent]);
    expect(answers.at(-1)?.status).toBe(401);
    await expectUnharmed(0);
  });
});

describe("a body", () => {
  const sent = (body: string) => request({ body });
  const nested = (levels: number) =>
    `{"user_group_id":"raw","name":"Raw","properties":${'{"x":'.repeat(levels - 1)}1${"}".repeat(levels - 1)}}`;
  const wrong = (body: string): Row => ({ parts: [sent(body)], status: 400, code: "invalid_body" });
  const noJson = (body: string): Row => ({ parts: [sent(body)], status: 400, code: "invalid_json" });

  checkAll({
    "may nest 100 levels": taken(sent(nested(100))),
    "may not nest 101 levels": noJson(nested(101)),
    "may not nest 101 lists": noJson(`${"[".repeat(101)}${"]".repeat(101)}`),
    "may not nest 101 levels beside what is flat": noJson(
      `{"user_group_id":"raw","name":"Raw","mapping":{"1":"${"x".repeat(500)}"},"properties":${'{"x":'.repeat(100)}1${"}".repeat(100)}}`,
    ),
    "may hold numbers that are nearly nothing": taken(
      sent('{"user_group_id":"raw","name":"Raw","properties":{"c":1e-999,"d":-0}}'),
    ),
    "may hold 90,000 digits after the point": taken(
      sent(`{"user_group_id":"raw","name":"Raw","properties":{"a":0.${"9".repeat(90_000)}}}`),
    ),
    "may hold 10,000 fields that mean nothing": taken(
      sent(
        `{"user_group_id":"raw","name":"Raw",${Array.from({ length: 10_000 }, (_, n) => `"f${n}":0`).join(",")}}`,
      ),
    ),
    "may not be Infinity": noJson("Infinity"),
    "may not be hexadecimal": noJson('{"user_group_id":"raw","name":"Raw","properties":{"x":0x1}}'),
    "may not have comments": noJson('{"user_group_id":"raw"/**/,"name":"Raw"}'),
    "may not hold a raw line feed in a text": noJson('{"user_group_id":"ra\nw","name":"Raw"}'),
    "may hold half a surrogate pair in a name": taken(sent('{"user_group_id":"raw","name":"\\udc00"}')),
    "may not hold true for an id": wrong('{"user_group_id":true,"name":"Raw"}'),
    "may not hold a list of one id": wrong('{"user_group_id":["raw"],"name":"Raw"}'),
    "may not hold null for a mapping": wrong('{"user_group_id":"raw","name":"Raw","mapping":null}'),
    "may not be two objects": noJson(`${json}${json}`),
    "may not begin with two byte order marks": noJson(`\ufeff\ufeff${json}`),
    "may not begin with the mark of UTF-16": {
      parts: [request({ body: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(json, "utf16le")]) })],
      status: 400,
      code: "invalid_json",
    },
  });

  it("may not hold 8,000 wrong mapping values, of which the message tells some and counts the others", async () => {
    const mapping = Object.fromEntries(Array.from({ length: 8_000 }, (_, n) => [`${n}`, 0]));
    const parts = [request({ body: JSON.stringify({ ...example, mapping }) })];
    const answers = await exchange(mock().url, parts);
    expectRow(answers, { parts, status: 400, code: "invalid_body" });
    const { message } = JSON.parse(answers[0]?.body ?? "").error;
    expect(message.length).toBeLessThan(500);
    expect(message).toMatch(/ and \d+ more\b/);
    await expectUnharmed(0);
  });

  it.each(["constructor", "hasOwnProperty", "toString", "valueOf", "__defineGetter__", "prototype"])(
    "may use %s as id, as field, in mapping and in properties, and it stays data",
    async (key) => {
      const body = {
        ...example,
        user_group_id: key,
        mapping: { [key]: "1" },
        properties: { [key]: { [key]: 2 } },
        [key]: 3,
      };
      const { new_user_group, user_group } = await ask(JSON.stringify(body));
      expect([new_user_group, user_group.provided_id]).toEqual([true, key]);
      const { user_groups = [] } = await mock().state();
      const kept = user_groups.find(({ provided_id }) => provided_id === key);
      expect(JSON.stringify(kept)).toContain(`"mapping":{"${key}":"1"},"properties":{"${key}":{"${key}":2}}`);
      expect(`${{}}`).toBe("[object Object]");
      await expectUnharmed(1);
    },
  );

  it("of 90 kB of blanks in its texts is kept as it was sent", async () => {
    const name = ` \t${" ".repeat(90_000)}`;
    const { user_group } = await ask(JSON.stringify({ ...example, name }));
    expect(user_group.name).toBe(name);
    await expectUnharmed(1);
  });
});
