import { describe, expect, it } from "vitest";
import type { HostedWorld } from "../../../src/world/hosted-world.js";
import { testList } from "../../../src/world/journal/test-list.js";
import { addEntry, failed, openEntry, succeeded, whole, worldsInProcess } from "../in-process.js";

const unknownToken = {
  status: 404,
  failure: { code: "unknown_token", message: "It is unknown." },
} as const;

describe("the list of tests", () => {
  const causesOf = (...worlds: HostedWorld[]) =>
    testList(worlds).tests.flatMap(({ epoch, causes }) =>
      causes.map(({ cause, count, last }) => [epoch, cause, count, last]),
    );

  it("counts the requests of each cause, and names the last of them", async () => {
    const world = (await worldsInProcess()).enter("a");
    for (const response of [failed, unknownToken, succeeded, failed])
      addEntry(world.epoch.journal, 0, response);
    openEntry(world.epoch.journal);
    expect(causesOf(world)).toEqual([
      [1, "invalid_body", 2, 4],
      [1, "unknown_token", 1, 2],
    ]);
  });

  it("separates causes with equal codes, but not those that differ in numbers and values", async () => {
    const world = (await worldsInProcess()).enter("a");
    const refused = (message: string) =>
      ({ status: 401, failure: { code: "unauthorized", message } }) as const;
    for (const message of ["No header.", "Unknown token 12.", "Unknown token 13.", "No header."]) {
      addEntry(world.epoch.journal, 0, refused(message));
    }
    expect(causesOf(world)).toEqual([
      [1, "unauthorized", 2, 4],
      [1, "unauthorized", 2, 3],
    ]);
  });

  it("has the delivery as cause if no failure was sent", async () => {
    const world = (await worldsInProcess()).enter("a");
    const { journal } = world.epoch;
    journal.close(openEntry(journal), undefined, { delivery: "caller-left" });
    journal.close(openEntry(journal), succeeded, { ...whole(), delivery: "cut" });
    expect(causesOf(world)).toEqual([
      [1, "cut", 1, 2],
      [1, "caller-left", 1, 1],
    ]);
  });

  it("has a row for each epoch, and the last one of a stopped server once", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    addEntry(world.epoch.journal, 0, failed);
    world.reset({ label: "second" });
    addEntry(world.epoch.journal, 0, succeeded);
    worlds.stop();
    const { tests } = testList([world]);
    expect(
      tests.map(({ epoch, label, state, requests, failures }) => [epoch, label, state, requests, failures]),
    ).toEqual([
      [1, undefined, "past", 1, 1],
      [2, "second", "current", 1, 0],
    ]);
    expect(tests.filter((row) => "label" in row)).toHaveLength(1);
    expect(testList([world], { only: "failed" }).tests.map(({ epoch }) => epoch)).toEqual([1]);
  });

  it("marks the tests of a dropped world", async () => {
    const worlds = await worldsInProcess();
    addEntry(worlds.enter("gone").epoch.journal, 0, failed);
    worlds.drop("gone");
    const rows = testList(worlds.all()).tests.map(({ world, state }) => [world, state]);
    expect(rows).toEqual([
      ["gone", "dropped"],
      ["default", "current"],
    ]);
  });

  it("has failed tests first, then the newest", async () => {
    const worlds = await worldsInProcess();
    const early = worlds.enter("early");
    await expect.poll(() => Date.now()).toBeGreaterThan(early.epoch.startedAt);
    const late = worlds.enter("late");
    await expect.poll(() => Date.now()).toBeGreaterThan(late.epoch.startedAt);
    const passed = worlds.enter("passed");
    addEntry(early.epoch.journal, 0, failed);
    addEntry(late.epoch.journal, 0, failed);
    const names = (...list: HostedWorld[]) => testList(list).tests.map(({ world }) => world);
    expect(names(early, late, passed)).toEqual(["late", "early", "passed"]);
    expect(names(passed, late, early)).toEqual(["late", "early", "passed"]);
  });

  it("has a new cause once a request fails for another reason", async () => {
    const world = (await worldsInProcess()).enter("a");
    addEntry(world.epoch.journal, 0, failed);
    expect(causesOf(world)).toHaveLength(1);
    addEntry(world.epoch.journal, 0, unknownToken);
    expect(causesOf(world)).toHaveLength(2);
  });

  it("has world, epoch, time and cause", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    const { journal, startedAt } = world.epoch;
    journal.close(openEntry(journal), failed, whole());
    expect(testList([world])).toEqual({
      left_off: 0,
      tests: [
        {
          world: "a",
          epoch: 1,
          state: "current",
          startedAt: new Date(startedAt).toISOString(),
          requests: 1,
          failures: 1,
          causes: [
            {
              cause: "invalid_body",
              count: 1,
              last: 1,
              at: new Date(journal.get(1)?.at ?? 0).toISOString(),
              why: "The response was 400, and the request had no effect.",
            },
          ],
        },
      ],
    });
  });
});
