import { describe, expect, it } from "vitest";
import type { World } from "../../../../src/client/world.js";
import { call, getOrCreate } from "../../../call.js";
import { callInFlight } from "../../../call-in-flight.js";
import { startWithin } from "../start-within.js";

/** About 10,700 bytes in a journal. The group exists, and keeps nothing of it. */
const large = { user_group_id: "example_1", properties: { padding: "x".repeat(9_000) } };

/** Five large requests, or two less and three past epochs. */
const bound = 60_000;

const send = (world: World) => getOrCreate(world.url, large);

async function sendMany(world: World, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await send(world);
}

/** The ids in the journal of a world, and how many requests it has dropped. */
async function journalOf(world: World): Promise<[ids: number[], dropped: number]> {
  const requests = await world.requests();
  return [requests.map(({ id }) => id), requests.dropped];
}

describe("all journals of a server together", () => {
  it("drop those of dropped worlds first, then the history, then the oldest requests of the largest journal", async () => {
    await using mock = await startWithin(bound);
    const [live, gone] = [mock.world("live"), mock.world("gone")];
    // The history of the default world is older than that of the dropped world.
    for (let n = 0; n < 2; n++) {
      await send(mock);
      await mock.reset();
    }
    await send(gone);
    await gone.drop();
    await sendMany(live, 2);
    const kept = async () => [
      (await gone.history()).length,
      (await mock.history()).map(({ n }) => n),
      ...(await journalOf(live)),
    ];
    expect(await kept()).toEqual([1, [2, 1], [1, 2], 0]);
    await send(live);
    expect(await kept()).toEqual([0, [2, 1], [1, 2, 3], 0]);
    await send(live);
    expect(await kept()).toEqual([0, [2], [1, 2, 3, 4], 0]);
    await send(live);
    expect(await kept()).toEqual([0, [], [1, 2, 3, 4, 5], 0]);
    await send(live);
    expect(await kept()).toEqual([0, [], [2, 3, 4, 5, 6], 1]);
  });

  it("keep the journal of a test complete while another one sends too much", async () => {
    await using mock = await startWithin(bound);
    const [quiet, busy] = [mock.world("quiet"), mock.world("busy")];
    // The newest journal is not the largest.
    await send(busy);
    await sendMany(quiet, 2);
    await sendMany(busy, 9);
    expect(await journalOf(quiet)).toEqual([[1, 2], 0]);
    expect(await journalOf(busy)).toEqual([[8, 9, 10], 7]);
    expect(await mock.worlds()).toMatchObject([
      { name: "default", requests: 0 },
      { name: "busy", requests: 10 },
      { name: "quiet", requests: 2 },
    ]);
  });

  it("never drop a pending request, but the requests after it", async () => {
    await using mock = await startWithin(bound);
    const [a, b] = [mock.world("a"), mock.world("b")];
    const held = await a.hold();
    const waiting = send(a);
    await held.arrived();
    await sendMany(a, 8);
    expect(await journalOf(a)).toEqual([[1, 5, 6, 7, 8, 9], 3]);
    await sendMany(b, 2);
    expect(await journalOf(b)).toEqual([[1, 2], 0]);
    expect(await journalOf(a)).toEqual([[1, 7, 8, 9], 5]);
    await mock.stop();
    expect((await waiting).body.error.message).toContain("was stopped while fault 1 held this request");
  });

  it("count a request that ends in the history", async () => {
    await using mock = await startWithin(bound);
    const late = await callInFlight("GET", mock.url, large);
    await mock.reset();
    await sendMany(mock, 5);
    expect(await mock.history()).toMatchObject([{ n: 1, requests: 1 }]);
    expect((await late.finish()).status).toBe(200);
    // With its body, all of them are too much: the history goes first.
    expect([await mock.history(), await journalOf(mock)]).toEqual([[], [[1, 2, 3, 4, 5], 0]]);
  });

  it("count exactly after a journal was cleared, even if a request was pending", async () => {
    await using mock = await startWithin(bound);
    for (let round = 0; round < 3; round++) {
      const held = await mock.hold();
      const waiting = send(mock);
      await held.arrived();
      await sendMany(mock, 4);
      await mock.clearRequests();
      await held.release();
      await waiting;
      expect(await journalOf(mock)).toEqual([[], 0]);
      await sendMany(mock, 5);
      expect((await journalOf(mock))[1]).toBe(0);
      await send(mock);
      expect((await journalOf(mock))[1]).toBe(1);
      await mock.clearRequests();
    }
  });

  it("count headers and responses too", async () => {
    const text = "x".repeat(9_000);
    const existing = { user_group_id: "example_1" };
    await using mock = await startWithin(bound);
    const [withHeader, withResponse] = [mock.world("header"), mock.world("response")];
    for (let n = 0; n < 6; n++) await getOrCreate(withHeader.url, existing, { headers: { "X-Long": text } });
    expect(await journalOf(withHeader)).toEqual([[2, 3, 4, 5, 6], 1]);
    await withHeader.clearRequests();
    await withResponse.fault({ status: 503, body: text, times: 6 });
    for (let n = 0; n < 6; n++) await getOrCreate(withResponse.url, existing);
    expect(await journalOf(withResponse)).toEqual([[2, 3, 4, 5, 6], 1]);
  });

  const long = "x".repeat(9_000);
  it.each<[what: string, query: string, headers: Record<string, string>]>([
    ["paths", `?${long}`, {}],
    ["names of headers", "", { [long]: "1" }],
  ])("count %s", async (_, query, headers) => {
    await using mock = await startWithin(bound);
    const body = { user_group_id: "example_1" };
    for (let n = 0; n < 6; n++) await call("GET", `${mock.url}/api/user${query}`, body, { headers });
    expect(await journalOf(mock)).toEqual([[2, 3, 4, 5, 6], 1]);
  });

  it("count two bytes for each character of a text that is not Latin-1", async () => {
    await using mock = await startWithin(bound);
    const wide = { user_group_id: "example_1", properties: { padding: "界".repeat(7_000) } };
    for (let n = 0; n < 4; n++) await getOrCreate(mock.url, wide);
    expect(await journalOf(mock)).toEqual([[2, 3, 4], 1]);
  });

  it("count the tokens that past epochs have issued", async () => {
    await using mock = await startWithin(bound);
    for (const label of ["older", "newer"]) {
      await mock.reset({ label });
      for (let n = 0; n < 300; n++) await mock.addGroup({ provided_id: `${n}`, name: `${n}` });
    }
    expect((await mock.history()).map(({ label }) => label)).toEqual(["older"]);
    await mock.reset();
    expect((await mock.history()).map(({ label }) => label)).toEqual(["newer"]);
  });

  it("count past epochs without requests, until they are removed", async () => {
    await using mock = await startWithin(bound);
    for (let n = 0; n < 100; n++) await mock.reset({ label: `${n}` });
    expect(await mock.history()).toHaveLength(bound / 1_000);
    await sendMany(mock, 5);
    expect(await journalOf(mock)).toEqual([[1, 2, 3, 4, 5], 0]);
  });

  it("never use the number of an epoch twice that they have removed", async () => {
    await using mock = await startWithin(bound);
    const world = mock.world("a");
    for (let n = 0; n < 3; n++) {
      await send(world);
      await world.reset();
    }
    await world.drop();
    await sendMany(mock, 6);
    expect(await world.history()).toEqual([]);
    await send(world);
    await world.reset();
    expect((await world.history()).map(({ n }) => n > 3)).toEqual([true]);
  });
});
