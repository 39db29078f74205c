import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectMock, type Mock, startMock } from "../../src/index.js";
import { call } from "../call.js";
import { refusalOf } from "../world/refusal.js";
import { exchange, type RawAnswer } from "./raw-socket.js";
import { expectNoPage, request } from "./raw-table.js";

const adminToken = "open-sesame-7f3a";
const allowed = "usergroup-mock.containers.test";

let mock: Mock;
/** Bound to every address, with a further name and an admin token. */
let closed: Mock;
beforeAll(async () => {
  mock = await startMock();
  closed = await startMock({ host: "0.0.0.0", allowHost: allowed, adminToken });
});
beforeEach(async () => {
  await mock.reset();
  await closed.reset();
});
afterAll(() => Promise.all([mock.stop(), closed.stop()]));

const portOf = ({ url }: Mock) => new URL(url).port;

type Parts = Parameters<typeof request>[0];

/** A good call with these Host headers, or with none. */
function withHosts(hosts: readonly string[], parts: Parts = {}): Buffer {
  const lines = hosts.map((host) => `Host: ${host}\r\n`).join("");
  return Buffer.from(request(parts).toString("latin1").replace("Host: localhost\r\n", lines), "latin1");
}

async function answerTo(server: Mock, sent: Buffer): Promise<RawAnswer> {
  const [answer, ...others] = await exchange(server.url, [sent]);
  expect(others).toEqual([]);
  if (answer === undefined) throw new Error("there was no answer");
  expectNoPage(answer);
  expectNoCors(answer.headers);
  return answer;
}

function expectNoCors(headers: Readonly<Record<string, unknown>>): void {
  expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
}

async function expectRefused(server: Mock, sent: Buffer, status: number, code: string): Promise<RawAnswer> {
  const before = await server.state();
  const answer = await answerTo(server, sent);
  const error = { code, message: expect.stringMatching(/\.$/) };
  const isAdmin = /^\S+ [^ ?]*\/__admin/.test(sent.toString("latin1"));
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    status,
    isAdmin ? { error } : { success: 0, error },
  ]);
  // It never became a call: it has no place in the journal.
  expect(answer.headers["usergroup-mock-request"]).toBeUndefined();
  expect([await server.state(), await server.requests(), (await server.health()).status]).toEqual([
    before,
    [],
    "ok",
  ]);
  return answer;
}

describe("a Host", () => {
  it.each([
    "evil.test",
    "evil.test:4010",
    "localhost.evil.test",
    "localhost@evil.test",
    "evil.test@localhost",
    "127.0.0.1.evil.test",
    "127.0.0.1@evil.test",
    "[::1].evil",
    "[::1",
    "::1",
    "[evil.test]",
    "[::ffff:198.51.100.7]",
    "198.51.100.7",
    "198.51.100.7:4010",
    "0.0.0.0",
    "127.0.0.1:80:80",
    "127.1",
    "2130706433",
    "localhost:4010x",
    "localhost:99999",
    "127.0.0.999",
    "127.0.0.1.1",
    "localhost evil.test",
    "localhost\tevil.test",
    "localhost, evil.test",
    "localhost\\evil.test",
    "localhost/evil.test",
    "localhost?evil.test",
    "localhost#evil.test",
    "localhost..",
    ".localhost",
    "xlocalhost",
    "localhostx",
    "loc\u00e4lhost",
    "%6cocalhost",
    "__proto__",
    ":4010",
    "1127.0.0.1",
    "evil127.0.0.1",
    "127.0.0.1.evil.test",
    allowed,
  ])("that is not ours is refused: %j", async (host) => {
    await expectRefused(mock, withHosts([host]), 403, "forbidden_host");
    await expectRefused(mock, withHosts([host], { path: "/__admin/health" }), 403, "forbidden_host");
    await expectRefused(mock, withHosts([host], { path: "/api/user?/__admin" }), 403, "forbidden_host");
  });

  it("that is refused is told how it can be allowed", async () => {
    const { body } = await answerTo(mock, withHosts(["web.test:4010"]));
    expect(JSON.parse(body).error.message).toBe(
      'This mock does not answer to the host "web.test:4010". Call it as 127.0.0.1 or localhost, or start it with --allow-host web.test. More: node_modules/usergroup-mock/docs/troubleshooting.md.',
    );
    const { body: unnamed } = await answerTo(mock, withHosts(["a@b"]));
    expect(JSON.parse(unnamed).error.message).toContain("--allow-host <name>.");
  });

  it("that is refused leaves the connection open for the next call", async () => {
    const refused = withHosts(["evil.test"], { close: false });
    const answers = await exchange(mock.url, [Buffer.concat([refused, request({})])]);
    expect(answers.map(({ status }) => status)).toEqual([403, 200]);
    expect(answers[0]?.headers).not.toHaveProperty("www-authenticate");
  });

  it.each([
    "localhost",
    "LOCALHOST:4010",
    "localhost.",
    "localhost.:4010",
    "localhost:",
    "localhost:65535",
    "127.0.0.1",
    "127.0.0.1:4010",
    "127.1.2.3",
    "127.10.20.255",
    "[::1]",
    "[::1]:4010",
    // What a caller sends that has no authority; no browser does.
    "",
  ])("that is ours is answered: %j", async (host) => {
    const { status, body } = await answerTo(mock, withHosts([host]));
    expect([status, JSON.parse(body).new_user_group]).toEqual([200, true]);
  });

  it.each([
    ["--allow-host names", allowed],
    ["--allow-host names, in another case and with a port", `${allowed.toUpperCase()}:4010`],
    ["the mock is bound to", "0.0.0.0:4010"],
  ])("that %s is answered", async (_, host) => {
    expect((await answerTo(closed, withHosts([host]))).status).toBe(200);
  });

  const reserved = ["mock.localhost", "host.docker.internal", "HOST.docker.internal.:4010"];
  const ofPrivateNetwork = [
    "mock",
    "usergroup-mock:4010",
    "user_group_mock.",
    "MOCK",
    "mock.tests.svc",
    "mock.tests.svc.cluster.local",
    "mock.tests.svc.cluster.local.:4010",
  ];
  it.each([...reserved, ...ofPrivateNetwork, "198.51.100.7", "10.0.0.7:4010", "[2001:db8::7]:4010"])(
    "that nobody can register is answered by a mock that others can reach: %j",
    async (host) => {
      expect((await answerTo(closed, withHosts([host]))).status).toBe(200);
    },
  );

  it.each(reserved)("that is reserved is accepted on loopback: %j", async (host) => {
    expect((await answerTo(mock, withHosts([host]))).status).toBe(200);
  });

  it.each(ofPrivateNetwork)("that a private network gives is refused on loopback: %j", async (host) => {
    await expectRefused(mock, withHosts([host]), 403, "forbidden_host");
  });

  it.each([
    "mock.example",
    "localhost.evil.test",
    "internal.evil.test",
    "svc.cluster.local.evil.test",
    "cluster.local",
    "mock.cluster.local",
    "evilsvc.test",
    "evil.xsvc",
    "evil.xsvc.cluster.local",
    ".internal",
    ".svc.cluster.local",
    "evil..internal",
    "mock evil",
    "m\u00f6ck",
    "mock,evil",
    "198.51.100.7.evil.test",
    "198.51.100.999",
  ])("that somebody could register is refused by a mock that others can reach: %j", async (host) => {
    const { status, body } = await answerTo(closed, withHosts([host]));
    expect([status, JSON.parse(body).error.code]).toEqual([403, "forbidden_host"]);
  });

  it("that --allow-host does not name stays refused beside it", async () => {
    await expectRefused(closed, withHosts([`x.${allowed}`]), 403, "forbidden_host");
    await expectRefused(closed, withHosts(["evil.test"]), 403, "forbidden_host");
  });

  it.each([
    [["localhost", "evil.test"]],
    [["evil.test", "localhost"]],
    [["localhost", "localhost"]],
    [["", "localhost"]],
  ])("that is sent twice is refused: %j", async (hosts) => {
    await expectRefused(mock, withHosts(hosts), 400, "ambiguous_host");
  });

  it("that is sent twice in two spellings is refused", async () => {
    await expectRefused(mock, request({ more: ["hOST: localhost"] }), 400, "ambiguous_host");
  });

  it("is not taken for repeated because of others with names as long", async () => {
    const more = [
      "From: a",
      "Cookie: a",
      "X-Request-Id: a",
      "Cache-Control: no-cache",
      "X-Correlation-Id: a",
    ];
    expect((await answerTo(mock, request({ more }))).status).toBe(200);
  });

  it("may be left out in HTTP/1.0, which has none, and not in HTTP/1.1", async () => {
    const old = Buffer.from(withHosts([]).toString().replace("HTTP/1.1", "HTTP/1.0"));
    expect((await answerTo(mock, old)).status).toBe(200);
    const { status } = await answerTo(mock, withHosts([]));
    expect([status, (await mock.health()).groups]).toEqual([400, 6]);
  });

  it("is refused as often as it comes", async () => {
    for (let n = 0; n < 2; n++) await expectRefused(mock, withHosts(["evil.test"]), 403, "forbidden_host");
  });
});

describe("the authority of an absolute target", () => {
  it.each([
    "http://evil.test",
    "HTTP://evil.test",
    "https://evil.test:4010",
    "http://localhost@evil.test",
    "http://localhost:x@evil.test",
    "ws://evil.test",
  ])("counts whatever the header says: %s", async (origin) => {
    await expectRefused(mock, request({ path: `${origin}/api/user` }), 403, "forbidden_host");
    await expectRefused(mock, request({ path: `${origin}/__admin/reset` }), 403, "forbidden_host");
  });

  it("does not make good a header that is not ours", async () => {
    const sent = withHosts(["evil.test"], { path: "http://localhost/api/user" });
    await expectRefused(mock, sent, 403, "forbidden_host");
  });

  it.each([
    ["http://localhost:4010/api/user", 200],
    ["http://127.0.0.1/api/user?x=1", 200],
    ["HTTP://LOCALHOST/api/user", 200],
    ["http://[::1]:4010/api/user", 200],
    ["http://localhost/worlds/w1/api/user", 200],
    ["http://localhost/__admin/health", 200],
    ["/api/user?next=http://evil.test/", 200],
    ["http://localhost", 404],
    ["http://localhost?x=1", 404],
  ])("may be ours: %s", async (path, status) => {
    expect((await answerTo(mock, request({ path }))).status).toBe(status);
  });
});

/** What a browser tells of the page that makes a call. */
const foreign: readonly (readonly string[])[] = [
  ["Origin: https://evil.test"],
  ["Origin: null"],
  ["Origin:"],
  ["Origin: http://127.0.0.1:1"],
  ["Origin: http://localhost"],
  ["Origin: http://localhost.evil.test"],
  ["Origin: https://evil.test", "Sec-Fetch-Site: same-origin"],
  ["Sec-Fetch-Site: cross-site"],
  ["Sec-Fetch-Site: same-site"],
  ["Sec-Fetch-Site: anything"],
  ["Origin: http://localhost:4010", "Sec-Fetch-Site: cross-site"],
];
const host = "localhost:4010";
const admin = (method: string, path: string, more: readonly string[], body = "") =>
  withHosts([host], { method, path: `/__admin${path}`, more, length: lengthOf(body), body });
const lengthOf = (body: string) => (body === "" ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]);

const navigation = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"];

describe("a page of another origin", () => {
  beforeEach(async () => {
    await mock.load({ teams: [{ team_id: 9, api_tokens: ["nine"] }] });
  });

  it.each(foreign)("cannot reset the mock nor read from it: %s %s", async (...more) => {
    const said = more.filter((line) => line !== undefined);
    await expectRefused(mock, admin("POST", "/reset", said), 403, "forbidden_origin");
    await expectRefused(mock, admin("GET", "/state", said), 403, "forbidden_origin");
  });

  it.each([
    ["PUT", "/state", '{"teams":[{"team_id":1,"api_tokens":["one"]}]}'],
    ["POST", "/faults", '{"status":503}'],
    ["PATCH", "/assumptions", '{"old-token":"accepted"}'],
    ["DELETE", "/requests", ""],
    ["DELETE", "/worlds", ""],
    ["POST", "/snapshots", ""],
    ["GET", "/requests.har", ""],
    ["GET", "/openapi.json", ""],
    ["GET", "/events", ""],
    ["GET", "/", ""],
    ["GET", "", ""],
    ["OPTIONS", "/reset", ""],
    ["GET", "/nowhere", ""],
  ])("is refused %s %s", async (method, path, body) => {
    const more = ["Origin: https://evil.test", "Sec-Fetch-Site: cross-site"];
    const [before, assumptions] = [await mock.snapshot(), await mock.assumptions()];
    await expectRefused(mock, admin(method, path, more, body), 403, "forbidden_origin");
    expect([await mock.faults(), await mock.assumptions()]).toEqual([[], assumptions]);
    // None was taken between the two.
    expect((await mock.snapshot()).id).toBe(before.id + 1);
  });

  it.each([
    ["an image", ["Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"]],
    ["a script of it", ["Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty", "Origin: https://evil.test"]],
    ["a form", ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document", "Origin: https://evil.test"]],
  ])("cannot call the service, and fills no journal: by %s", async (_, more) => {
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const sent = withHosts([host], { method, more: ["Sec-Fetch-Site: cross-site", ...more] });
      await expectRefused(mock, sent, 403, "forbidden_origin");
    }
  });

  it("may hold a link that somebody follows", async () => {
    expect((await answerTo(mock, admin("GET", "/health", navigation))).status).toBe(200);
  });

  it.each([
    ["a form that somebody sends", "POST", navigation],
    ["a navigation that names its origin", "GET", [...navigation, "Origin: https://evil.test"]],
    ["a frame", "GET", [...navigation.slice(0, 2), "Sec-Fetch-Dest: iframe"]],
    ["a document that nobody opens", "GET", ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: document"]],
    ["a script", "GET", [navigation[0] ?? "", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"]],
  ])("may not hold %s", async (_, method, more) => {
    const path = method === "POST" ? "/reset" : "/health";
    await expectRefused(mock, admin(method, path, more), 403, "forbidden_origin");
  });

  it.each([
    ["an admin call", "POST", "/__admin/reset", ["Origin: https://evil.test"]],
    ["a call of the service", "GET", "/api/user", ["Sec-Fetch-Site: cross-site"]],
    ["an address that is nothing", "GET", "", ["Sec-Fetch-Site: cross-site"]],
    ["a link to its event stream", "GET", "/__admin/events", navigation],
  ])("brings no world to life by %s", async (_, method, path, more) => {
    const sent = withHosts([host], { method, path: `/worlds/made-by-a-page${path}`, more });
    await expectRefused(mock, sent, 403, "forbidden_origin");
    expect((await mock.worlds()).map(({ name }) => name)).not.toContain("made-by-a-page");
  });

  it("brings no world to life by a link that somebody follows, though it shows what would be there", async () => {
    const sent = withHosts([host], {
      path: "/worlds/made-by-a-page/__admin/health",
      length: [],
      body: "",
      more: navigation,
    });
    expect((await answerTo(mock, sent)).status).toBe(200);
    expect((await mock.worlds()).map(({ name }) => name)).not.toContain("made-by-a-page");
  });

  it("calls the service of a world through a proxy of its own site, and opens its page by a link", async () => {
    const proxied = ["Origin: http://localhost:5173", "Sec-Fetch-Site: same-origin"];
    const sent = withHosts([host], { path: "/worlds/proxied/api/user", more: proxied });
    expect((await answerTo(mock, sent)).status).toBe(200);
    const link = withHosts([host], {
      path: "/worlds/proxied/__admin/health",
      length: [],
      body: "",
      more: navigation,
    });
    expect((await answerTo(mock, link)).status).toBe(200);
    await mock.world("proxied").drop();
  });

  it.each([
    ["call the service", "GET", "/api/user", ["Sec-Fetch-Site: cross-site"]],
    ["call the admin API", "POST", "/__admin/reset", ["Sec-Fetch-Site: cross-site"]],
    ["create a world", "GET", "/worlds/made-by-a-page/__admin/events", navigation],
  ])("that tries to %s gets a message with what to do", async (_, method, path, more) => {
    const { body } = await answerTo(mock, withHosts([host], { method, path, more }));
    expect(JSON.parse(body).error.message).toBe(
      "Cross-origin requests are not allowed. Send them from a program, or through a proxy on the page's own origin. See node_modules/usergroup-mock/docs/troubleshooting.md.",
    );
  });

  it.each([
    ["a page of its own", [`Origin: http://${host}`, "Sec-Fetch-Site: same-origin"]],
    ["a page of its own over TLS that somebody ends before it", [`Origin: https://${host}`]],
    ["somebody who typed the address", ["Sec-Fetch-Site: none"]],
    ["a program", []],
  ])("is told from %s", async (_, more) => {
    expect((await answerTo(mock, admin("POST", "/reset", more))).status).toBe(200);
    expect((await mock.health()).groups).toBe(5);
  });
});

describe("an event stream", () => {
  const opening = (headers: Record<string, string>, server = mock) =>
    new Promise<number | undefined>((resolve, reject) => {
      const req = httpRequest(`${server.url}/__admin/events`, { headers, agent: false }, (res) => {
        expectNoCors(res.headers);
        resolve(res.statusCode);
        req.destroy();
      });
      req.on("error", reject).end();
    });

  it("is opened by a program and by a page of its own", async () => {
    expect(await opening({})).toBe(200);
    const own = `http://127.0.0.1:${portOf(mock)}`;
    expect(await opening({ Origin: own, "Sec-Fetch-Site": "same-origin" })).toBe(200);
  });

  it("is not opened by a page of another origin, nor by a form of another site", async () => {
    expect(await opening({ Origin: "https://evil.test" })).toBe(403);
    expect(await opening({ Origin: `http://127.0.0.1:${Number(portOf(mock)) + 1}` })).toBe(403);
    expect(await opening({ "Sec-Fetch-Site": "same-site" })).toBe(403);
    expect(await opening({ Host: "evil.test" })).toBe(403);
  });

  it("asks for the admin token where there is one", async () => {
    expect(await opening({}, closed)).toBe(401);
    expect(await opening({ Authorization: `Bearer ${adminToken}` }, closed)).toBe(200);
  });
});

describe("an admin write", () => {
  const writes: readonly [method: string, path: string, body: string][] = [
    ["PUT", "/state", '{"teams":[{"team_id":1,"api_tokens":["one"]}]}'],
    ["POST", "/faults", '{"status":503}'],
    ["PATCH", "/assumptions", '{"old-token":"accepted"}'],
    ["POST", "/requests/wait", '{"timeoutMs":1}'],
    ["POST", "/reset", "{}"],
    ["POST", "/snapshots", "{}"],
  ];
  const types = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain; application/json",
    undefined,
  ];

  it.each(writes.flatMap(([method, path, body]) => types.map((type) => ({ method, path, body, type }))))(
    "needs JSON: $method $path as $type",
    async ({ method, path, body, type }) => {
      const before = [await mock.state(), await mock.faults(), await mock.assumptions()];
      const { status, body: answer } = await answerTo(
        mock,
        withHosts([host], { method, path: `/__admin${path}`, type, body }),
      );
      expect([status, JSON.parse(answer).error.code]).toEqual([415, "unsupported_media_type"]);
      expect([await mock.state(), await mock.faults(), await mock.assumptions()]).toEqual(before);
    },
  );

  it.each([
    ["POST", "/reset"],
    ["POST", "/snapshots"],
    ["DELETE", "/requests"],
  ])("with an empty body may have any Content-Type: %s %s", async (method, path) => {
    for (const type of [undefined, "application/json", "application/x-www-form-urlencoded", "text/plain"]) {
      const head = { method, path: `/__admin${path}`, type, length: [], body: "" };
      expect((await answerTo(mock, withHosts([host], head))).status).toBe(200);
    }
  });
});

describe("no answer lets a page of another origin read it, nor says whose pages may", () => {
  const asked: readonly Parts[] = [
    {},
    { method: "POST", body: "{}" },
    { method: "OPTIONS", more: ["Access-Control-Request-Method: POST"] },
    { path: "/nowhere" },
    { path: "/worlds/w1/api/user" },
    { path: "/worlds/a%20b/api/user" },
    { path: "/__admin/health" },
    { path: "/__admin/state", method: "OPTIONS", more: ["Access-Control-Request-Method: PUT"] },
    { path: "/__admin/nowhere" },
    { path: "/__admin/%zz" },
    { method: "HEAD" },
  ];

  it.each(asked)("%j", async (parts) => {
    for (const origin of [`http://${host}`, "https://evil.test", "null"]) {
      const more = [...(parts.more ?? []), `Origin: ${origin}`];
      const [answer] = await exchange(mock.url, [withHosts([host], { ...parts, more })]);
      expectNoCors(answer?.headers ?? expect.fail());
    }
  });
});

describe("the admin token", () => {
  const bearer = (token: string) => `Bearer ${token}`;
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
  const health = (authorization?: string) =>
    withHosts(["localhost"], { path: "/__admin/health", length: [], body: "", authorization });

  it.each([
    ["nothing", undefined],
    ["an empty header", ""],
    ["another one", bearer("open-sesame-0000")],
    ["a part of it", bearer(adminToken.slice(0, -1))],
    ["its first letter", bearer("o")],
    ["more than it", bearer(`${adminToken}x`)],
    ["it in another case", bearer(adminToken.toUpperCase())],
    ["it twice", bearer(`${adminToken} ${adminToken}`)],
    ["it without a scheme", adminToken],
    ["it under another scheme", `Token ${adminToken}`],
    ["the scheme alone", "Bearer"],
    ["the scheme and a blank", "Bearer "],
    ["it under a longer scheme", `xBearer ${adminToken}`],
    ["it in Basic with more after it", basic(`x:${adminToken}\nx`)],
    ["an API token", "Token test-api-token"],
    ["it as the user name of Basic", basic(`${adminToken}:`)],
    ["it in Basic without a colon", basic(adminToken)],
    ["it encoded under Bearer", bearer(Buffer.from(`:${adminToken}`).toString("base64"))],
    ["nothing in Basic", basic(":")],
    ["what is no base64", "Basic ****"],
    ["what every object has", bearer("__proto__")],
  ])("is not %s", async (_, authorization) => {
    const { headers } = await expectRefused(closed, health(authorization), 401, "unauthorized");
    expect(headers["www-authenticate"]).toBe('Bearer, Basic realm="usergroup-mock"');
  });

  it.each([
    ["Bearer", bearer(adminToken)],
    ["bearer", `bearer ${adminToken}`],
    ["Basic with any name", basic(`anybody:${adminToken}`)],
    ["Basic without a name", basic(`:${adminToken}`)],
  ])("opens the admin API as %s", async (_, authorization) => {
    expect((await answerTo(closed, health(authorization))).status).toBe(200);
  });

  it("may hold what Basic parts with", async () => {
    await using other = await startMock({ adminToken: "a:b:c" });
    expect((await answerTo(other, health(basic("x:a:b:c")))).status).toBe(200);
    expect((await answerTo(other, health(basic("a:b:c")))).status).toBe(401);
  });

  it("is asked for everywhere under the admin API, and nothing happens without it", async () => {
    const calls: readonly (readonly [string, string])[] = [
      ["POST", "/__admin/reset"],
      ["POST", "/worlds/w1/__admin/reset"],
      ["DELETE", "/__admin/worlds"],
      ["GET", "/__admin/requests"],
      ["GET", "/__admin/"],
      ["GET", "/__admin"],
      ["GET", "/__admin?x"],
      ["GET", "/__admin/inspector.js"],
      ["GET", "http://localhost/__admin/state"],
      ["OPTIONS", "/__admin/state"],
    ];
    for (const [method, path] of calls) {
      const { status } = await answerTo(closed, request({ method, path, length: [], body: "" }));
      expect([method, path, status]).toEqual([method, path, 401]);
    }
    expect((await closed.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });

  it("is not asked for by the service", async () => {
    expect((await answerTo(closed, request({}))).status).toBe(200);
    expect((await answerTo(closed, request({ path: "/worlds/w1/api/user" }))).status).toBe(200);
    expect((await answerTo(closed, request({ authorization: bearer(adminToken) }))).status).toBe(401);
    await call("DELETE", `${closed.url}/__admin/worlds`, undefined, {
      headers: { Authorization: bearer(adminToken) },
    });
  });

  it("does not show in the journal of somebody who sent it to the service", async () => {
    await answerTo(closed, request({ authorization: bearer(adminToken) }));
    expect(JSON.stringify(await closed.requests())).not.toContain(adminToken);
  });

  it("lets connectMock steer, in every world", async () => {
    const world = await connectMock(closed.url, { adminToken });
    await world.fault({ status: 503 });
    expect(await closed.faults()).toHaveLength(1);
    await world.world("w1").reset();
    expect((await world.worlds()).map(({ name }) => name)).toEqual(["default", "w1"]);
    await world.world("w1").drop();
  });

  it.each([undefined, { adminToken: "wrong" }])("keeps connectMock out with %j", async (options) => {
    const { code, message } = await refusalOf(connectMock(closed.url, options));
    expect([code, message]).toEqual(["unauthorized", expect.stringContaining("--admin-token")]);
  });
});
