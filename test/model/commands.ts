import fc from "fast-check";
import { expect } from "vitest";
import { type AssumptionId, valuesOf } from "../../src/fake/contract/assumptions.js";
import { operationIds, operations } from "../../src/fake/contract/operations.js";
import type { Fixture, Operation } from "../../src/generated/types.js";
import type { TestResponse } from "../call.js";
import { defaultAssumptions } from "../default-behaviour.js";
import { command, ok, type Sender, worldNames } from "./command.js";
import { endEpoch } from "./end-epoch.js";
import { look, seedOf } from "./look.js";
import type { Expected, ModelRequest, ModelWorld } from "./plain-model.js";

const ids = ["a", "b", "example_1", "__proto__"];
/** Most requests are from one team, so that they affect each other. */
const callers = fc.constantFrom(
  "test-api-token",
  "test-api-token",
  "test-api-token",
  "other-api-token",
  "unheard-of",
);

async function send(model: ModelWorld, sender: Sender, request: ModelRequest): Promise<void> {
  const response = await sender.service(request);
  const received: string | undefined = response.body.user_group?.token;
  // The response of a fault has no token, but the state has.
  const state: Fixture = received === undefined ? await ok(sender.admin("GET", "/state")) : {};
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
    return command(world, `get-or-create ${JSON.stringify(body)} as ${apiToken}`, (model, sender) =>
      send(model, sender, { operation: "get-or-create", apiToken, body }),
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
    command(world, `rotate ${kind} token ${pick} as ${apiToken}`, (model, sender) => {
      const body = { current_token: tokenOf(model, kind, pick) };
      return send(model, sender, { operation: "rotate", apiToken, body });
    }),
  );

const arm = fc
  .record({
    world: worldNames,
    fault: fc.record(
      {
        operation: fc.constantFrom(...operationIds),
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
    command(world, `arm ${JSON.stringify(fault)}`, async (model, { admin }) => {
      const isNamedById =
        fault.operation === undefined || operations[fault.operation].namedBy === "user_group_id";
      if (fault.match !== undefined && !isNamedById) {
        expect((await admin("POST", "/faults", fault)).status).toBe(400);
        return;
      }
      const { id, fired, active } = await ok(admin("POST", "/faults", fault));
      expect([fired, active]).toEqual([0, true]);
      expect(model.faults.map((armed) => armed.id)).not.toContain(id);
      model.faults.push({ id, ...fault, fired: 0, seen: 0 });
    }),
  );

const disarm = fc.record({ world: worldNames, pick: fc.nat(2) }).map(({ world, pick }) =>
  command(world, `remove fault ${pick}`, async (model, { admin }) => {
    const [fault] = model.faults.splice(pick, 1);
    if (fault !== undefined) await ok(admin("DELETE", `/faults/${fault.id}`));
    else expect((await admin("DELETE", "/faults/999")).status).toBe(404);
  }),
);

/** The assumptions that the model knows. */
const modelled: readonly AssumptionId[] = [
  ...(["group-scope", "name-on-create", "existing-group", "created-status", "rotated-token"] as const),
  ...(["old-token", "foreign-token", "failure-status"] as const),
];
const choices = fc.record(Object.fromEntries(modelled.map((id) => [id, fc.constantFrom(...valuesOf(id))])), {
  requiredKeys: [],
});

const assume = fc.record({ world: worldNames, choice: choices }).map(({ world, choice }) =>
  command(world, `assume ${JSON.stringify(choice)}`, async (model, { admin }) => {
    await ok(admin("PATCH", "/assumptions", choice));
    const defaults = new Map(Object.entries(defaultAssumptions));
    const all = Object.entries<string | undefined>({ ...model.assumed, ...choice });
    model.assumed = Object.fromEntries(all.filter(([id, value]) => value !== defaults.get(id)));
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
  command(world, `load fixture ${pick}`, async (model, { admin }) => {
    const fixture = fixtures[pick] ?? {};
    await ok(admin("PUT", "/state", fixture));
    model.load(seedOf(fixture));
  }),
);

/** Groups and tokens do not change, but count as loaded. */
const loadOwn = worldNames.map((world) =>
  command(world, "load its own state", async (model, { admin }) => {
    await ok(admin("PUT", "/state", await ok(admin("GET", "/state"))));
    model.load({ teams: model.teams, groups: [...model.groups.values()] });
  }),
);

const loadBroken = worldNames.map((world) =>
  command(world, "load an invalid fixture", async (_, { admin }) => {
    const twice = { team_id: 3, api_tokens: ["twice", "twice"] };
    expect((await admin("PUT", "/state", { teams: [twice] })).status).toBe(400);
  }),
);

const clear = worldNames.map((world) =>
  command(world, "clear the journal", async (model, { admin }) => {
    await ok(admin("DELETE", "/requests"));
    model.journal = [];
  }),
);

const lookAround = worldNames.map((world) =>
  command(world, "look", (model, sender) => look(model, sender, world)),
);

const requests: Readonly<Record<Operation, typeof rotate>> = { "get-or-create": getOrCreate, rotate };

/** Requests to the service are drawn more often than admin calls. */
export const commands = [
  ...operationIds.flatMap((id) => [requests[id], requests[id], requests[id]]),
  arm,
  arm,
  disarm,
  assume,
  assume,
  load,
  loadOwn,
  loadBroken,
  endEpoch,
  endEpoch,
  clear,
  lookAround,
];
