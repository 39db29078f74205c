import { describe, expect, it } from "vitest";
import type { HostedWorld } from "../../src/world/hosted-world.js";
import { failureList } from "../../src/world/journal/failure-list.js";
import { addEntry, failed, openEntry, succeeded, whole, worldsInProcess } from "./in-process.js";

const unknownToken = {
  status: 404,
  failure: { code: "unknown_token", message: "It is unknown." },
} as const;

describe("the list of failures", () => {
  const rowsOf = async (...worlds: HostedWorld[]) =>
    failureList(worlds).failures.map(({ epoch, cause, count, last }) => [epoch, cause, count, last]);

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
    const { failures } = failureList([world]);
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
    const { failures } = failureList([early, late]);
    expect(failures.map(({ world }) => world)).toEqual(["late", "early"]);
    expect(failureList([late, early]).failures).toEqual(failures);
  });

  it("has 1,000 rows at most, and says how many it leaves off", async () => {
    const worlds = await worldsInProcess({ maxWorlds: 2_000 });
    const many = Array.from({ length: 1_003 }, (_, n) => worlds.enter(`w${n}`));
    for (const { epoch } of many) addEntry(epoch.journal, 0, failed);
    const { failures, left_off } = failureList(many);
    expect([failures.length, left_off]).toEqual([1_000, 3]);
    expect(failureList(many.slice(0, 1_000)).left_off).toBe(0);
  });

  it("tells where, when and why", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    const { journal } = world.epoch;
    journal.close(openEntry(journal), failed, whole());
    const { failures, left_off } = failureList([world]);
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
