import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectMock, type Mock, startMock } from "../../src/index.js";
import { call } from "../call.js";
import { refusalOf } from "../world/refusal.js";
import { exchange, type RawResponse } from "./raw-socket.js";
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

/** A valid request with these Host headers. */
function withHosts(hosts: readonly string[], parts: Parts = {}): Buffer {
  const lines = hosts.map((host) => `Host: ${host}\r\n`).join("");
  return Buffer.from(request(parts).toString("latin1").replace("Host: localhost\r\n", lines), "latin1");
}

async function responseTo(server: Mock, sent: Buffer): Promise<RawResponse> {
  const [response, ...others] = await exchange(server.url, [sent]);
  expect(others).toEqual([]);
  if (response === undefined) throw new Error("no response");
  expectNoPage(response);
  expectNoCors(response.headers);
  return response;
}

function expectNoCors(headers: Readonly<Record<string, unknown>>): void {
  expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
}

async function expectRejected(
  server: Mock,
  sent: Buffer,
  status: number,
  code: string,
): Promise<RawResponse> {
  const before = await server.state();
  const response = await responseTo(server, sent);
  const error = { code, message: expect.stringMatching(/\.$/) };
  const isAdmin = /^\S+ [^ ?]*\/__admin/.test(sent.toString("latin1"));
  expect([response.status, JSON.parse(response.body)]).toEqual([
    status,
    isAdmin ? { error } : { success: 0, error },
  ]);
  // It reached no world, so the journal does not have it.
  expect(response.headers["usergroup-mock-request"]).toBeUndefined();
  expect([await server.state(), await server.requests(), (await server.health()).status]).toEqual([
    before,
    [],
    "ok",
  ]);
  return response;
}

describe("Host header", () => {
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
  ])("rejects an unknown host: %j", async (host) => {
    await expectRejected(mock, withHosts([host]), 403, "forbidden_host");
    await expectRejected(mock, withHosts([host], { path: "/__admin/health" }), 403, "forbidden_host");
    await expectRejected(mock, withHosts([host], { path: "/api/user?/__admin" }), 403, "forbidden_host");
  });

  it("is rejected with a message that says how to allow it", async () => {
    const { body } = await responseTo(mock, withHosts(["web.test:4010"]));
    expect(JSON.parse(body).error.message).toBe(
      'This host is not allowed: "web.test:4010". Use 127.0.0.1 or localhost, or start with --allow-host web.test. See node_modules/usergroup-mock/docs/troubleshooting.md.',
    );
    const { body: unnamed } = await responseTo(mock, withHosts(["a@b"]));
    expect(JSON.parse(unnamed).error.message).toContain("--allow-host <name>.");
  });

  it("keeps the connection open after a rejection", async () => {
    const rejected = withHosts(["evil.test"], { close: false });
    const responses = await exchange(mock.url, [Buffer.concat([rejected, request({})])]);
    expect(responses.map(({ status }) => status)).toEqual([403, 200]);
    expect(responses[0]?.headers).not.toHaveProperty("www-authenticate");
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
    // Sent by clients whose URL has no authority; not by browsers.
    "",
  ])("accepts a host of this machine: %j", async (host) => {
    const { status, body } = await responseTo(mock, withHosts([host]));
    expect([status, JSON.parse(body).new_user_group]).toEqual([200, true]);
  });

  it.each([
    ["--allow-host lists", allowed],
    ["--allow-host lists, in another case and with a port", `${allowed.toUpperCase()}:4010`],
    ["the mock is bound to", "0.0.0.0:4010"],
  ])("accepts the name that %s", async (_, host) => {
    expect((await responseTo(closed, withHosts([host]))).status).toBe(200);
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
    "accepts a name that cannot be registered if bound to all addresses: %j",
    async (host) => {
      expect((await responseTo(closed, withHosts([host]))).status).toBe(200);
    },
  );

  it.each(reserved)("accepts a reserved name on loopback: %j", async (host) => {
    expect((await responseTo(mock, withHosts([host]))).status).toBe(200);
  });

  it.each(ofPrivateNetwork)("rejects a name of a private network on loopback: %j", async (host) => {
    await expectRejected(mock, withHosts([host]), 403, "forbidden_host");
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
  ])("rejects a name that can be registered if bound to all addresses: %j", async (host) => {
    const { status, body } = await responseTo(closed, withHosts([host]));
    expect([status, JSON.parse(body).error.code]).toEqual([403, "forbidden_host"]);
  });

  it("rejects names that --allow-host does not list", async () => {
    await expectRejected(closed, withHosts([`x.${allowed}`]), 403, "forbidden_host");
    await expectRejected(closed, withHosts(["evil.test"]), 403, "forbidden_host");
  });

  it.each([
    [["localhost", "evil.test"]],
    [["evil.test", "localhost"]],
    [["localhost", "localhost"]],
    [["", "localhost"]],
  ])("rejects two Host headers: %j", async (hosts) => {
    await expectRejected(mock, withHosts(hosts), 400, "ambiguous_host");
  });

  it("rejects two Host headers in different case", async () => {
    await expectRejected(mock, request({ more: ["hOST: localhost"] }), 400, "ambiguous_host");
  });

  it("accepts one Host beside headers with names of equal length", async () => {
    const more = [
      "From: a",
      "Cookie: a",
      "X-Request-Id: a",
      "Cache-Control: no-cache",
      "X-Correlation-Id: a",
    ];
    expect((await responseTo(mock, request({ more }))).status).toBe(200);
  });

  it("is optional in HTTP/1.0 and required in HTTP/1.1", async () => {
    const old = Buffer.from(withHosts([]).toString().replace("HTTP/1.1", "HTTP/1.0"));
    expect((await responseTo(mock, old)).status).toBe(200);
    const { status } = await responseTo(mock, withHosts([]));
    expect([status, (await mock.health()).groups]).toEqual([400, 6]);
  });

  it("rejects an unknown host every time", async () => {
    for (let n = 0; n < 2; n++) await expectRejected(mock, withHosts(["evil.test"]), 403, "forbidden_host");
  });
});

describe("a target that is a URL", () => {
  it("does not override an unknown Host header", async () => {
    const sent = withHosts(["evil.test"], { path: "http://localhost/api/user" });
    await expectRejected(mock, sent, 403, "forbidden_host");
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
  ])("is read as its path: %s", async (path, status) => {
    expect((await responseTo(mock, request({ path }))).status).toBe(status);
  });
});

const host = "localhost:4010";

describe("event stream", () => {
  const opening = (headers: Record<string, string>, server = mock) =>
    new Promise<number | undefined>((resolve, reject) => {
      const req = httpRequest(`${server.url}/__admin/events`, { headers, agent: false }, (res) => {
        expectNoCors(res.headers);
        resolve(res.statusCode);
        req.destroy();
      });
      req.on("error", reject).end();
    });

  it("opens for a program and for a page of its own origin", async () => {
    expect(await opening({})).toBe(200);
    const own = `http://127.0.0.1:${portOf(mock)}`;
    expect(await opening({ Origin: own, "Sec-Fetch-Site": "same-origin" })).toBe(200);
  });

  it("does not open for a page of another origin", async () => {
    expect(await opening({ Origin: `http://127.0.0.1:${Number(portOf(mock)) + 1}` })).toBe(403);
  });

  it("requires the admin token if there is one", async () => {
    expect(await opening({}, closed)).toBe(401);
    expect(await opening({ Authorization: `Bearer ${adminToken}` }, closed)).toBe(200);
  });
});

describe("admin requests that change something", () => {
  const writes: readonly [method: string, path: string, body: string][] = [
    ["PUT", "/state", '{"teams":[{"team_id":1,"api_tokens":["one"]}]}'],
    ["POST", "/faults", '{"status":503}'],
    ["PATCH", "/assumptions", '{"old-token":"accepted"}'],
    ["POST", "/requests/wait", '{"timeoutMs":1}'],
    ["POST", "/reset", "{}"],
  ];
  const types = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain; application/json",
    undefined,
  ];

  it.each(writes.flatMap(([method, path, body]) => types.map((type) => ({ method, path, body, type }))))(
    "reject a body that is not JSON: $method $path as $type",
    async ({ method, path, body, type }) => {
      const before = [await mock.state(), await mock.faults(), await mock.assumptions()];
      const { status, body: response } = await responseTo(
        mock,
        withHosts([host], { method, path: `/__admin${path}`, type, body }),
      );
      expect([status, JSON.parse(response).error.code]).toEqual([415, "unsupported_media_type"]);
      expect([await mock.state(), await mock.faults(), await mock.assumptions()]).toEqual(before);
    },
  );

  it.each([
    ["POST", "/reset"],
    ["DELETE", "/requests"],
  ])("accept any Content-Type with an empty body: %s %s", async (method, path) => {
    for (const type of [undefined, "application/json", "application/x-www-form-urlencoded", "text/plain"]) {
      const head = { method, path: `/__admin${path}`, type, length: [], body: "" };
      expect((await responseTo(mock, withHosts([host], head))).status).toBe(200);
    }
  });
});

describe("responses have no CORS headers", () => {
  const requests: readonly Parts[] = [
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

  it.each(requests)("%j", async (parts) => {
    for (const origin of [`http://${host}`, "https://evil.test", "null"]) {
      const more = [...(parts.more ?? []), `Origin: ${origin}`];
      const [response] = await exchange(mock.url, [withHosts([host], { ...parts, more })]);
      expectNoCors(response?.headers ?? expect.fail());
    }
  });
});

describe("admin token", () => {
  const bearer = (token: string) => `Bearer ${token}`;
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
  const state = (authorization?: string) =>
    withHosts(["localhost"], { path: "/__admin/state", length: [], body: "", authorization });

  it.each([
    ["a missing header", undefined],
    ["an empty header", ""],
    ["another token", bearer("open-sesame-0000")],
    ["part of the token", bearer(adminToken.slice(0, -1))],
    ["its first character", bearer("o")],
    ["the token and one more character", bearer(`${adminToken}x`)],
    ["the token in another case", bearer(adminToken.toUpperCase())],
    ["the token twice", bearer(`${adminToken} ${adminToken}`)],
    ["the token without a scheme", adminToken],
    ["the token with the scheme Token", `Token ${adminToken}`],
    ["only the scheme", "Bearer"],
    ["only the scheme and a space", "Bearer "],
    ["the token with the scheme xBearer", `xBearer ${adminToken}`],
    ["the token and another line in Basic", basic(`x:${adminToken}\nx`)],
    ["an API token", "Token test-api-token"],
    ["the token as the user name of Basic", basic(`${adminToken}:`)],
    ["the token in Basic without a colon", basic(adminToken)],
    ["the token in base64 with Bearer", bearer(Buffer.from(`:${adminToken}`).toString("base64"))],
    ["an empty password in Basic", basic(":")],
    ["invalid base64", "Basic ****"],
    ["__proto__", bearer("__proto__")],
  ])("rejects %s", async (_, authorization) => {
    const { headers } = await expectRejected(closed, state(authorization), 401, "unauthorized");
    expect(headers["www-authenticate"]).toBe('Bearer, Basic realm="usergroup-mock"');
  });

  it.each([
    ["Bearer", bearer(adminToken)],
    ["bearer", `bearer ${adminToken}`],
    ["Basic with any user name", basic(`anyone:${adminToken}`)],
    ["Basic without a user name", basic(`:${adminToken}`)],
  ])("accepts %s", async (_, authorization) => {
    expect((await responseTo(closed, state(authorization))).status).toBe(200);
  });

  it("may contain colons", async () => {
    await using other = await startMock({ adminToken: "a:b:c" });
    expect((await responseTo(other, state(basic("x:a:b:c")))).status).toBe(200);
    expect((await responseTo(other, state(basic("a:b:c")))).status).toBe(401);
  });

  it("is required for every path of the admin API", async () => {
    const requests: readonly (readonly [string, string])[] = [
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
    for (const [method, path] of requests) {
      const { status } = await responseTo(closed, request({ method, path, length: [], body: "" }));
      expect([method, path, status]).toEqual([method, path, 401]);
    }
    expect((await closed.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });

  it("is not required for the health of the mock", async () => {
    for (const path of ["/__admin/health", "/worlds/w1/__admin/health"]) {
      const [response] = await exchange(closed.url, [request({ path, authorization: undefined })]);
      expect([path, response?.status]).toEqual([path, 200]);
    }
  });

  it("is not required by the service", async () => {
    expect((await responseTo(closed, request({}))).status).toBe(200);
    expect((await responseTo(closed, request({ path: "/worlds/w1/api/user" }))).status).toBe(200);
    expect((await responseTo(closed, request({ authorization: bearer(adminToken) }))).status).toBe(401);
    await call("DELETE", `${closed.url}/__admin/worlds`, undefined, {
      headers: { Authorization: bearer(adminToken) },
    });
  });

  it("is masked in the journal if it is sent to the service", async () => {
    await responseTo(closed, request({ authorization: bearer(adminToken) }));
    expect(JSON.stringify(await closed.requests())).not.toContain(adminToken);
  });

  it("gives connectMock access to every world", async () => {
    const world = await connectMock(closed.url, { adminToken });
    await world.fault({ status: 503 });
    expect(await closed.faults()).toHaveLength(1);
    await world.world("w1").reset();
    expect((await world.worlds()).map(({ name }) => name)).toEqual(["default", "w1"]);
    await world.world("w1").drop();
  });

  it.each([undefined, { adminToken: "wrong" }])("rejects connectMock with %j", async (options) => {
    const { code, message } = await refusalOf(connectMock(closed.url, options));
    expect([code, message]).toEqual(["unauthorized", expect.stringContaining("--admin-token")]);
  });
});
