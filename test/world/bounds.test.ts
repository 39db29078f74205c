import { describe, expect, it } from "vitest";
import type { Mock } from "../../src/mock/world.js";
import { type Bound, defaultBounds } from "../../src/world/bounds.js";
import { call, create, getOrCreate, rotate } from "../call.js";
import { bothWays } from "./both-ways.js";
import { refusalOf } from "./refusal.js";
import { startWithin } from "./start-within.js";

const state = (name: string) => ({
  teams: [{ team_id: 3, api_tokens: ["test-api-token"] }],
  user_groups: [{ team_id: 3, provided_id: "a", name }],
});

const refusal = async (rejected: Promise<unknown>) => {
  const { code, message } = await refusalOf(rejected);
  return [code, message];
};

describe("the bound of groups in a world", () => {
  const tooLarge = "The groups of a world can use at most 0.1 MB. Reset the world, or load fewer groups.";

  it("rejects requests that create more groups", async () => {
    await using mock = await startWithin({ groupBytes: 100_000 });
    const name = "x".repeat(60_000);
    await create(mock.url, "first", { name });
    await create(mock.url, "second", { name });
    const { status, body } = await getOrCreate(mock.url, { user_group_id: "third", name });
    expect([status, body.error]).toEqual([413, { code: "payload_too_large", message: tooLarge }]);
    expect((await mock.health()).groups).toBe(5 + 2);
    expect((await create(mock.world("other").url, "first")).status).toBe(200);
    await mock.reset();
    expect((await create(mock.url, "third", { name })).status).toBe(200);
  });

  it("rejects requests that rotate more tokens", async () => {
    await using mock = await startWithin({ groupBytes: 1_000 });
    let { token } = (await create(mock.url, "a")).body.user_group;
    const statuses = [];
    for (let n = 0; n < 3; n++) {
      const { status, body } = await rotate(mock.url, token);
      token = body.user_group?.token;
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 200, 413]);
  });

  it("rejects requests that update more groups", async () => {
    await using mock = await startWithin({ groupBytes: 1_000 }, { assume: { "existing-group": "updated" } });
    const update = async (name: string) =>
      (await getOrCreate(mock.url, { user_group_id: "example_1", name })).status;
    expect([await update("a"), await update("b"), await update("c")]).toEqual([200, 200, 413]);
  });

  it("allows any number of look-ups", async () => {
    await using mock = await startWithin({ groupBytes: 1_000 });
    for (let n = 0; n < 10; n++)
      expect((await getOrCreate(mock.url, { user_group_id: "example_1" })).status).toBe(200);
  });

  it.each(bothWays)("rejects a state that is loaded and a group that is added (%s)", async (_, steer) => {
    await using mock = await startWithin({ groupBytes: 100_000 });
    const world = await steer(mock);
    expect(await refusal(world.load(state("x".repeat(30_000))))).toEqual(["too_many_bytes", tooLarge]);
    expect((await world.state()).user_groups).toHaveLength(5);
    // A state replaces the previous one.
    for (let n = 0; n < 3; n++) await world.load(state("x".repeat(20_000)));
    const added = { provided_id: "b", name: "x".repeat(10_000) };
    expect(await refusal(world.addGroup(added))).toEqual(["too_many_bytes", tooLarge]);
    expect((await world.state()).user_groups).toHaveLength(1);
    await world.reset();
    await world.addGroup(added);
    await world.addGroup({ ...added, provided_id: "c" });
    expect(await refusal(world.addGroup({ ...added, provided_id: "d" }))).toEqual([
      "too_many_bytes",
      tooLarge,
    ]);
  });

  it("counts restored groups like before the snapshot", async () => {
    await using mock = await startWithin({ groupBytes: 100_000 });
    await mock.load(state("x".repeat(20_000)));
    const snapshot = await mock.snapshot();
    await mock.reset();
    await mock.restore(snapshot);
    const added = { provided_id: "b", name: "x".repeat(10_000) };
    expect((await refusalOf(mock.addGroup(added))).code).toBe("too_many_bytes");
  });
});

describe("the bound of snapshots in a world", () => {
  it.each(bothWays)("limits their number (%s)", async (_, steer) => {
    await using mock = await startWithin({ snapshots: { count: 2, bytes: 100_000 } });
    const world = await steer(mock);
    const first = await world.snapshot();
    await world.snapshot();
    expect(await refusal(world.snapshot())).toEqual([
      "too_many_snapshots",
      "A world can have at most 2 snapshots. Forget some of them.",
    ]);
    await mock.world("other").snapshot();
    await world.forget(first);
    await world.snapshot();
  });

  it.each<[what: string, fill: (mock: Mock) => Promise<unknown>]>([
    ["groups", (mock) => mock.load(state("x".repeat(10_000)))],
    ["faults", (mock) => mock.fault({ status: 503, text: "x".repeat(40_000) })],
  ])("limits their size: %s", async (_, fill) => {
    await using mock = await startWithin({ snapshots: { count: 9, bytes: 100_000 } });
    await fill(mock);
    const first = await mock.snapshot();
    await mock.snapshot();
    expect(await refusal(mock.snapshot())).toEqual([
      "too_many_snapshots",
      "A world can have at most 0.1 MB of snapshots. Forget some of them.",
    ]);
    await mock.forget(first);
    await mock.snapshot();
  });
});

describe("the bound of faults in a world", () => {
  it("limits their number", async () => {
    await using mock = await startWithin({ faults: { count: 2, bytes: 1_000 } });
    await mock.fault({ status: 503 });
    await mock.fault({ status: 503 });
    expect(await refusal(mock.fault({ status: 503 }))).toEqual([
      "too_many_faults",
      "A world can have at most 2 faults. Clear them between tests.",
    ]);
    await mock.clearFaults();
    await mock.fault({ status: 503 });
  });

  it("limits the size of their rules", async () => {
    await using mock = await startWithin({ faults: { count: 9, bytes: 1_000 } });
    const rule = { status: 503, text: "x".repeat(450) } as const;
    await mock.fault(rule);
    await mock.fault(rule);
    expect(await refusal(mock.fault(rule))).toEqual([
      "too_many_faults",
      "A world can have at most 0.001 MB of faults. Clear them between tests.",
    ]);
    expect(await mock.faults()).toHaveLength(2);
    await mock.clearFaults();
    await mock.fault(rule);
  });
});

describe("the bound of waits in a world", () => {
  const wait = (mock: Mock, timeoutMs: number) =>
    refusalOf(mock.waitForRequest({ match: { name: "x".repeat(450) }, timeoutMs }));

  it.each<[bound: Bound, message: string]>([
    [{ count: 2, bytes: 10_000 }, "A world can have at most 2 waits. Wait until some of them end."],
    [{ count: 9, bytes: 1_100 }, "A world can have at most 0.0011 MB of waits. Wait until some of them end."],
  ])("is freed when waits end: %j", async (waits, message) => {
    await using mock = await startWithin({ waits });
    const waiting = [wait(mock, 600_000), wait(mock, 600_000)];
    const refused = await wait(mock, 600_000);
    expect([refused.code, refused.message]).toEqual(["too_many_waits", message]);
    await mock.reset();
    expect((await Promise.all(waiting)).map(({ code }) => code)).toEqual(["aborted", "aborted"]);
    for (let n = 0; n < 5; n++) expect((await wait(mock, 1)).code).toBe("timeout");
  });
});

describe("the bound of all worlds together", () => {
  const full = "All worlds together use more than 0.1 MB. Reset or drop worlds, or forget snapshots.";

  it.each<[what: string, fill: (mock: Mock) => Promise<unknown>]>([
    ["groups", (mock) => mock.load(state("x".repeat(30_000)))],
    ["faults", (mock) => mock.fault({ status: 503, text: "x".repeat(110_000) })],
    ["journals", (mock) => getOrCreate(mock.url, { user_group_id: "example_1", name: "x".repeat(99_000) })],
    [
      "snapshots",
      async (mock) => {
        await mock.load(state("x".repeat(20_000)));
        await mock.snapshot();
        await mock.reset();
        await mock.load(state("x".repeat(5_000)));
      },
    ],
  ])("rejects new worlds, states and snapshots if there are too many %s", async (_, fill) => {
    await using mock = await startWithin({ totalBytes: 100_000 });
    expect((await create(mock.world("early").url, "a")).status).toBe(200);
    await fill(mock);
    const { status, body } = await getOrCreate(mock.world("late").url, { user_group_id: "a", name: "A" });
    expect([status, body.error]).toEqual([429, { code: "too_many_worlds", message: full }]);
    expect(await refusal(mock.world("early").load(state("A")))).toEqual(["too_many_bytes", full]);
    expect(await refusal(mock.world("early").snapshot())).toEqual(["too_many_bytes", full]);
    // Existing worlds work, and a drop frees memory.
    expect((await create(mock.world("early").url, "b")).status).toBe(200);
    await mock.drop();
    expect((await create(mock.world("late").url, "a")).status).toBe(200);
  });

  it("never rejects the default world", async () => {
    await using mock = await startWithin({ totalBytes: 100_000 });
    const other = mock.world("other");
    await other.load(state("x".repeat(30_000)));
    await mock.drop();
    expect((await create(mock.url, "a")).status).toBe(200);
    await call("DELETE", `${mock.url}/__admin/worlds`);
    expect((await create(other.url, "a")).status).toBe(200);
  });
});

it("default bounds are 250 MB of groups and 8 MB of journal per world, and 500 MB for all worlds", () => {
  const { groupBytes, journalCharacters, totalBytes } = defaultBounds;
  expect([groupBytes, journalCharacters, totalBytes]).toEqual([250_000_000, 8_000_000, 500_000_000]);
});
