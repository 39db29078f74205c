import fc from "fast-check";
import { expect } from "vitest";
import type { Fixture, FixtureGroup } from "../../src/generated/types.js";
import type { TestResponse } from "../call.js";
import type { KeepAliveClient } from "./keep-alive-client.js";
import {
  type Expected,
  type ModelFault,
  type ModelRequest,
  type ModelSeed,
  ModelWorld,
} from "./plain-model.js";

/** The expected state of all worlds. */
export class Model {
  readonly seed: ModelSeed;
  readonly worlds = new Map<string, ModelWorld>();

  constructor(seed: ModelSeed) {
    this.seed = seed;
    this.world("default");
  }

  /** A world is created on first use. */
  world(name: string): ModelWorld {
    const world = this.peek(name);
    this.worlds.set(name, world);
    return world;
  }

  peek(name: string): ModelWorld {
    return this.worlds.get(name) ?? new ModelWorld(this.seed);
  }
}

export interface Real {
  readonly url: string;
  readonly client: KeepAliveClient;
}

type Command = fc.AsyncCommand<Model, Real>;

export function seedOf({ teams = [], user_groups = [] }: Fixture): ModelSeed {
  return {
    teams: new Map(teams.flatMap(({ team_id, api_tokens }) => api_tokens.map((token) => [token, team_id]))),
    groups: user_groups.map(({ team_id, provided_id, name, token = "", mapping = {}, properties = {} }) => ({
      team: team_id,
      id: provided_id,
      name,
      token,
      mapping,
      properties,
    })),
  };
}

const ids = ["a", "b", "example_1", "__proto__"];
/** Most requests are from one team, so that they affect each other. */
const callers = fc.constantFrom(
  "test-api-token",
  "test-api-token",
  "test-api-token",
  "other-api-token",
  "unheard-of",
);
const worldNames = fc.constantFrom("default", "default", "w1", "w2");
const baseOf = (url: string, world: string) => (world === "default" ? url : `${url}/worlds/${world}`);

/** @param text describes the command when a run fails */
function command(
  world: string,
  text: string,
  run: (model: ModelWorld, admin: Admin, all: Model) => Promise<void>,
): Command {
  return {
    check: () => true,
    run: async (all, { url, client }) => {
      const base = baseOf(url, world);
      const model = all.peek(world);
      /** A GET of the admin API does not create a world. */
      const enter = () => all.worlds.set(world, all.worlds.get(world) ?? model);
      const admin: Admin = {
        world,
        service: (method, body, apiToken) => {
          enter();
          return client.call(method, `${base}/api/user`, body, apiToken);
        },
        call: (method, path, body) => {
          if (method !== "GET") enter();
          return client.call(method, `${base}/__admin${path}`, body);
        },
      };
      await run(model, admin, all);
    },
    toString: () => `${world}: ${text}`,
  };
}

interface Admin {
  readonly world: string;
  readonly service: (method: string, body: unknown, apiToken: string) => Promise<TestResponse>;
  readonly call: (method: string, path: string, body?: unknown) => Promise<TestResponse>;
}

async function ok(responding: Promise<TestResponse>): Promise<TestResponse["body"]> {
  const { status, body } = await responding;
  expect([status, body]).toEqual([200, body]);
  return body;
}

async function send(model: ModelWorld, admin: Admin, request: ModelRequest): Promise<void> {
  const method = request.operation === "rotate" ? "POST" : "GET";
  const response = await admin.service(method, request.body, request.apiToken);
  const received: string | undefined = response.body.user_group?.token;
  // The response of a fault has no token, but the state has.
  const state: Fixture = received === undefined ? await ok(admin.call("GET", "/state")) : {};
  const tokenIn = (team: number, id: string) =>
    received ??
    state.user_groups?.find(({ team_id, provided_id }) => team_id === team && provided_id === id)?.token ??
    "none";
  expectResponse(response, model.send(request, tokenIn), model.lastRequest);
}

function expectResponse({ status, headers, body }: TestResponse, expected: Expected, request: number): void {
  expect([status, headers["usergroup-mock-request"]]).toEqual([expected.status, `${request}`]);
  switch (expected.kind) {
    case "success": {
      const { team, id, name, token } = expected.group;
      expect(body).toEqual({
        success: 1,
        ...(expected.isNew !== undefined && { new_user_group: expected.isNew }),
        user_group: { team_id: team, token, name, provided_id: id },
      });
      break;
    }
    case "failure":
      expect(body).toMatchObject({ success: 0, error: { code: expected.code } });
      expect(body.error.message).toContain(expected.message ?? "");
      break;
    case "fault":
      expect(body).toMatchObject({ success: 0, error: { code: "fault" } });
  }
}

type Keyed = Pick<FixtureGroup, "team_id" | "provided_id">;

/** Compares everything that a world shows. */
export async function look(model: ModelWorld, admin: Pick<Admin, "call">, name: string): Promise<void> {
  const state: Fixture = await ok(admin.call("GET", "/state"));
  const byKey = (a: Keyed, b: Keyed) => a.team_id - b.team_id || (a.provided_id < b.provided_id ? -1 : 1);
  const groups = [...model.groups.values()].map(({ team, id, name, token, mapping, properties }) => ({
    team_id: team,
    provided_id: id,
    name,
    token,
    mapping,
    properties,
  }));
  expect([...(state.user_groups ?? [])].sort(byKey)).toEqual(groups.sort(byKey));
  expect(seedOf(state).teams).toEqual(model.teams);
  const { requests } = await ok(admin.call("GET", "/requests"));
  expect(
    requests.map(({ id, operation, outcome, fault }: ModelWorld["journal"][number]) => ({
      id,
      operation,
      outcome,
      fault,
    })),
  ).toEqual(model.journal);
  const { faults } = await ok(admin.call("GET", "/faults"));
  expect(faults.map(({ id, fired }: ModelFault) => [id, fired])).toEqual(
    model.faults.map(({ id, fired }) => [id, fired]),
  );
  const { assumptions } = await ok(admin.call("GET", "/assumptions"));
  const changed = assumptions
    .filter(({ value, ...entry }: Record<string, string>) => value !== entry.default)
    .map(({ id, value }: Record<string, string>) => [id, value]);
  expect(Object.fromEntries(changed)).toEqual(model.assumed);
  expect(await ok(admin.call("GET", "/health"))).toMatchObject({ world: name, groups: model.groups.size });
}

/** Compares everything that every world shows. */
export async function lookEverywhere(model: Model, { url, client }: Real): Promise<void> {
  for (const [name, world] of model.worlds) {
    const call: Admin["call"] = (method, path, body) =>
      client.call(method, `${baseOf(url, name)}/__admin${path}`, body);
    await look(world, { call }, name);
  }
  const { worlds } = await ok(client.call("GET", `${url}/__admin/worlds`));
  const expected = [...model.worlds].map(([name, { groups, journal }]) => ({
    name,
    groups: groups.size,
    requests: journal.length,
    failures: journal.filter(({ outcome }) => outcome === "failure").length,
  }));
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  expect(worlds.sort(byName)).toEqual(expected.sort(byName));
}

const mapping = fc.constantFrom({}, { "40": "213" }, { __proto__: null, toString: "x" });
const properties = fc.constantFrom({}, { plan: "free" }, { nested: { deep: [true, null] } });

const getOrCreate = fc
  .record(
    {
      world: worldNames,
      apiToken: callers,
      id: fc.constantFrom(...ids),
      name: fc.constantFrom("A", "B"),
      mapping,
      properties,
    },
    { requiredKeys: ["world", "apiToken", "id"] },
  )
  .map(({ world, apiToken, id, ...sent }) => {
    const body = { user_group_id: id, ...sent };
    return command(world, `get-or-create ${JSON.stringify(body)} as ${apiToken}`, (model, admin) =>
      send(model, admin, { operation: "get-or-create", apiToken, body }),
    );
  });

/** A current token, a rotated-out one, or any that this world has had; the latest first. */
function tokenOf({ groups, retired, everKnown }: ModelWorld, kind: string, pick: number): string {
  const known = {
    current: [...groups.values()].map(({ token }) => token),
    retired: [...retired.keys()],
    former: [...everKnown],
  }[kind];
  return known?.at(-1 - pick) ?? "unheard-of";
}

const rotate = fc
  .record({
    world: worldNames,
    apiToken: callers,
    kind: fc.constantFrom("current", "current", "current", "retired", "former"),
    pick: fc.nat(3),
  })
  .map(({ world, apiToken, kind, pick }) =>
    command(world, `rotate ${kind} token ${pick} as ${apiToken}`, (model, admin) => {
      const body = { current_token: tokenOf(model, kind, pick) };
      return send(model, admin, { operation: "rotate", apiToken, body });
    }),
  );

const arm = fc
  .record({
    world: worldNames,
    fault: fc.record(
      {
        operation: fc.constantFrom<("get-or-create" | "rotate")[]>("get-or-create", "rotate"),
        match: fc.constantFrom(...ids).map((id) => ({ user_group_id: id })),
        phase: fc.constantFrom<("before" | "after")[]>("before", "after"),
        times: fc.constantFrom<(number | "always")[]>(1, 2, 3, "always"),
        skip: fc.nat(2),
        status: fc.constantFrom(400, 429, 503),
      },
      { requiredKeys: ["status"] },
    ),
  })
  .map(({ world, fault }) =>
    command(world, `arm ${JSON.stringify(fault)}`, async (model, admin) => {
      // The body of a rotation has no user_group_id.
      if (fault.operation === "rotate" && fault.match !== undefined) {
        expect((await admin.call("POST", "/faults", fault)).status).toBe(400);
        return;
      }
      const { id, fired, active } = await ok(admin.call("POST", "/faults", fault));
      expect([fired, active]).toEqual([0, true]);
      expect(model.faults.map((armed) => armed.id)).not.toContain(id);
      model.faults.push({ id, ...fault, fired: 0, seen: 0 });
    }),
  );

const disarm = fc.record({ world: worldNames, pick: fc.nat(2) }).map(({ world, pick }) =>
  command(world, `remove fault ${pick}`, async (model, admin) => {
    const [fault] = model.faults.splice(pick, 1);
    if (fault !== undefined) await ok(admin.call("DELETE", `/faults/${fault.id}`));
    else expect((await admin.call("DELETE", "/faults/999")).status).toBe(404);
  }),
);

const choices = fc.record(
  {
    "group-scope": fc.constantFrom("per-team", "global"),
    "name-on-create": fc.constantFrom("required", "defaults-to-id"),
    "existing-group": fc.constantFrom("unchanged", "updated"),
    "created-status": fc.constantFrom("200", "201"),
    "rotated-token": fc.constantFrom("new", "same"),
    "old-token": fc.constantFrom("rejected", "accepted"),
    "foreign-token": fc.constantFrom("rejected", "accepted"),
    "failure-status": fc.constantFrom("by-kind", "always-200"),
  },
  { requiredKeys: [] },
);
const defaults = new Set(["per-team", "required", "unchanged", "200", "new", "rejected", "by-kind"]);

const assume = fc.record({ world: worldNames, choice: choices }).map(({ world, choice }) =>
  command(world, `assume ${JSON.stringify(choice)}`, async (model, admin) => {
    await ok(admin.call("PATCH", "/assumptions", choice));
    const all = Object.entries({ ...model.assumed, ...choice });
    model.assumed = Object.fromEntries(all.filter(([, value]) => !defaults.has(value)));
  }),
);

const fixtures: readonly Fixture[] = [
  { teams: [{ team_id: 3, api_tokens: ["test-api-token"] }] },
  {
    teams: [
      { team_id: 4, api_tokens: ["test-api-token", "unheard-of"] },
      { team_id: 3, api_tokens: ["other-api-token"] },
    ],
    user_groups: [
      { team_id: 3, provided_id: "a", name: "Loaded", token: "loaded-token", mapping: { "1": "2" } },
      { team_id: 4, provided_id: "b", name: "Loaded", token: "b".repeat(64), properties: { x: 1 } },
    ],
  },
];

const load = fc.record({ world: worldNames, pick: fc.nat(1) }).map(({ world, pick }) =>
  command(world, `load fixture ${pick}`, async (model, admin) => {
    const fixture = fixtures[pick] ?? {};
    await ok(admin.call("PUT", "/state", fixture));
    model.load(seedOf(fixture));
  }),
);

/** Groups and tokens do not change, but count as loaded. */
const loadOwn = worldNames.map((world) =>
  command(world, "load its own state", async (model, admin) => {
    await ok(admin.call("PUT", "/state", await ok(admin.call("GET", "/state"))));
    model.load({ teams: model.teams, groups: [...model.groups.values()] });
  }),
);

const loadBroken = worldNames.map((world) =>
  command(world, "load an invalid fixture", async (_, admin) => {
    const twice = { team_id: 3, api_tokens: ["twice", "twice"] };
    expect((await admin.call("PUT", "/state", { teams: [twice] })).status).toBe(400);
  }),
);

const reset = worldNames.map((world) =>
  command(world, "reset", async (model, admin) => {
    await ok(admin.call("POST", "/reset"));
    model.reset();
  }),
);

const clear = worldNames.map((world) =>
  command(world, "clear the journal", async (model, admin) => {
    await ok(admin.call("DELETE", "/requests"));
    model.journal = [];
  }),
);

const drop = worldNames.map((world) =>
  command(world, "drop", async (_, admin, all) => {
    // Sent to the world itself, so that the world exists.
    await ok(admin.call("DELETE", `/worlds/${world}`));
    all.worlds.delete(world);
    all.world("default");
  }),
);

const lookAround = worldNames.map((world) =>
  command(world, "look", (model, admin) => look(model, admin, world)),
);

/** Requests to the service are drawn more often than admin calls. */
export const commands = [
  getOrCreate,
  getOrCreate,
  getOrCreate,
  rotate,
  rotate,
  rotate,
  arm,
  arm,
  disarm,
  assume,
  assume,
  load,
  loadOwn,
  loadBroken,
  reset,
  clear,
  drop,
  lookAround,
];
