import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/mock/start-mock.js";
import { showPast } from "../../../src/world/journal/history.js";
import { call, create, rotate } from "../../call.js";
import { callInFlight } from "../../call-in-flight.js";
import { bothWays } from "../both-ways.js";
import { addEntry, failed, openEntry, succeeded, whole, worldsInProcess } from "../in-process.js";
import { ownWorld } from "../own-world.js";
import { refusalOf } from "../refusal.js";
import { watchCreate } from "../watched-call.js";

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe.each(bothWays)("the history (%s)", (_, steer) => {
  const own = ownWorld(steer);
  const past = async (n: number, query = "") =>
    (await call("GET", `${own.world.url}/__admin/history/${n}/requests${query}`)).body;

  it("has the journals before earlier resets, newest first, with their labels", async () => {
    const { world } = own;
    expect(await world.history()).toEqual([]);
    await create(world.url, "a");
    await world.reset({ label: "rotates a stale token" });
    await create(world.url, "b");
    await rotate(world.url, "stale");
    await world.reset({ label: "does nothing" });
    await world.reset();
    expect(await world.history()).toEqual([
      { n: 3, label: "does nothing", startedAt: time, endedAt: time, requests: 0, failures: 0 },
      { n: 2, label: "rotates a stale token", startedAt: time, endedAt: time, requests: 2, failures: 1 },
      { n: 1, startedAt: time, endedAt: time, requests: 1, failures: 0 },
    ]);
  });

  it("shows an earlier journal in the shape and with the filters of requests", async () => {
    const { world } = own;
    await create(world.url, "a");
    await rotate(world.url, "stale");
    const requests = await world.requests();
    await world.reset();
    await create(world.url, "later");
    expect(await past(1)).toEqual({ requests, total: 2, dropped: 0, epoch: 1 });
    expect((await past(1, "?outcome=failure")).requests).toEqual(requests.slice(1));
    expect((await past(1, "?user_group_id=a&limit=1")).total).toBe(1);
    expect((await past(1, "?outcome=lost")).error.code).toBe("invalid_request");
  });

  it("does not appear in requests, waits and HAR", async () => {
    const { world } = own;
    await create(world.url, "old");
    await world.reset();
    expect(await world.requests()).toEqual([]);
    expect(await world.har()).toMatchObject({ log: { entries: [] } });
    const wait = world.waitForRequest({ match: { user_group_id: "old" }, timeoutMs: 30 });
    expect((await refusalOf(wait)).summary).toContain("there were no requests");
  });

  it("has requests that were in progress at the reset", async () => {
    const { world } = own;
    const held = await world.hold();
    const waiting = watchCreate(world.url, "held");
    await held.arrived;
    await world.reset();
    expect((await waiting).status).toBe(503);
    expect(await world.requests()).toEqual([]);
    const { requests } = await past(1);
    expect(requests).toMatchObject([
      { id: 1, outcome: "fault", effect: "none", delivery: "complete", response: { status: 503 } },
    ]);
    expect(requests[0].notes).toEqual(["fault 1 aborted the request: the world was reset"]);
  });

  it("keeps the journals of a dropped world, and never reuses a number", async () => {
    const { world } = own;
    await create(world.url, "a");
    await world.drop();
    expect(await world.history()).toMatchObject([{ n: 1, requests: 1 }]);
    await create(world.url, "b");
    await world.reset();
    expect((await world.history()).map(({ n }) => n)).toEqual([2, 1]);
    expect((await past(2)).requests).toMatchObject([{ request: { body: { user_group_id: "b" } } }]);
  });

  it("masks API tokens that were not listed, and shows those of a loaded state", async () => {
    const { world } = own;
    await world.load({ teams: [{ team_id: 9, api_tokens: ["nine"] }] });
    for (const token of ["nine", "production"]) {
      const headers = { Authorization: `Token ${token}` };
      await call("GET", `${world.url}/api/user`, { user_group_id: "a", name: "A" }, { headers });
    }
    await world.reset();
    const shown = (await past(1)).requests.map(
      (entry: { request: { headers: { authorization: string } } }) => entry.request.headers.authorization,
    );
    expect(shown).toEqual(["Token nine", "Token ********"]);
  });

  it("returns 404 for an unknown epoch", async () => {
    const { url } = own.world;
    const responses = ["1", "7", "x"].map((n) => call("GET", `${url}/__admin/history/${n}/requests`));
    expect((await Promise.all(responses)).map(({ status, body }) => [status, body.error])).toEqual([
      [404, { code: "unknown_epoch", message: "Epoch 1 is the current one. Use /__admin/requests." }],
      [404, { code: "unknown_epoch", message: "Epoch 7 is not in the history." }],
      [404, expect.objectContaining({ code: "not_found" })],
    ]);
  });

  it.each([{ label: "" }, { label: 5 }, { lable: "x" }, { label: "x".repeat(1_001) }])(
    "rejects an invalid label without a reset: %j",
    async (given) => {
      await create(own.world.url, "a");
      // TypeScript would reject it.
      const { code } = await refusalOf(own.world.reset(given as object));
      expect(code).toBe("invalid_request");
      expect(await own.world.requests()).toHaveLength(1);
    },
  );
});

describe("the bounds of the history", () => {
  it("are those of a journal: the newest epochs stay", async () => {
    await using mock = await startMock({ journalSize: 5 });
    for (let n = 1; n <= 4; n++) {
      await create(mock.url, `a${n}`);
      await create(mock.url, `b${n}`);
      await mock.reset();
    }
    expect((await mock.history()).map(({ n, requests }) => [n, requests])).toEqual([
      [4, 2],
      [3, 2],
    ]);
  });

  it("apply to labels without requests", async () => {
    await using mock = await startMock({ journalSize: 3 });
    for (let n = 1; n <= 10; n++) await mock.reset({ label: `test ${n}` });
    expect((await mock.history()).map(({ label }) => label)).toEqual(["test 9", "test 8", "test 7"]);
  });

  it("apply to large bodies", async () => {
    await using mock = await startMock({ bodyLimit: "5mb" });
    for (let n = 1; n <= 3; n++) {
      await create(mock.url, "large", { properties: { text: "x".repeat(3_000_000) } });
      await mock.reset();
    }
    expect((await mock.history()).map(({ n }) => n)).toEqual([3, 2]);
  });

  it("apply to bodies that arrive after the reset", async () => {
    await using mock = await startMock({ bodyLimit: "5mb" });
    for (let n = 1; n <= 6; n++) {
      const inFlight = await callInFlight("GET", mock.url, {
        user_group_id: "example_1",
        properties: { text: "x".repeat(3_000_000) },
      });
      await mock.reset();
      await inFlight.finish();
    }
    await create(mock.url, "last");
    await mock.reset();
    expect((await mock.history()).map(({ n }) => n)).toEqual([7, 6, 5]);
  });

  it("apply to dropped worlds", async () => {
    const worlds = await worldsInProcess();
    for (let n = 0; n <= 10_000; n++) {
      worlds.enter(`w${n}`).reset({ label: `w${n}` });
      worlds.drop(`w${n}`);
    }
    expect(worlds.findOrPreview("w0").past).toEqual([]);
    expect(worlds.findOrPreview("w10000").past).toMatchObject([{ number: 2, label: "w10000" }]);
    // Numbers of forgotten epochs are not used again.
    expect(worlds.enter("w0").epoch.number).toBeGreaterThan(2);
  });
});

describe("the history of many worlds", () => {
  it("keeps 100 MB of all worlds together, without the oldest epochs", async () => {
    const worlds = await worldsInProcess();
    // An entry counts 1,000 bytes and its bodies, and a dropped world a little more.
    const endEpoch = (name: string, bytes: number) => {
      addEntry(worlds.enter(name).epoch.journal, bytes - 1_000);
      worlds.drop(name);
    };
    const kept = () => worlds.all().filter(({ past }) => past.length > 0).length;
    for (let n = 1; n <= 12; n++) endEpoch(`w${n}`, 8_000_000);
    endEpoch("w13", 3_999_000);
    expect(kept()).toBe(13);
    endEpoch("w14", 1_001);
    expect(kept()).toBe(13);
    expect([worlds.findOrPreview("w1").past, worlds.findOrPreview("w2").past.length]).toEqual([[], 1]);
    expect(worlds.all().map(({ name }) => name)).not.toContain("w1");
  });

  it("keeps 10,000 epochs of all worlds together", async () => {
    const worlds = await worldsInProcess();
    const kept = () => worlds.all().reduce((sum, { past }) => sum + past.length, 0);
    for (let n = 0; n < 100; n++) {
      const world = worlds.enter(`w${n}`);
      // The first epoch has neither a request nor a label, and is not kept.
      for (let reset = 0; reset <= 100; reset++) world.reset({ label: `test ${reset}` });
    }
    expect([kept(), worlds.findOrPreview("w0").past.at(-1)?.label]).toEqual([10_000, "test 0"]);
    worlds.enter("w99").reset({});
    expect([kept(), worlds.findOrPreview("w0").past.at(-1)?.label]).toEqual([10_000, "test 1"]);
  });

  it("gives an unknown world a number that it never had", async () => {
    const worlds = await worldsInProcess({ journalSize: 1 });
    const a = worlds.enter("a");
    for (let n = 1; n <= 3; n++) {
      addEntry(a.epoch.journal);
      a.reset({});
    }
    expect(a.past.map(({ number }) => number)).toEqual([3]);
    expect(worlds.findOrPreview("new").epoch.number).toBe(3);
  });

  it("forgets a dropped world without requests", async () => {
    const worlds = await worldsInProcess();
    worlds.enter("a").reset({});
    expect(worlds.enter("a").epoch.number).toBe(2);
    worlds.drop("a");
    expect([worlds.findOrPreview("a").epoch.number, worlds.findOrPreview("a").past]).toEqual([1, []]);
    expect(worlds.all().map(({ name }) => name)).toEqual(["default"]);
  });

  it("counts requests and failures of a world since its last reset", async () => {
    const worlds = await worldsInProcess();
    const a = worlds.enter("a");
    addEntry(a.epoch.journal, 0, failed);
    a.reset({});
    addEntry(a.epoch.journal, 0, failed);
    addEntry(a.epoch.journal, 0, succeeded);
    const listed = worlds.list().worlds.map(({ name, requests, failures }) => [name, requests, failures]);
    expect(listed).toEqual([
      ["default", 0, 0],
      ["a", 2, 1],
    ]);
  });
});

describe("the history of one world", () => {
  const numbers = (past: readonly { number: number; journal: { entryCount: number } }[]) =>
    past.map(({ number, journal }) => [number, journal.entryCount]);

  it("keeps as many requests as a journal, in whole epochs", async () => {
    const worlds = await worldsInProcess({ journalSize: 4 });
    const world = worlds.enter("a");
    for (let n = 1; n <= 3; n++) {
      for (let i = 0; i < 2; i++) addEntry(world.epoch.journal);
      world.reset({ label: `after ${n}` });
    }
    expect(numbers(world.past)).toEqual([
      [3, 2],
      [2, 2],
    ]);
    expect(world.past.map(showPast).at(-1)).toMatchObject({ label: "after 1", requests: 2 });
    addEntry(world.epoch.journal);
    world.reset({});
    expect(numbers(world.past)).toEqual([
      [4, 1],
      [3, 2],
    ]);
  });

  it("keeps 8,000,000 characters of bodies", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    for (const characters of [3_000_000, 5_000_000]) {
      addEntry(world.epoch.journal, characters);
      world.reset({});
    }
    expect(numbers(world.past)).toEqual([
      [2, 1],
      [1, 1],
    ]);
    addEntry(world.epoch.journal, 1);
    world.reset({});
    expect(numbers(world.past)).toEqual([
      [3, 1],
      [2, 1],
    ]);
    expect(world.past.map(showPast).flatMap((item) => Object.keys(item))).not.toContain("label");
    addEntry(world.epoch.journal, 2_999_999);
    world.reset({});
    expect(numbers(world.past)).toEqual([
      [4, 1],
      [3, 1],
      [2, 1],
    ]);
  });

  it("counts the body of a request that ends after the reset", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    const { journal } = world.epoch;
    const late = openEntry(journal);
    world.reset({});
    journal.close(late, succeeded, whole(8_000_000));
    addEntry(world.epoch.journal, 1);
    world.reset({});
    expect(numbers(world.past)).toEqual([[2, 1]]);
  });
});
