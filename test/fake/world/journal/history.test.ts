import { describe, expect, it } from "vitest";
import { startMock } from "../../../../src/client/start-mock.js";
import { call, create, rotate } from "../../../call.js";
import { ownWorld } from "../own-world.js";

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("the history", () => {
  const own = ownWorld();
  const past = async (n: number, query = "") =>
    (await call("GET", `${own.world.url}/__admin/requests?epoch=${n}${query}`)).body;

  it("has the journals before earlier resets, newest first, with their labels", async () => {
    const { world } = own;
    expect(await world.history()).toEqual([]);
    await create(world.url, "a");
    await world.reset({ label: "rotates a stale token" });
    await create(world.url, "b");
    await rotate(world.url, "stale");
    await world.reset({ label: "does nothing" });
    // The second one ends an epoch with neither requests nor a label.
    for (let n = 0; n < 2; n++) await world.reset();
    expect(await world.history()).toStrictEqual([
      { n: 3, label: "does nothing", startedAt: time, endedAt: time, requests: 0, failures: 0 },
      { n: 2, label: "rotates a stale token", startedAt: time, endedAt: time, requests: 2, failures: 1 },
      { n: 1, startedAt: time, endedAt: time, requests: 1, failures: 0 },
    ]);
    expect([(await past(2)).label, "label" in (await past(1))]).toEqual(["rotates a stale token", false]);
  });

  it("shows the journal of an earlier test in the shape and with the filters of requests", async () => {
    const { world } = own;
    await create(world.url, "a");
    await rotate(world.url, "stale");
    const requests = await world.requests();
    await world.reset();
    await create(world.url, "later");
    expect(await past(1)).toEqual({ requests, total: 2, dropped: 0, epoch: 1 });
    expect((await past(1, "&outcome=failure")).requests).toEqual(requests.slice(1));
    expect((await past(1, "&user_group_id=a&limit=1")).total).toBe(1);
    expect(await past(2)).toMatchObject({ requests: [{ group: { provided_id: "later" } }], epoch: 2 });
  });

  it("keeps the journals of a dropped world with their labels, and never reuses a number", async () => {
    const { world } = own;
    await world.reset({ label: "is dropped" });
    await create(world.url, "a");
    await world.drop();
    expect(await world.history()).toMatchObject([{ n: 2, label: "is dropped", requests: 1 }]);
    await create(world.url, "b");
    await world.reset();
    expect((await world.history()).map(({ n, label }) => [n, label])).toEqual([
      [3, undefined],
      [2, "is dropped"],
    ]);
    expect([(await past(2)).label, (await past(3)).label]).toEqual(["is dropped", undefined]);
    expect((await past(3)).requests).toMatchObject([{ request: { body: { user_group_id: "b" } } }]);
  });

  it("rejects the number of an unknown epoch", async () => {
    const { status, body } = await call("GET", `${own.world.url}/__admin/requests?epoch=7`);
    const message = "Epoch 7 is not in the history. The current epoch is 1.";
    expect([status, body.error]).toEqual([404, { code: "unknown_epoch", message }]);
  });
});

describe("the bounds of the history", () => {
  const reportOf = async (url: string) => (await fetch(`${url}/__admin/report.html?worlds=all`)).text();

  it("are those of a journal: the newest epochs stay, and a report counts the others", async () => {
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
    const leftOut = "The history is limited. The oldest 2 journals cannot be included.";
    expect(await reportOf(mock.url)).toContain(leftOut);
  });

  it("count epochs too, and keep as many requests as a journal", async () => {
    await using mock = await startMock({ journalSize: 2 });
    for (const label of ["a", "b", "c", "d"]) await mock.reset({ label });
    expect((await mock.history()).map(({ label }) => label)).toEqual(["c", "b"]);
    expect(await reportOf(mock.url)).not.toContain("The history is limited.");
    for (const id of ["1", "2"]) await create(mock.url, id);
    await mock.reset();
    expect((await mock.history()).map(({ label, requests }) => [label, requests])).toEqual([
      ["d", 2],
      ["c", 0],
    ]);
  });
});
