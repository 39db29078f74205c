import { describe, expect, it } from "vitest";
import { call, create, rotate } from "../../call.js";
import { seededToken } from "../../seeded.js";
import { bothWays } from "../both-ways.js";
import { ownWorld } from "../own-world.js";

describe.each(bothWays)("the near misses of a fault (%s)", (_, steer) => {
  const own = ownWorld(steer);
  const missesOf = async (id: number) =>
    (await own.world.faults()).find((fault) => fault.id === id)?.nearMisses;

  it("are the closest requests, with the reason", async () => {
    await own.world.fault({ match: { user_group_id: "C5", name: "C5" }, status: 503 });
    await create(own.world.url, "c5", { name: "C5" });
    await rotate(own.world.url, seededToken);
    await create(own.world.url, "other", { name: "C5" });
    // Only the case differs: the others are not what the test is about.
    expect(await missesOf(1)).toEqual([{ request: 1, reason: 'user_group_id was "c5", not "C5"' }]);
  });

  it("list all differences of each request", async () => {
    await own.world.fault({ match: { user_group_id: "x", name: "C5" }, status: 503 });
    await create(own.world.url, "c5", { name: "C5" });
    await rotate(own.world.url, seededToken);
    await create(own.world.url, "other", { name: "C5" });
    expect(await missesOf(1)).toEqual([
      { request: 3, reason: 'user_group_id was "other", not "x"' },
      { request: 1, reason: 'user_group_id was "c5", not "x"' },
      { request: 2, reason: 'user_group_id was not sent, not "x"; name was not sent, not "C5"' },
    ]);
  });

  it("are at most three, the newest first among equals", async () => {
    await own.world.fault({ match: { user_group_id: "x" }, status: 503 });
    for (const id of ["a", "b", "c", "d"]) await create(own.world.url, id);
    expect((await missesOf(1))?.map(({ request }) => request)).toEqual([4, 3, 2]);
  });

  it("are only requests since the fault was armed", async () => {
    await create(own.world.url, "a");
    await own.world.fault({ match: { user_group_id: "b" }, status: 503 });
    expect(await missesOf(1)).toEqual([]);
    await create(own.world.url, "a");
    expect((await missesOf(1))?.map(({ request }) => request)).toEqual([2]);
  });

  it.each<[rule: object, reason: string]>([
    [{ skip: 1 }, "skip excluded it"],
    [{ team_id: 4, skip: 1 }, "team_id excluded it, or skip excluded it"],
  ])("name the parts of the rule that can exclude a matching request: %j", async (rule, reason) => {
    await own.world.fault({ status: 503, times: 9, match: { user_group_id: "a" }, ...rule });
    await own.world.fault({ match: { user_group_id: "a" }, reset: true, skip: 9 });
    await create(own.world.url, "a");
    expect(await missesOf(1)).toEqual([{ request: 1, reason: `it matched, but ${reason}` }]);
  });

  it("are absent once the fault has fired as often as `times`, and in its events", async () => {
    const fault = await own.world.fault({ match: { user_group_id: "a" }, status: 503 });
    expect(await missesOf(fault.id)).toEqual([]);
    await create(own.world.url, "a");
    expect(await missesOf(fault.id)).toBeUndefined();
    const armed = await call("POST", `${own.world.url}/__admin/faults`, { status: 500 });
    expect(armed.body).not.toHaveProperty("nearMisses");
  });
});

describe.each(bothWays)("the changes of a request (%s)", (_, steer) => {
  const own = ownWorld(steer);

  it("are the fields of the group that differ, before and after", async () => {
    await own.world.assume({ "existing-group": "updated" });
    await create(own.world.url, "a", { mapping: { "40": "1" }, properties: { region: "EU" } });
    await create(own.world.url, "a", { mapping: { "40": "2" }, properties: { region: "EU" } });
    await create(own.world.url, "a", { mapping: { "40": "2" } });
    const entries = await own.world.requests();
    expect(entries.map(({ effect, changes }) => [effect, changes])).toEqual([
      ["created", undefined],
      ["updated", { mapping: { before: { "40": "1" }, after: { "40": "2" } } }],
      ["found", undefined],
    ]);
  });
});
