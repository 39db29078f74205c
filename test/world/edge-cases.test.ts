import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { call, create, getOrCreate } from "../call.js";
import { ownWorld } from "./own-world.js";
import { refusalOf } from "./refusal.js";

describe("edge cases of a world", () => {
  const own = ownWorld();

  it.each(["abcd", '"abcd"', "null", '["a","b","c"]'])(
    "a wait does not match fields of a body that is not an object: %s",
    async (body) => {
      await getOrCreate(own.world.url, body);
      for (const match of [{ length: 4 }, { length: 3 }, { "0": "a" }]) {
        const { code } = await refusalOf(own.world.waitForRequest({ match, timeoutMs: 1 }));
        expect(code).toBe("timeout");
      }
    },
  );

  it("a state that was exported, changed in one group and loaded again has only that change", async () => {
    const groups = ["a", "b"].map((id) => ({ team_id: 3, provided_id: id, name: id }));
    await own.world.load({ teams: [{ team_id: 3, api_tokens: ["test-api-token"] }], user_groups: groups });
    const state = await own.world.state();
    Object.assign(state.user_groups?.[0]?.properties ?? {}, { plan: "pro" });
    await own.world.load(state);
    const loaded = (await own.world.state()).user_groups ?? [];
    expect(loaded.map(({ mapping, properties }) => [mapping, properties])).toEqual([
      [{}, { plan: "pro" }],
      [{}, {}],
    ]);
  });

  it("an unknown or invalid fault id is repeated in the error", async () => {
    const { body } = await call("DELETE", `${own.world.url}/__admin/faults/99`);
    expect(body.error).toEqual({ code: "unknown_fault", message: "There is no fault 99 in this world." });
    expect((await refusalOf(own.world.fault(JSON.parse("{}")))).summary).toBe("Invalid fault:");
  });

  it("an invalid filter or wait is repeated in the error", async () => {
    // From JSON, because TypeScript would reject it.
    const given = JSON.parse('{ "outcome": "good" }');
    expect((await refusalOf(own.world.requests(given))).summary).toBe("Invalid request:");
    expect((await refusalOf(own.world.waitForRequest(given))).summary).toBe("Invalid request:");
  });

  it("a wait for a field reports that a request without a body did not send it", async () => {
    await call("GET", `${own.world.url}/api/user`);
    const wait = own.world.waitForRequest({ match: { user_group_id: "a" }, timeoutMs: 1 });
    expect((await refusalOf(wait)).message).toContain("user_group_id was not sent");
  });

  it("a wait that found too few requests and no others lists no near misses", async () => {
    await create(own.world.url, "a");
    const wait = { match: { user_group_id: "a" }, count: 2, timeoutMs: 1 };
    const { summary, details } = await refusalOf(own.world.waitForRequest(wait));
    expect(summary).toContain("1 of 2");
    expect(summary).not.toContain("Closest");
    expect(details).toEqual([]);
  });

  it("a wait that found too few requests does not list them as near misses", async () => {
    for (const id of ["a", "b"]) await create(own.world.url, id);
    const wait = { match: { user_group_id: "a" }, count: 2, timeoutMs: 1 };
    const { details } = await refusalOf(own.world.waitForRequest(wait));
    expect(details.map(({ path }) => path)).toEqual(["/requests/2"]);
  });

  it.each([
    ["Authorization", "x Token secret-1", "********"],
    ["Authorization", "Negotiate secret-1", "********"],
    ["Authorization", "Bearer secret-1 secret-2", "Bearer ********"],
    ["X-Api-Key", "Token test-api-token", "********"],
    ["Cookie", "Token test-api-token", "********"],
  ])(
    "the journal masks a token that only resembles a listed API token: %s: %s",
    async (name, value, shown) => {
      await getOrCreate(own.world.url, { user_group_id: "a" }, { headers: { [name]: value } });
      const [entry] = await own.world.requests();
      expect(entry?.request.headers[name.toLowerCase()]).toBe(shown);
    },
  );

  it("the journal finds a pending request by its group", async () => {
    const held = await own.world.hold();
    const pending = create(own.world.url, "a");
    await held.arrived();
    const found = await own.world.requests({ user_group_id: "a" });
    expect(found.map(({ outcome, response }) => [outcome, response])).toEqual([["pending", null]]);
    await held.release();
    await pending;
  });

  it("the journal shows the duration of a request in milliseconds", async () => {
    const began = performance.now();
    await create(own.world.url, "a");
    const took = performance.now() - began;
    const [entry] = await own.world.requests();
    expect(entry?.durationMs).toBeGreaterThan(0);
    expect(entry?.durationMs).toBeLessThanOrEqual(took);
  });

  it("the journal returns 404 for a cleared and for a future entry", async () => {
    for (const id of ["a", "b"]) await create(own.world.url, id);
    await own.world.clearRequests();
    await create(own.world.url, "c");
    const status = async (id: number) =>
      (await call("GET", `${own.world.url}/__admin/requests/${id}`)).status;
    expect([await status(1), await status(2), await status(3), await status(4)]).toEqual([
      404, 404, 200, 404,
    ]);
  });

  it("a delayed request does not count as held", async () => {
    await own.world.fault({ delayMs: 600_000 });
    const pending = create(own.world.url, "a");
    await expect.poll(async () => (await own.world.faults())[0]?.fired).toBe(1);
    expect((await own.world.faults())[0]).toMatchObject({ holding: 0, active: false });
    await own.world.reset();
    expect((await pending).status).toBe(503);
  });
});

describe("health", () => {
  it("shows the uptime", async () => {
    const began = performance.now();
    await using mock = await startMock();
    const first = await mock.health();
    expect(first.uptimeMs).toBeLessThanOrEqual(Math.ceil(performance.now() - began));
    await setTimeout(50);
    expect((await mock.health()).uptimeMs - first.uptimeMs).toBeGreaterThan(40);
  });
});
