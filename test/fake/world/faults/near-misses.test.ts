import { describe, expect, it } from "vitest";
import type { World } from "../../../../src/client/world.js";
import type { FaultRule } from "../../../../src/generated/types.js";
import { call, create, getOrCreate, rotate } from "../../../call.js";
import { seededToken } from "../../../seeded.js";
import { ownWorld } from "../own-world.js";

describe("the near misses of a fault", () => {
  const own = ownWorld();
  const missesOf = async (id: number) =>
    (await own.world.faults()).find((fault) => fault.id === id)?.nearMisses;

  it("are the closest requests, with the reason", async () => {
    await own.world.fault({ match: { user_group_id: "C5", name: "C5" }, status: 503 });
    await create(own.world.url, "c5", { name: "C5" });
    await rotate(own.world.url, seededToken);
    await create(own.world.url, "other", { name: "C5" });
    expect(await missesOf(1)).toEqual([
      { request: 3, reason: 'user_group_id was "other", not "C5"' },
      { request: 1, reason: 'user_group_id was "c5", not "C5"' },
      { request: 2, reason: "user_group_id was not sent; name was not sent" },
    ]);
  });

  it("compare the team", async () => {
    await own.world.fault({ team_id: 4, status: 503 });
    await create(own.world.url, "a");
    expect(await missesOf(1)).toEqual([{ request: 1, reason: "it came from team 3, not 4" }]);
  });

  it("are only requests that began after the fault was armed", async () => {
    await create(own.world.url, "a");
    await own.world.fault({ match: { user_group_id: "a", name: "A" }, status: 503 });
    expect(await missesOf(1)).toEqual([]);
    await create(own.world.url, "a");
    expect(await missesOf(1)).toEqual([{ request: 2, reason: 'name was "a", not "A"' }]);
  });

  const rule = { match: { user_group_id: "a" }, status: 503 };
  it.each<[reason: string, send: (world: World) => Promise<unknown>]>([
    [
      "fault 2 fired instead",
      async (world) => {
        await world.fault({ ...rule, skip: 1 });
        await world.fault({ reset: true });
        await create(world.url, "a").catch(() => {});
      },
    ],
    [
      "skip excluded it",
      async (world) => {
        await world.fault({ ...rule, skip: 1 });
        await create(world.url, "a");
      },
    ],
    [
      "it was not authenticated or not valid",
      async (world) => {
        await world.fault(rule);
        await getOrCreate(world.url, { user_group_id: "a", name: "A" }, { apiToken: "unheard-of" });
      },
    ],
    [
      "the fault was no longer active",
      async (world) => {
        const held = await world.hold({ match: rule.match });
        await held.release();
        await create(world.url, "a");
      },
    ],
  ])("explain why a matching request was not met: %s", async (reason, send) => {
    await send(own.world);
    expect(await missesOf(1)).toEqual([{ request: 1, reason: `it matched, but ${reason}` }]);
  });

  it.each<[string, NonNullable<FaultRule["match"]>, (world: World) => Promise<unknown>]>([
    ["its token is unknown", { current_token: "unheard-of" }, async ({ url }) => rotate(url, "unheard-of")],
    [
      "another group has its name",
      { user_group_id: "a" },
      async (world) => {
        await world.assume({ "unique-names": "rejected" });
        await create(world.url, "a", { name: "Example 1" });
      },
    ],
  ])("explain that `skip` excluded a request, even if %s", async (_, match, send) => {
    await own.world.fault({ match, status: 503, skip: 1 });
    await send(own.world);
    expect(await missesOf(1)).toEqual([{ request: 1, reason: "it matched, but skip excluded it" }]);
  });

  it("explain that a matching request is still in progress", async () => {
    const held = await own.world.hold();
    await own.world.fault({ match: { user_group_id: "a" }, status: 503 });
    const waiting = create(own.world.url, "a");
    await held.arrived();
    expect(await missesOf(2)).toEqual([{ request: 1, reason: "it matched, but it is still in progress" }]);
    await held.release();
    await waiting;
  });

  it("of a fault that fired less often than `times` are other requests, and `always` is met by one", async () => {
    const { url } = own.world;
    const always = await own.world.fault({ match: { user_group_id: "b" }, delayMs: 1, times: "always" });
    const twice = await own.world.fault({ match: { user_group_id: "a" }, status: 503, times: 2 });
    for (const id of ["a", "b"]) await create(url, id);
    expect(await missesOf(twice.id)).toEqual([{ request: 2, reason: 'user_group_id was "b", not "a"' }]);
    expect(await missesOf(always.id)).toBeUndefined();
  });

  it("are absent once the fault has fired as often as `times`, and in the response to arming it", async () => {
    const fault = await own.world.fault({ match: { user_group_id: "a" }, status: 503 });
    expect(await missesOf(fault.id)).toEqual([]);
    await create(own.world.url, "a");
    expect(await missesOf(fault.id)).toBeUndefined();
    const armed = await call("POST", `${own.world.url}/__admin/faults`, { status: 500 });
    expect(armed.body).not.toHaveProperty("nearMisses");
  });
});
