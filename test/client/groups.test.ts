import { describe, expect, it } from "vitest";
import { connectMock } from "../../src/client/connect-mock.js";
import { startMock } from "../../src/client/start-mock.js";
import { call, create, getOrCreate, rotate } from "../call.js";
import { ownWorld } from "../fake/world/own-world.js";
import { rejectionOf } from "../fake/world/rejection.js";
import { seededToken } from "../seeded.js";

describe("groups added by a test", () => {
  const own = ownWorld();

  it("get a token that works in the service", async () => {
    const { world } = own;
    const acme = await world.addGroup({ provided_id: "acme", name: "Acme", properties: { plan: "pro" } });
    expect(acme).toMatchObject({ team_id: 3, properties: { plan: "pro" }, seeded: false, rotations: 0 });
    const { body } = await getOrCreate(world.url, { user_group_id: "acme" });
    expect([body.new_user_group, body.user_group.token]).toEqual([false, acme.token]);
    expect((await rotate(world.url, acme.token)).status).toBe(200);
    const groups = await world.groups();
    expect(groups.filter(({ seeded }) => !seeded).map(({ provided_id }) => provided_id)).toEqual(["acme"]);
    expect(groups).toHaveLength(6);
    await world.reset();
    expect(await world.groups()).toHaveLength(5);
  });

  it("have the token that a request would create, or the given one", async () => {
    const added = await own.world.addGroup({ provided_id: "acme", name: "Acme" });
    await using other = await startMock();
    const requested = await create(other.world(own.world.name).url, "acme");
    expect(requested.body.user_group.token).toBe(added.token);
    const given = await own.world.addGroup({ team_id: 4, provided_id: "own", name: "Own", token: "t-1" });
    expect([given.team_id, given.token]).toEqual([4, "t-1"]);
    expect((await rotate(own.world.url, "t-1", { apiToken: "other-api-token" })).status).toBe(200);
  });

  it.each([
    [
      { provided_id: "example_1", name: "x" },
      "group_exists",
      "/provided_id",
      "is already the id of a group of team 3",
    ],
    [
      { provided_id: "x", name: "x", token: seededToken },
      "group_exists",
      "/token",
      "the token of another group",
    ],
    [{ provided_id: "x", name: "x", team_id: 99 }, "invalid_group", "/team_id", "there is no team 99"],
    [{ provided_id: "x", nam: "x" }, "invalid_group", "/nam", "did you mean name?"],
  ])("are rejected if they exist or are invalid: %j", async (given, code, path, problem) => {
    // TypeScript would reject some of them.
    const rejection = await rejectionOf(own.world.addGroup(given as never));
    expect(rejection.code).toBe(code);
    expect(rejection.details).toContainEqual({ path, message: expect.stringContaining(problem) });
    const { status } = await call("POST", `${own.world.url}/__admin/groups`, given);
    expect(status).toBe(code === "group_exists" ? 409 : 400);
    expect((await own.world.health()).groups).toBe(5);
  });

  it("cannot have a token that was rotated out", async () => {
    const { token } = await own.world.addGroup({ provided_id: "a", name: "A" });
    await rotate(own.world.url, token);
    const again = own.world.addGroup({ provided_id: "b", name: "B", token });
    expect((await rejectionOf(again)).code).toBe("group_exists");
  });
});

describe("the API token of a world", () => {
  const own = ownWorld();
  const state = { teams: [{ team_id: 9, api_tokens: ["nine", "ten"] }] };

  it("is the first one of its current state", async () => {
    const { world } = own;
    expect(world.apiToken).toBe("test-api-token");
    await world.load(state);
    expect(world.apiToken).toBe("nine");
    const { status } = await getOrCreate(
      world.url,
      { user_group_id: "a", name: "A" },
      { apiToken: world.apiToken },
    );
    expect(status).toBe(200);
    await world.reset();
    expect(world.apiToken).toBe("test-api-token");
  });

  it("is correct for a client that connects after a load", async () => {
    await own.world.load(state);
    const late = await connectMock(own.world.url);
    expect(late.apiToken).toBe("nine");
    expect(late.world("another").apiToken).toBe("test-api-token");
    await late.reset();
    expect(late.apiToken).toBe("test-api-token");
    expect((await late.worlds()).map(({ name }) => name)).toEqual(["default", own.world.name]);
  });

  it("belongs to one world, and is forgotten when that is dropped", async () => {
    const { world } = own;
    await world.load(state);
    expect(world.world("another").apiToken).toBe("test-api-token");
    expect(world.world(world.name).apiToken).toBe("nine");
    await world.drop();
    expect(world.apiToken).toBe("test-api-token");
  });
});

describe("requests()", () => {
  const own = ownWorld({ journalSize: 3 });

  it("reports how many requests the journal has dropped", async () => {
    for (let n = 0; n < 5; n++) await create(own.world.url, "a");
    const requests = await own.world.requests();
    expect([requests.length, requests.dropped]).toEqual([3, 2]);
    expect(requests).toEqual([...requests]);
    const { code, message } = await rejectionOf(own.world.assertNoFailures());
    expect([code, message]).toEqual([
      "journal_incomplete",
      expect.stringMatching(/^The journal has dropped 2 of 5 requests, so/),
    ]);
    await own.world.clearRequests();
    expect((await own.world.requests()).dropped).toBe(0);
    await own.world.assertNoFailures();
  });
});
