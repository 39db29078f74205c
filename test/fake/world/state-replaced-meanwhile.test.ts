import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/client/start-mock.js";
import type { Mock, World } from "../../../src/client/world.js";
import { getOrCreate, rotate, type TestResponse } from "../../call.js";
import { callInFlight } from "../../call-in-flight.js";
import { seededToken } from "../../seeded.js";

const others = { teams: [{ team_id: 9, api_tokens: ["ninth"] }], user_groups: [] };

describe("a request whose team is replaced meanwhile", () => {
  async function expectNoGroup(mock: Mock, { status, body }: TestResponse): Promise<void> {
    expect([status, body.error.code]).toEqual([401, "unauthorized"]);
    expect((await mock.health()).groups).toBe(0);
    expect((await mock.state()).user_groups).toEqual([]);
  }

  it.each([
    ["get-or-create", (url: string) => getOrCreate(url, { user_group_id: "ghost", name: "Ghost" })],
    ["rotate", (url: string) => rotate(url, seededToken)],
  ])("is rejected and creates no group if a fault held it: %s", async (_, make) => {
    await using mock = await startMock();
    const held = await mock.hold();
    const response = make(mock.url);
    await held.arrived();
    await mock.load(others);
    await held.release();
    await expectNoGroup(mock, await response);
  });

  it("is rejected and creates no group if its body was arriving", async () => {
    await using mock = await startMock();
    const slow = await callInFlight("GET", mock.url, { user_group_id: "ghost", name: "Ghost" });
    await mock.load(others);
    await expectNoGroup(mock, await slow.finish());
  });

  it("succeeds if the team still exists", async () => {
    await using mock = await startMock();
    const slow = await callInFlight("GET", mock.url, { user_group_id: "new", name: "New" });
    await mock.load({ teams: [{ team_id: 5, api_tokens: ["test-api-token"] }], user_groups: [] });
    expect((await slow.finish()).body.user_group.team_id).toBe(5);
  });
});

describe("an admin call whose body is arriving", () => {
  it.each([
    ["is reset", (world: World) => world.reset()],
    ["is dropped", (world: World) => world.drop()],
  ])("takes effect when the body has arrived, if its world %s meanwhile", async (_, meanwhile) => {
    await using mock = await startMock();
    const world = mock.world("w");
    await world.reset();
    const loading = await callInFlight("PUT", world.url, others, { path: "/__admin/state" });
    await meanwhile(world);
    expect((await loading.finish()).status).toBe(200);
    expect((await world.state()).teams).toEqual(others.teams);
  });
});

describe("two simultaneous loads", () => {
  it("keep the later state, however large the first is", async () => {
    await using mock = await startMock();
    const user_groups = Array.from({ length: 5_000 }, (_, n) => ({
      team_id: 9,
      provided_id: `${n}`,
      name: "n",
    }));
    await Promise.all([mock.load({ ...others, user_groups }), mock.load(others)]);
    expect((await mock.health()).groups).toBe(0);
  });

  it("keep the first state if the later one is rejected", async () => {
    await using mock = await startMock();
    const [first, second] = await Promise.allSettled([mock.load(others), mock.load({ teams: [] })]);
    expect([first.status, second.status]).toEqual(["fulfilled", "rejected"]);
    expect((await mock.state()).teams).toEqual(others.teams);
  });
});

describe("reading a world that does not exist", () => {
  it("does not create it", async () => {
    await using mock = await startMock();
    const paths = [
      "/health",
      "/state",
      "/groups",
      "/requests",
      "/faults",
      "/assumptions",
      "/openapi.json",
      "/",
    ];
    for (const path of paths)
      expect((await fetch(`${mock.url}/worlds/looked-at/__admin${path}`)).status).toBe(200);
    expect((await mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });
});
