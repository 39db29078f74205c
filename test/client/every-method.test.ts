import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { ClientRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AdminCallId, adminCall, adminCallIds } from "../../src/fake/contract/admin-calls.js";
import { connectMock, type Mock, startMock, type World } from "../../src/index.js";
import { call, create, rotate, type TestResponse } from "../call.js";

// Every method of World, in this process and over HTTP, without and with an admin token. A method without a row does
// not compile. An admin call that no method makes needs a row too: the last test names one that is missing.

type MethodOf<T> = { [Name in keyof T]: T[Name] extends (...args: never) => unknown ? Name : never }[keyof T];

type Method = MethodOf<World>;

/** What a method does, and a test of it in a new world. */
type Row = readonly [fact: string, show: (world: World) => Promise<void>];

const namesOf = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);

const rows: Readonly<Record<Method, Row>> = {
  health: [
    "returns the status and the name of the world",
    async (world) => {
      expect(await world.health()).toMatchObject({ status: "ok", world: world.name });
    },
  ],
  reset: [
    "restores the seed and begins a journal with a label",
    async (world) => {
      await create(world.url);
      await world.reset({ label: "next" });
      expect([(await world.groups()).length, await world.requests()]).toEqual([5, []]);
      await world.reset();
      expect((await world.history())[0]).toMatchObject({ label: "next" });
    },
  ],
  state: [
    "returns teams and groups",
    async (world) => {
      const { token } = (await create(world.url)).body.user_group;
      const { teams, user_groups } = await world.state();
      expect(teams).toContainEqual({ team_id: 3, api_tokens: ["test-api-token"] });
      expect(user_groups).toContainEqual(expect.objectContaining({ provided_id: "new", token }));
    },
  ],
  load: [
    "replaces teams and groups",
    async (world) => {
      await world.load({ teams: [{ team_id: 9, api_tokens: ["nine"] }] });
      expect([world.apiToken, await world.groups()]).toEqual(["nine", []]);
    },
  ],
  groups: [
    "returns the groups with what is known about them",
    async (world) => {
      await rotate(world.url, (await create(world.url)).body.user_group.token);
      const rotated = { provided_id: "new", seeded: false, rotations: 1 };
      expect(await world.groups()).toContainEqual(expect.objectContaining(rotated));
    },
  ],
  addGroup: [
    "adds a group and returns it with its token",
    async (world) => {
      const { token } = await world.addGroup({ provided_id: "new", name: "New" });
      const { body } = await create(world.url);
      expect(body).toMatchObject({ new_user_group: false, user_group: { token } });
    },
  ],
  requests: [
    "returns the requests that match",
    async (world) => {
      await create(world.url, "a");
      await create(world.url, "b");
      const found = await world.requests({ user_group_id: "b" });
      expect([found.map(({ id }) => id), found.dropped]).toEqual([[2], 0]);
      expect(Object.keys(found)).toEqual(["0"]);
    },
  ],
  history: [
    "returns the journals of earlier tests, which requests() shows by their number",
    async (world) => {
      await create(world.url);
      await world.reset();
      const [past] = await world.history();
      expect(past).toMatchObject({ requests: 1, failures: 0 });
      expect(await world.requests({ epoch: past?.n ?? 0 })).toMatchObject([{ effect: "created" }]);
      expect(await world.requests()).toEqual([]);
    },
  ],
  clearRequests: [
    "empties the journal",
    async (world) => {
      await create(world.url);
      await world.clearRequests();
      expect(await world.requests()).toEqual([]);
    },
  ],
  waitForRequest: [
    "resolves with a request that comes later, and rejects if none comes",
    async (world) => {
      const waiting = world.waitForRequest({ match: { user_group_id: "later" } });
      await create(world.url, "later");
      expect(await waiting).toMatchObject({ effect: "created" });
      const none = world.waitForRequest({ match: { user_group_id: "never" }, timeoutMs: 1 });
      await expect(none).rejects.toMatchObject({ code: "timeout" });
    },
  ],
  describe: [
    "returns what is known of a failure, and the requests with their causes, as text",
    async (world) => {
      await call("GET", `${world.url}/nowhere`);
      const text = await world.describe({ error: new Error("not_found") });
      expect(text).toMatch(/^Likely cause: #1 GET \/nowhere was .*\n\n#1 GET \/nowhere → 404 not_found: /);
    },
  ],
  saveReport: [
    "writes the requests into an HTML file",
    async (world) => {
      await create(world.url, "shown-in-the-report");
      const file = join(tmpdir(), `${world.name}.html`);
      const error = new Error("not shown");
      await world.saveReport({ path: file, test: { title: "a failed test", error } });
      const page = readFileSync(file, "utf8");
      expect(page).toMatch(/^<!doctype html>.*shown-in-the-report.*a failed test.*not shown/is);
      expect(await world.saveReport(file)).toBe(file);
      expect(readFileSync(file, "utf8")).not.toContain("a failed test");
    },
  ],
  fault: [
    "arms a fault, which counts and can be removed",
    async (world) => {
      const fault = await world.fault({ status: 503, times: "always" });
      expect((await create(world.url)).status).toBe(503);
      expect(await fault.fired()).toBe(1);
      await fault.remove();
      expect((await create(world.url)).status).toBe(200);
    },
  ],
  hold: [
    "holds a request until it is released",
    async (world) => {
      const held = await world.hold();
      const creating = create(world.url);
      await held.arrived();
      expect(await world.requests({ outcome: "success" })).toEqual([]);
      await held.release();
      expect((await creating).status).toBe(200);
    },
  ],
  faults: [
    "returns the faults with how often they fired",
    async (world) => {
      await world.fault({ status: 503 });
      await create(world.url);
      expect(await world.faults()).toMatchObject([{ status: 503, fired: 1 }]);
    },
  ],
  clearFaults: [
    "removes all faults",
    async (world) => {
      await world.fault({ status: 503 });
      await world.clearFaults();
      expect((await create(world.url)).status).toBe(200);
    },
  ],
  assertFaultsFired: [
    "rejects while a fault has not fired",
    async (world) => {
      await world.fault({ status: 503 });
      await expect(world.assertFaultsFired()).rejects.toMatchObject({ code: "fault_never_fired" });
      await create(world.url);
      await world.assertFaultsFired();
    },
  ],
  assertNoFailures: [
    "rejects once a request has failed",
    async (world) => {
      await create(world.url);
      await world.assertNoFailures();
      await rotate(world.url, "unknown");
      await expect(world.assertNoFailures()).rejects.toMatchObject({ code: "failures" });
    },
  ],
  assume: [
    "changes an assumption",
    async (world) => {
      await world.assume({ "created-status": "201" });
      expect((await create(world.url)).status).toBe(201);
    },
  ],
  assumptions: [
    "returns the assumptions with their values",
    async (world) => {
      const all = await world.assumptions();
      expect(all.find(({ id }) => id === "created-status")).toMatchObject({ default: "200", value: "200" });
    },
  ],
  world: [
    "returns another world of the server",
    async (world) => {
      const other = world.world(`${world.name}-other`);
      await create(other.url);
      expect([await other.requests(), await world.requests()]).toMatchObject([[{ id: 1 }], []]);
    },
  ],
  worlds: [
    "lists the worlds that exist",
    async (world) => {
      expect(namesOf(await world.worlds())).not.toContain(world.name);
      await create(world.url);
      expect(namesOf(await world.worlds())).toContain(world.name);
    },
  ],
  drop: [
    "removes the world, if it exists",
    async (world) => {
      await world.drop();
      await create(world.url);
      await world.drop();
      expect(namesOf(await world.worlds())).not.toContain(world.name);
    },
  ],
};

/** Sends an admin request to a world. */
type Admin = (method: string, path: string, body?: object) => Promise<TestResponse>;

/** The admin calls that no method makes. */
const onlyOverHttp: { readonly [Id in AdminCallId]?: (world: World, admin: Admin) => Promise<void> } = {
  describe: async (world, admin) => {
    await rotate(world.url, "unknown");
    const errors = [
      "AssertionError: assert 404 == 200\n +  where 404 = <Response [404]>.status_code",
      "urllib.error.HTTPError: HTTP Error 404: Not Found",
      "shop.errors.UserGroupError: unknown_token",
    ];
    for (const error of errors) {
      const { text } = (await admin("POST", "/describe", { error })).body;
      expect(text).toMatch(/^Likely cause: #\d rotate was rejected with 404 .*\n\n#1 /);
    }
  },
  getRequest: async (world, admin) => {
    await create(world.url);
    expect((await admin("GET", "/requests/1")).body).toMatchObject({ id: 1, effect: "created" });
  },
  getRequestBody: async (world, admin) => {
    await create(world.url);
    const { request } = (await admin("GET", "/requests/1/body")).body;
    expect(request).toBe('{"user_group_id":"new","name":"new"}');
  },
  listTests: async (world, admin) => {
    await rotate(world.url, "unknown");
    const { tests } = (await admin("GET", "/tests")).body;
    expect(tests).toContainEqual(expect.objectContaining({ world: world.name }));
  },
  openApi: async (_, admin) => {
    expect((await admin("GET", "/openapi.json")).body.openapi).toMatch(/^3\.1\./);
  },
};

const adminToken = "s3cret";
const adminHeaders = { Authorization: `Bearer ${adminToken}` };

/** With the admin token, which a mock without one ignores. */
const adminOf =
  (world: World): Admin =>
  (method, path, body) =>
    call(method, `${world.url}/__admin${path}`, body, { headers: adminHeaders });

const ways: readonly (readonly [string, string | undefined, (mock: Mock) => World | Promise<World>])[] = [
  ["startMock", undefined, (mock) => mock],
  ["connectMock", undefined, (mock) => connectMock(mock.url)],
  ["startMock with an admin token", adminToken, (mock) => mock],
  ["connectMock with an admin token", adminToken, (mock) => connectMock(mock.url, { adminToken })],
];

describe.each(ways)("a world of %s", (_, token, steer) => {
  let mock: Mock;
  let world: World;
  let tests = 0;
  beforeAll(async () => {
    mock = await startMock(token === undefined ? {} : { adminToken: token });
  });
  beforeEach(async () => {
    world = (await steer(mock)).world(`test-${++tests}`);
  });
  afterAll(() => mock.stop());

  it.each(Object.entries(rows).map(([name, [fact, show]]) => [name, fact, show] as const))(
    "%s() %s",
    (_name, _fact, show) => show(world),
  );

  it.each(Object.entries(onlyOverHttp))("the admin call %s, which has no method, works", (_id, show) =>
    show(world, adminOf(world)),
  );
});

/** The admin call of a request, if it is one. */
function adminCallOf({ method, path }: ClientRequest): AdminCallId | undefined {
  const [, below] = /\/__admin(\/[^?]*)/.exec(path) ?? [];
  return adminCallIds.find((id) => {
    const spec = adminCall(id);
    const pattern = new RegExp(`^${spec.path.replaceAll(".", "\\.").replace(/\{\w+\}/, "[^/]+")}$`);
    return below !== undefined && spec.method === method && pattern.test(below);
  });
}

it("every admin call is made by a method of World, or has a row of its own", async () => {
  const made = new Set<string | undefined>();
  const note = (message: unknown) => {
    const { request } = Object(message);
    if (request instanceof ClientRequest) made.add(adminCallOf(request));
  };
  await using mock = await startMock();
  const root = await connectMock(mock.url);
  subscribe("http.client.request.start", note);
  try {
    for (const [name, [, show]] of Object.entries(rows)) await show(root.world(name));
    for (const [id, show] of Object.entries(onlyOverHttp))
      await show(root.world(id), adminOf(root.world(id)));
  } finally {
    unsubscribe("http.client.request.start", note);
  }
  expect(adminCallIds.filter((id) => !made.has(id))).toEqual([]);
});
