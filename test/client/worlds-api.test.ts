import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { connectMock } from "../../src/client/connect-mock.js";
import { startMock } from "../../src/client/start-mock.js";
import type { Mock, World } from "../../src/client/world.js";
import { MockError } from "../../src/foundation/mock-error.js";
import type { Fixture } from "../../src/generated/types.js";
import { call, getOrCreate, rotate } from "../call.js";
import { callInFlight } from "../call-in-flight.js";
import { seededToken } from "../seeded.js";
import { refusalOf } from "../world/refusal.js";

/** Both ways to control `mock`. */
type Control = (mock: Mock) => Promise<World>;

const ways: [name: string, control: Control][] = [
  ["startMock", async (mock) => mock],
  ["connectMock", (mock) => connectMock(mock.url)],
];

describe.each(ways)("a world from %s", (_, control) => {
  let mock: Mock;
  let world: World;

  beforeEach(async () => {
    mock = await startMock();
    world = await control(mock);
  });
  afterEach(() => mock.stop());

  const create = (id: string) => getOrCreate(world.url, { user_group_id: id, name: id });

  it("has the base URL of the service and a valid API token", async () => {
    expect(world.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(world.apiToken).toBe("test-api-token");
    const { status } = await getOrCreate(
      world.url,
      { user_group_id: "a", name: "A" },
      { apiToken: world.apiToken },
    );
    expect(status).toBe(200);
  });

  it("returns its health, with the current number of groups", async () => {
    const health = await world.health();
    expect(health).toEqual({
      status: "ok",
      version: packageJson.version,
      world: "default",
      worlds: 1,
      groups: 5,
      uptimeMs: expect.any(Number),
    });
    expect(Number.isInteger(health.uptimeMs) && health.uptimeMs >= 0).toBe(true);
    await create("new");
    await create("new");
    expect((await world.health()).groups).toBe(6);
  });

  it("shows the effects of requests in its state", async () => {
    const mapping = { "40": "213" };
    const properties = { plan: { seats: 3 }, ["__proto__"]: "kept" };
    const created = await getOrCreate(world.url, { user_group_id: "new", name: "New", mapping, properties });
    const rotated = await rotate(world.url, created.body.user_group.token);
    const { teams, user_groups = [] } = await world.state();
    expect(teams).toEqual([
      { team_id: 3, api_tokens: ["test-api-token"] },
      { team_id: 4, api_tokens: ["other-api-token"] },
    ]);
    expect(user_groups).toHaveLength(6);
    const { token } = rotated.body.user_group;
    expect(user_groups).toContainEqual({
      team_id: 3,
      provided_id: "new",
      name: "New",
      token,
      mapping,
      properties,
    });
  });

  it("returns its state as a copy", async () => {
    const before = await world.state();
    const changed = await world.state();
    changed.teams?.[0]?.api_tokens.push("another");
    for (const group of changed.user_groups ?? []) Object.assign(group.properties ?? {}, { changed: true });
    changed.user_groups?.pop();
    expect(await world.state()).toEqual(before);
    await world.reset();
    expect(await world.state()).toEqual(before);
  });

  it("restores groups, tokens and request ids on reset", async () => {
    const before = await world.state();
    const first = await create("new");
    await rotate(world.url, seededToken);
    await world.reset();
    expect(await world.state()).toEqual(before);
    const again = await create("new");
    expect(again.body).toEqual(first.body);
    expect(again.headers["usergroup-mock-request"]).toBe("1");
    expect((await rotate(world.url, seededToken)).status).toBe(200);
  });

  it("does not show a request after a reset that had begun before it", async () => {
    const before = await world.state();
    const creating = await callInFlight("GET", world.url, { user_group_id: "new", name: "New" });
    const rotating = await callInFlight("POST", world.url, { current_token: seededToken });
    await world.reset();
    expect((await creating.finish()).body.new_user_group).toBe(true);
    expect((await rotating.finish()).status).toBe(200);
    expect(await world.state()).toEqual(before);
    expect((await create("other")).headers["usergroup-mock-request"]).toBe("1");
  });

  const fixture: Fixture = {
    teams: [{ team_id: 9, api_tokens: ["nine", "neuf"] }],
    user_groups: [{ team_id: 9, provided_id: "g", name: "G", token: "t".repeat(64), properties: { a: [1] } }],
  };

  it("replaces teams and groups on load, until the next reset", async () => {
    const seed = await world.state();
    await create("new");
    await world.load(fixture);
    expect(await world.state()).toEqual({
      teams: fixture.teams,
      user_groups: [{ ...fixture.user_groups?.[0], mapping: {} }],
    });
    expect((await create("new")).status).toBe(401);
    const { body } = await getOrCreate(world.url, { user_group_id: "g" }, { apiToken: "neuf" });
    expect([body.new_user_group, body.user_group.token]).toEqual([false, "t".repeat(64)]);
    await world.reset();
    expect(await world.state()).toEqual(seed);
    expect((await create("new")).body.new_user_group).toBe(true);
  });

  it("does not change when the loaded fixture object is changed later", async () => {
    const given = structuredClone(fixture);
    await world.load(given);
    const before = await world.state();
    given.teams?.[0]?.api_tokens.pop();
    Object.assign(given.user_groups?.[0]?.properties ?? {}, { changed: true });
    expect(await world.state()).toEqual(before);
  });

  it("loads a fixture as JSON would transmit it", async () => {
    const properties = { since: new Date(0), nothing: undefined, list: [undefined] };
    const groups = [{ team_id: 9, provided_id: "g", name: "G", properties }];
    await world.load({ ...fixture, user_groups: groups });
    const [group] = (await world.state()).user_groups ?? [];
    expect(group?.properties).toStrictEqual({ since: "1970-01-01T00:00:00.000Z", list: [null] });
  });

  const group = { team_id: 9, provided_id: "g", name: "G" };
  it.each([
    ["a list instead of an object", "[]", [""]],
    ["an unknown field", '{ "teems": [] }', ["/teems"]],
    ["no team", '{ "teams": [] }', ["/teams"]],
    [
      "a group without its fields",
      JSON.stringify({ ...fixture, user_groups: [{}] }),
      ["/user_groups/0/team_id", "/user_groups/0/provided_id", "/user_groups/0/name"],
    ],
    [
      "several problems",
      JSON.stringify({
        teams: [{ team_id: 9, api_tokens: ["same", "same"] }],
        user_groups: [group, group, { ...group, team_id: 10 }],
      }),
      ["/teams/0/api_tokens/1", "/user_groups/1", "/user_groups/2/team_id"],
    ],
  ])(
    "rejects a fixture with %s, lists every problem in details, and changes nothing",
    async (_case, json, paths) => {
      await create("new");
      const before = await world.state();
      // From JSON, as from a file: TypeScript would not accept it.
      const refused = await world.load(JSON.parse(json)).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(MockError);
      const { code, message, details } = refused as MockError;
      expect(code).toBe("invalid_fixture");
      expect(details.map(({ path }) => path)).toEqual(paths);
      for (const detail of details) expect(message).toContain(detail.message);
      expect(message.split("\n")).toHaveLength(1 + details.length);
      expect(await world.state()).toEqual(before);
      expect((await create("new")).body.new_user_group).toBe(false);
    },
  );

  it("exports a state that another mock can load", async () => {
    const created = await create("new");
    await rotate(world.url, created.body.user_group.token);
    await rotate(world.url, seededToken);
    const state = await world.state();
    await using other = await startMock({ fixtures: fixture });
    const otherWorld = await control(other);
    await otherWorld.load(state);
    expect(await otherWorld.state()).toEqual(state);
    await using third = await startMock({ fixtures: state, seed: "another" });
    expect(await (await control(third)).state()).toEqual(state);
  });

  it("does not repeat a token after its own export was loaded", async () => {
    const { token } = (await create("new")).body.user_group;
    const rotated = (await rotate(world.url, token)).body.user_group.token;
    await world.load(await world.state());
    const next = (await rotate(world.url, rotated)).body.user_group.token;
    expect([token, rotated]).not.toContain(next);
  });
});

describe.each(ways)("a hold from %s", (_, control) => {
  it("causes no unhandled rejection when it is printed", async () => {
    await using mock = await startMock();
    const world = await control(mock);
    const failures: unknown[] = [];
    const fail = (reason: unknown) => failures.push(reason);
    process.on("unhandledRejection", fail);
    try {
      const held = await world.hold();
      await world.reset();
      JSON.stringify({ ...held });
      await setTimeout(50);
    } finally {
      process.off("unhandledRejection", fail);
    }
    expect(failures).toEqual([]);
  });
});

describe.each(ways)("a world from %s, used from JavaScript", (_, control) => {
  it.each([3, undefined, null, {}, ["w"], ""])("rejects an invalid name: world(%j)", async (name) => {
    await using mock = await startMock();
    const world = await control(mock);
    expect(() => Reflect.apply(world.world, world, [name])).toThrow("is not a valid world name");
  });
});

describe.each(ways)("the journal from %s", (_, control) => {
  it("accepts filters", async () => {
    await using mock = await startMock();
    const world = await control(mock);
    await getOrCreate(mock.url, { user_group_id: "a?b=c", name: "A" });
    expect(await world.requests({ limit: Number.MAX_SAFE_INTEGER })).toHaveLength(1);
    expect(await world.requests({ user_group_id: "a?b=c" })).toHaveLength(1);
    expect(await Reflect.apply(world.requests, world, [null])).toHaveLength(1);
    const { body } = await call("GET", `${mock.url}/__admin/requests?user_group_id=a?b%3Dc`);
    expect(body.total).toBe(1);
  });
});

describe("connectMock", () => {
  it("rejects an unknown option, and suggests the closest match", async () => {
    const connected = Reflect.apply(connectMock, undefined, ["http://127.0.0.1:1", { adminTokn: "s3cret" }]);
    await expect(connected).rejects.toThrow("connectMock has no option adminTokn; did you mean adminToken?");
  });

  it.each(["user:s3cret@127.0.0.1:4010", "http://user:s3cret@127.0.0.1:4010"])(
    "does not repeat credentials: %s",
    async (url) => {
      const { message } = await refusalOf(connectMock(url));
      expect(message).toContain("connectMock needs");
      expect(message).not.toContain("s3cret");
    },
  );

  const json =
    (status: number, body: unknown): RequestListener =>
    (_req, res) => {
      res.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    };

  it.each(["/", "\n", "/\n"])("accepts a URL that ends with %j, as in a ready file", async (end) => {
    await using mock = await startMock();
    expect((await connectMock(`${mock.url}${end}`)).url).toBe(mock.url);
    expect((await connectMock(`${mock.url}/worlds/w1${end}`)).url).toBe(`${mock.url}/worlds/w1`);
  });

  it.each(["/?x=1", "/#x", "?x"])("rejects a URL with a query or a fragment: %s", async (end) => {
    await using mock = await startMock();
    await expect(connectMock(`${mock.url}${end}`)).rejects.toMatchObject({ code: "invalid_option" });
    expect(await mock.requests()).toEqual([]);
  });

  it.each(["user:secret-7f3a@", "secret-7f3a@", "a:%zz@"])(
    "rejects a URL with credentials, and does not repeat them: %s",
    async (credentials) => {
      await using mock = await startMock({ adminToken: "secret-7f3a" });
      const refused = connectMock(mock.url.replace("//", `//${credentials}`));
      const { code, message } = await refusalOf(refused);
      expect([code, message]).toEqual([
        "invalid_option",
        expect.stringContaining("use the option adminToken"),
      ]);
      expect(message).not.toMatch(/secret|%zz/);
    },
  );

  it("controls the same worlds as the mock itself", async () => {
    await using mock = await startMock();
    const world = await connectMock(mock.url);
    await getOrCreate(world.url, { user_group_id: "new", name: "New" });
    expect(await mock.state()).toEqual(await world.state());
    await world.reset();
    expect((await mock.health()).groups).toBe(5);
  });

  it("works again after the mock was restarted on its port", async () => {
    const mock = await startMock();
    const world = await connectMock(mock.url);
    await mock.stop();
    await expect(world.reset()).rejects.toMatchObject({ name: "MockError", code: "unreachable" });
    await using _again = await startMock({ port: Number(new URL(mock.url).port) });
    await world.reset();
    expect((await world.health()).groups).toBe(5);
  });

  it("accepts null as options, and ignores invalid details of an error", async () => {
    await using mock = await startMock();
    expect((await Reflect.apply(connectMock, undefined, [mock.url, null])).url).toBe(mock.url);
    const odd = createServer(json(400, { error: { code: "odd", message: "Odd.", details: [null, "x"] } }));
    await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
    const refused = connectMock(`http://127.0.0.1:${(odd.address() as AddressInfo).port}`);
    await expect(refused).rejects.toMatchObject({ name: "MockError", code: "odd", details: [] });
    odd.close();
  });

  it("leaves no connection open", async () => {
    await using mock = await startMock();
    const open = new Set<Socket>();
    const proxy = createTcpServer((socket) => {
      open.add(socket.on("close", () => open.delete(socket)));
      socket.pipe(connect(Number(new URL(mock.url).port), "127.0.0.1")).pipe(socket);
    }).listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const world = await connectMock(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    await world.health();
    await world.reset();
    await expect.poll(() => open.size).toBe(0);
    proxy.close();
  });

  it("rejects if nothing listens, with the URL and what to do", async () => {
    const mock = await startMock();
    await mock.stop();
    const refused = await connectMock(mock.url).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(MockError);
    expect(refused).toMatchObject({ code: "unreachable", message: expect.stringContaining(mock.url) });
    expect(String(refused)).toMatch(/ECONNREFUSED.*Start it, or fix the URL/);
  });

  it.each<[what: string, server: () => Server]>([
    ["an HTML page", () => createServer((_req, res) => res.end("<!doctype html><title>A site</title>"))],
    ["nothing", () => createServer((_req, res) => res.end())],
    ["other JSON", () => createServer(json(200, { hello: "world" }))],
    ["a JSON list", () => createServer(json(200, []))],
    ["JSON null", () => createServer(json(200, null))],
    ["invalid teams", () => createServer(json(200, { teams: [null] }))],
    ["invalid API tokens", () => createServer(json(200, { teams: [{ api_tokens: 5 }] }))],
    ["404 and JSON null", () => createServer(json(404, null))],
    ["404 and an error as text", () => createServer(json(404, { error: "Not Found" }))],
    ["a redirect", () => createServer((_req, res) => res.writeHead(302, { Location: "/login" }).end())],
    [
      "something that is not HTTP",
      () => createTcpServer((socket) => socket.resume().end("220 mail.test ESMTP\r\n")),
    ],
    ["a closed connection", () => createTcpServer((socket) => socket.destroy())],
  ])("rejects a server that is not a usergroup-mock, and responds with %s", async (_, make) => {
    const server = make();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const refused = await connectMock(url).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(MockError);
      expect(refused).toMatchObject({ code: "unreachable", message: expect.stringContaining(url) });
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it.each([
    "",
    "nonsense",
    "127.0.0.1:4010",
    "localhost:4010",
    "//localhost:4010",
    "ftp://localhost:4010",
    undefined,
  ])("rejects an invalid URL, and names what it needs: %j", async (url) => {
    // In JavaScript, an environment variable that is not set is undefined.
    const refused = await Promise.resolve(Reflect.apply(connectMock, undefined, [url])).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(MockError);
    expect(refused).toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining("needs the URL"),
    });
  });
});
