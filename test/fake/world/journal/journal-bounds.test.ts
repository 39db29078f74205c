import { describe, expect, it } from "vitest";
import { call, create } from "../../../call.js";
import { ownWorld } from "../own-world.js";

describe("a full journal", () => {
  const own = ownWorld({ journalSize: 5 });
  const journal = async () => (await call("GET", `${own.world.url}/__admin/requests`)).body;
  const ids = async () => (await own.world.requests()).map(({ id }) => id);
  const createMany = async (count: number) => {
    for (let n = 0; n < count; n++) await create(own.world.url, `new-${n}`);
  };

  it("keeps the newest requests and counts the dropped ones", async () => {
    await createMany(5);
    expect(await journal()).toMatchObject({ total: 5, dropped: 0 });
    await createMany(7);
    expect(await ids()).toEqual([8, 9, 10, 11, 12]);
    expect(await journal()).toMatchObject({ total: 5, dropped: 7 });
    // One that was dropped, and one that does not exist yet.
    for (const id of [7, 13]) {
      const { status, body } = await call("GET", `${own.world.url}/__admin/requests/${id}`);
      expect([status, body.error.message]).toEqual([404, expect.stringContaining("has no request")]);
    }
  });

  it("continues to work after it was cleared", async () => {
    await createMany(8);
    await own.world.clearRequests();
    await createMany(3);
    expect(await ids()).toEqual([9, 10, 11]);
    await createMany(3);
    expect(await ids()).toEqual([10, 11, 12, 13, 14]);
    expect(await journal()).toMatchObject({ total: 5, dropped: 1 });
  });

  it("never drops a pending request, and drops others although an older one is pending", async () => {
    const held = await own.world.hold({ times: 2 });
    const waiting = [create(own.world.url, "held"), create(own.world.url, "held")];
    await held.arrived();
    await expect.poll(() => held.fired()).toBe(2);
    await createMany(5);
    expect(await ids()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await journal()).toMatchObject({ total: 7, dropped: 0 });
    await createMany(3);
    expect(await ids()).toEqual([1, 2, 6, 7, 8, 9, 10]);
    expect(await journal()).toMatchObject({ total: 7, dropped: 3 });
    expect((await own.world.requests({ after: 2, limit: 2 })).map(({ id }) => id)).toEqual([6, 7]);
    const completed = own.world.waitForRequest({ match: { user_group_id: "held" } });
    await held.release();
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
    // They were completed last.
    expect((await completed).id).toBe(1);
    expect(await ids()).toEqual([1, 2, 8, 9, 10]);
    expect(await journal()).toMatchObject({ total: 5, dropped: 5 });
  });
});
