import { describe, expect, it } from "vitest";
import { call, create } from "../../call.js";
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

  it("drops the oldest request when another one arrives", async () => {
    await createMany(5);
    const held = await own.world.hold();
    const waiting = create(own.world.url, "held");
    await held.arrived();
    expect(await ids()).toEqual([2, 3, 4, 5, 6]);
    await held.release();
    await waiting;
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

  it("drops a pending request, and those after it, only when it has its response", async () => {
    const held = await own.world.hold();
    const waiting = create(own.world.url, "held");
    await held.arrived();
    await createMany(6);
    expect(await ids()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await journal()).toMatchObject({ dropped: 0 });
    await held.release();
    expect((await waiting).body.new_user_group).toBe(true);
    expect(await ids()).toEqual([3, 4, 5, 6, 7]);
    expect(await journal()).toMatchObject({ dropped: 2 });
  });
});
