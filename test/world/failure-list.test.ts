import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { HostedWorld } from "../../src/world/hosted-world.js";
import { failureList } from "../../src/world/journal/failure-list.js";
import { addEntry, failed, openEntry, succeeded, whole, worldsInProcess } from "./in-process.js";

const unknownToken = {
  status: 404,
  failure: { code: "unknown_token", message: "It is unknown." },
} as const;

/** How often others had their turn before it was done. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work.then(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns++) await setImmediate();
  await done;
  return turns;
}

describe("the list of failures", () => {
  const rowsOf = async (...worlds: HostedWorld[]) =>
    (await failureList(worlds)).failures.map(({ epoch, cause, count, last }) => [epoch, cause, count, last]);

  it("counts the calls of each cause, and names the last of them", async () => {
    const world = (await worldsInProcess()).enter("a");
    for (const answer of [failed, unknownToken, succeeded, failed]) addEntry(world.epoch.journal, 0, answer);
    openEntry(world.epoch.journal);
    expect(await rowsOf(world)).toEqual([
      [1, "invalid_body", 2, 4],
      [1, "unknown_token", 1, 2],
    ]);
  });

  it("names what became of the answer where no failure was answered", async () => {
    const world = (await worldsInProcess()).enter("a");
    const { journal } = world.epoch;
    journal.close(openEntry(journal), undefined, { delivery: "caller-left" });
    journal.close(openEntry(journal), succeeded, { ...whole(), delivery: "cut" });
    expect(await rowsOf(world)).toEqual([
      [1, "cut", 1, 2],
      [1, "caller-left", 1, 1],
    ]);
  });

  it("has the last epoch of a stopped server once", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    addEntry(world.epoch.journal, 0, failed);
    world.reset({ label: "second" });
    addEntry(world.epoch.journal, 0, failed);
    worlds.end();
    const { failures } = await failureList([world]);
    expect(failures.map(({ epoch, label }) => [epoch, label]).sort()).toEqual([
      [1, undefined],
      [2, "second"],
    ]);
    expect(failures.filter((row) => "label" in row)).toHaveLength(1);
  });

  it("puts the newest first: by time, and within a millisecond by number", async () => {
    const worlds = await worldsInProcess();
    const [early, late] = [worlds.enter("early"), worlds.enter("late")];
    const { journal } = early.epoch;
    for (let n = 0; n < 3; n++) addEntry(journal, 0, failed);
    await expect.poll(() => Date.now()).toBeGreaterThan(journal.get(3)?.at ?? 0);
    addEntry(late.epoch.journal, 0, failed);
    const { failures } = await failureList([early, late]);
    expect(failures.map(({ world }) => world)).toEqual(["late", "early"]);
    expect((await failureList([late, early])).failures).toEqual(failures);
  });

  it("has 1,000 rows at most, and says how many it leaves off", async () => {
    const worlds = await worldsInProcess({ maxWorlds: 2_000 });
    const many = Array.from({ length: 1_003 }, (_, n) => worlds.enter(`w${n}`));
    for (const { epoch } of many) addEntry(epoch.journal, 0, failed);
    const { failures, left_off } = await failureList(many);
    expect([failures.length, left_off]).toEqual([1_000, 3]);
    expect((await failureList(many.slice(0, 1_000))).left_off).toBe(0);
  });

  it("lets others have their turn after 5,000 calls, and after 20 rows", async () => {
    const worlds = await worldsInProcess({ journalSize: 20_000 });
    const long = worlds.enter("long");
    addEntry(long.epoch.journal, 0, failed);
    for (let n = 1; n < 15_000; n++) addEntry(long.epoch.journal);
    const many = Array.from({ length: 60 }, (_, n) => worlds.enter(`w${n}`));
    for (const { epoch } of many) addEntry(epoch.journal, 0, failed);
    // One turn before the first row of each list; one more may go by before the end is noticed.
    const [byCalls, byRows] = [await turnsOf(failureList([long])), await turnsOf(failureList(many))];
    expect([3 + 1, 3 + 2]).toContain(byCalls);
    expect([3, 4]).toContain(byRows);
  });

  it("does not go through the calls of a journal in which none failed", async () => {
    const worlds = await worldsInProcess({ journalSize: 20_000 });
    const world = worlds.enter("a");
    for (let n = 0; n < 15_000; n++) addEntry(world.epoch.journal);
    expect(await turnsOf(failureList([world]))).toBeLessThanOrEqual(1);
  });

  it("tells where, when and why", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    const { journal } = world.epoch;
    journal.close(openEntry(journal), failed, whole());
    const { failures, left_off } = await failureList([world]);
    expect(failures).toEqual([
      {
        world: "a",
        epoch: 1,
        cause: "invalid_body",
        count: 1,
        last: 1,
        at: new Date(journal.get(1)?.at ?? 0).toISOString(),
        why: "The answer was 400, and nothing happened in the world.",
      },
    ]);
    expect(left_off).toBe(0);
  });
});
