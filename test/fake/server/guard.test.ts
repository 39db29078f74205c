import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectMock, type Mock, startMock } from "../../../src/index.js";
import { rejectionOf } from "../world/rejection.js";
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
    "evil.example:4010",
    "localhost.evil.test",
    "localhost@evil.test",
    "evil.test@localhost",
    "127.0.0.1.evil.test",
    "[::1].evil",
    "[evil.test]",
    "198.51.100.7",
    "0.0.0.0",
    "127.0.0.1:80:80",
    "127.1",
    "127.0.0.999",
    "localhost, evil.test",
    "localhost..",
    ".localhost",
    "xlocalhost",
    "localhostx",
    "loc\u00e4lhost",
    ":4010",
    "1127.0.0.1",
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
    "localhost.:4010",
    "127.0.0.1",
    "127.10.20.255:4010",
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
    "user_group-mock:4010",
    "MOCK.",
    "mock.tests.svc",
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
    `x.${allowed}`,
    "internal.evil.test",
    "svc.cluster.local.evil.test",
    "mock.cluster.local",
    "evil.xsvc",
    ".internal",
    "evil..internal",
    "m\u00f6ck",
    "mock,evil",
    "198.51.100.999",
  ])("rejects a name that can be registered if bound to all addresses: %j", async (host) => {
    const { status, body } = await responseTo(closed, withHosts([host]));
    expect([status, JSON.parse(body).error.code]).toEqual([403, "forbidden_host"]);
  });

  it.each([[["localhost", "evil.test"]], [["localhost", "localhost"]], [["", "localhost"]]])(
    "rejects two Host headers: %j",
    async (hosts) => {
      await expectRejected(mock, withHosts(hosts), 400, "ambiguous_host");
    },
  );

  it("rejects two Host headers in different case", async () => {
    await expectRejected(mock, request({ more: ["hOST: localhost"] }), 400, "ambiguous_host");
  });

  it("is optional in HTTP/1.0 and required in HTTP/1.1", async () => {
    const old = Buffer.from(withHosts([]).toString().replace("HTTP/1.1", "HTTP/1.0"));
    expect((await responseTo(mock, old)).status).toBe(200);
    const { status } = await responseTo(mock, withHosts([]));
    expect([status, (await mock.health()).groups]).toEqual([400, 6]);
  });
});

describe("a target that is a URL", () => {
  it("does not override an unknown Host header", async () => {
    const sent = withHosts(["evil.test"], { path: "http://localhost/api/user" });
    await expectRejected(mock, sent, 403, "forbidden_host");
  });

  it.each([
    ["http://localhost:4010/api/user", 200],
    ["http://localhost/worlds/w1/api/user", 200],
    ["http://localhost/__admin/health", 200],
    ["/api/user?next=http://evil.test/", 200],
    ["http://localhost", 404],
  ])("is read as its path: %s", async (path, status) => {
    expect((await responseTo(mock, request({ path }))).status).toBe(status);
  });
});

const host = "localhost:4010";

describe("admin requests that change something", () => {
  const writes: readonly [method: string, path: string, body: string][] = [
    ["PUT", "/state", '{"teams":[{"team_id":1,"api_tokens":["one"]}]}'],
    ["POST", "/faults", '{"status":503}'],
    ["PATCH", "/assumptions", '{"old-token":"accepted"}'],
    ["POST", "/requests/wait", '{"timeoutMs":1}'],
    ["POST", "/reset", "{}"],
  ];
  it.each(writes)("reject a body that is not JSON: %s %s", async (method, path, body) => {
    const before = [await mock.state(), await mock.faults(), await mock.assumptions()];
    for (const type of ["text/plain", "application/x-www-form-urlencoded", undefined]) {
      const sent = withHosts([host], { method, path: `/__admin${path}`, type, body });
      const { status, body: response } = await responseTo(mock, sent);
      expect([status, JSON.parse(response).error.code]).toEqual([415, "unsupported_media_type"]);
    }
    expect([await mock.state(), await mock.faults(), await mock.assumptions()]).toEqual(before);
  });

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

describe("admin token", () => {
  const bearer = (token: string) => `Bearer ${token}`;
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
  const state = (authorization?: string) =>
    withHosts(["localhost"], { path: "/__admin/state", length: [], body: "", authorization });

  it.each([
    ["a missing header", undefined],
    ["another token", bearer("open-sesame-0000")],
    ["part of the token", bearer(adminToken.slice(0, -1))],
    ["the token and one more character", bearer(`${adminToken}x`)],
    ["the token without a scheme", adminToken],
    ["the token with the scheme Token", `Token ${adminToken}`],
    ["only the scheme", "Bearer"],
    ["the token and another line in Basic", basic(`x:${adminToken}\nx`)],
    ["the token as the user name of Basic", basic(`${adminToken}:`)],
    ["an empty password in Basic", basic(":")],
    ["invalid base64", "Basic ****"],
  ])("rejects %s", async (_, authorization) => {
    const { headers } = await expectRejected(closed, state(authorization), 401, "unauthorized");
    expect(headers["www-authenticate"]).toBe('Bearer, Basic realm="usergroup-mock"');
  });

  it.each([
    ["Bearer", bearer(adminToken)],
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
      ["DELETE", "/__admin/worlds/default"],
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
    await closed.world("w1").drop();
  });

  it.each([undefined, { adminToken: "wrong" }])("rejects connectMock with %j", async (options) => {
    const { code, message } = await rejectionOf(connectMock(closed.url, options));
    expect([code, message]).toEqual(["unauthorized", expect.stringContaining("--admin-token")]);
  });
});
