import { describe, expect, it } from "vitest";
import { call, create, getOrCreate } from "../../call.js";
import { bothWays } from "../both-ways.js";
import { ownWorld } from "../own-world.js";
import { startSmall } from "../start-within.js";

describe.each(bothWays)("a full journal (%s)", (_, steer) => {
  const own = ownWorld(steer, { journalSize: 5 });
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

  it("drops a pending request, which still gets its response", async () => {
    const held = await own.world.hold();
    const waiting = create(own.world.url, "held");
    await held.arrived;
    await createMany(6);
    expect(await ids()).toEqual([3, 4, 5, 6, 7]);
    await held.release();
    expect((await waiting).body.new_user_group).toBe(true);
    expect(await ids()).toEqual([3, 4, 5, 6, 7]);
    expect(await journal()).toMatchObject({ dropped: 2 });
    await createMany(1);
    expect(await ids()).toEqual([4, 5, 6, 7, 8]);
  });

  it("resolves a wait with the requests that it still has", async () => {
    await createMany(12);
    expect((await own.world.waitForRequest({ count: 5 })).id).toBe(12);
  });
});

describe.each(bothWays)("a journal of large bodies (%s)", (_, steer) => {
  const own = ownWorld(steer, {}, startSmall);
  const padding = "x".repeat(9_000);
  const createLarge = (n: number) =>
    getOrCreate(own.world.url, { user_group_id: `new-${n}`, name: "n", properties: { padding } });
  const journal = async () => (await call("GET", `${own.world.url}/__admin/requests`)).body;

  const expectFull = (requests: { request: { body: unknown } }[]) => {
    const kept = requests.reduce((sum, { request }) => sum + JSON.stringify(request.body).length, 0);
    expect(kept).toBeLessThanOrEqual(80_000);
    expect(kept).toBeGreaterThan(70_000);
  };

  it("is bounded by their size, repeatedly", async () => {
    for (const round of [1, 2]) {
      for (let n = 0; n < 10; n++) await createLarge(n);
      const { requests, total, dropped } = await journal();
      expect(total + dropped).toBe(10);
      expect(requests.at(-1).id).toBe(round * 10);
      expectFull(requests);
      await own.world.clearRequests();
    }
  });

  it("does not count a request that was dropped before its response", async () => {
    const held = await own.world.hold({ times: 9 });
    const waiting = Array.from({ length: 9 }, (_, n) => createLarge(n));
    await expect.poll(async () => (await own.world.faults())[0]?.holding).toBe(9);
    for (let n = 0; n < 10; n++) await createLarge(n);
    expectFull((await journal()).requests);
    await held.release();
    await Promise.all(waiting);
    await createLarge(0);
    const { requests } = await journal();
    expect(requests.at(-1).id).toBe(20);
    expectFull(requests);
  });
});

describe("a journal with a request above its bound", () => {
  it("keeps only this request until the next one", async () => {
    await using mock = await startSmall();
    const properties = { padding: "x".repeat(90_000) };
    await create(mock.url, "before");
    await getOrCreate(mock.url, { user_group_id: "large", name: "large", properties });
    expect((await mock.requests()).map(({ id }) => id)).toEqual([2]);
    await create(mock.url, "after");
    expect((await mock.requests()).map(({ id }) => id)).toEqual([3]);
  });
});

describe("a journal of long responses", () => {
  it("is bounded by their size", async () => {
    await using mock = await startSmall();
    const mapping = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`${n}${"x".repeat(100)}`, n]));
    for (let n = 0; n < 80; n++) {
      const { status } = await getOrCreate(mock.url, { user_group_id: "new", name: "n", mapping });
      expect(status).toBe(400);
    }
    const { requests, dropped } = (await call("GET", `${mock.url}/__admin/requests`)).body;
    const size = (part: unknown) => JSON.stringify(part).length;
    const [sent, received] = [size(requests[0].request.body), size(requests[0].response.body)];
    // The request bodies alone would all fit.
    expect(80 * sent).toBeLessThan(80_000);
    expect(requests).toHaveLength(Math.floor(80_000 / (sent + received)));
    expect(dropped).toBe(80 - requests.length);
  });
});

describe("long headers", () => {
  it("count towards the bound of a journal", async () => {
    await using mock = await startSmall();
    const headers = { "X-Long": "x".repeat(14_000) };
    for (let n = 0; n < 10; n++) await getOrCreate(mock.url, { user_group_id: "example_1" }, { headers });
    const { length, dropped } = await mock.requests();
    expect([length, dropped]).toEqual([5, 5]);
  });
});
