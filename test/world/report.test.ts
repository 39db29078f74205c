import { describe, expect, it } from "vitest";
import { showAssumptions } from "../../src/service/assumptions.js";
import type { Answer } from "../../src/world/answer.js";
import type { HostedWorld } from "../../src/world/hosted-world.js";
import { showPast } from "../../src/world/journal/history.js";
import { showPage } from "../../src/world/journal/show-entry.js";
import { addEntry, openEntry, succeeded, whole, worldsInProcess } from "./in-process.js";

/** A call with these bodies. */
function addCall(world: HostedWorld, text: string | undefined, answer: Answer = succeeded) {
  const { journal } = world.epoch;
  const entry = openEntry(journal, { headers: { authorization: "Token test-api-token", cookie: "c" } });
  entry.text = text;
  journal.close(entry, answer, whole());
  return entry;
}

describe("a report", () => {
  it("names the version, the time and the world that it is of", async () => {
    const worlds = await worldsInProcess();
    const before = Date.now();
    const { version, createdAt, worlds: reported } = worlds.report(worlds.enter("a"), false);
    expect([version, reported.map(({ name }) => name)]).toEqual(["1.2.3", ["a"]]);
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now());
  });

  it("can be of all worlds, also of those that were dropped after a call", async () => {
    const worlds = await worldsInProcess();
    worlds.enter("silent");
    worlds.drop("silent");
    addEntry(worlds.enter("a").epoch.journal);
    worlds.drop("a");
    worlds.enter("b");
    const { worlds: reported } = worlds.report(worlds.findOrPreview("default"), true);
    const seen = reported.map(({ name, n, isDropped, journal, history }) => [
      name,
      n,
      isDropped,
      journal.total,
      history.map((past) => past.journal.total),
    ]);
    expect(seen).toEqual([
      ["default", 1, false, 0, []],
      ["b", 1, false, 0, []],
      ["a", 2, true, 0, [1]],
    ]);
  });

  it("has every call in the shape of the journal, before and after a reset", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    addCall(world, '{"user_group_id":"old"}');
    const [old] = showPage(world.epoch, {}).requests;
    world.reset({ label: "second" });
    addCall(world, '{"user_group_id":"new"}');
    const [reported] = worlds.report(world, false).worlds;
    expect(reported?.journal).toEqual({ ...showPage(world.epoch, {}), texts: {} });
    expect(reported?.journal.requests[0]?.request.headers).toEqual({
      authorization: "Token test-api-token",
      cookie: "********",
    });
    expect(reported?.history).toEqual([
      {
        ...world.past.map(showPast)[0],
        journal: { requests: [old], total: 1, dropped: 0, epoch: 1, texts: {} },
      },
    ]);
  });

  it("tells the last epoch of a stopped server once", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    addCall(world, "{}");
    world.reset({});
    addCall(world, "{}");
    worlds.end();
    const [reported] = worlds.report(world, false).worlds;
    expect([reported?.n, reported?.journal.total, reported?.history.map(({ n }) => n)]).toEqual([2, 1, [1]]);
  });

  it("has the text of a body only where its JSON would not give it again", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    addCall(world, '{"a":1}');
    addCall(world, undefined);
    addCall(world, '{ "a": 1 }');
    addCall(world, "no JSON");
    addCall(world, '{"a":1}', { status: 200, rawText: '{"cut":' });
    addCall(world, "null");
    const [reported] = worlds.report(world, false).worlds;
    const response = '{"success":1}';
    expect(reported?.journal.texts).toEqual({
      3: { request: '{ "a": 1 }', response },
      4: { request: "no JSON", response },
      5: { request: '{"a":1}', response: '{"cut":' },
      6: { request: "null", response },
    });
  });

  it("shows the groups that a test made before those of the fixtures, and 5,000 at most", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    const seeded = world.epoch.groups.size;
    for (const provided_id of ["x", "y"]) world.addGroup({ provided_id, name: "n" });
    const groupsIn = () => worlds.report(world, false).worlds[0]?.groups ?? [];
    expect(groupsIn().map((group) => group.seeded)).toEqual([
      false,
      false,
      ...Array.from({ length: seeded }, () => true),
    ]);
    for (let n = 0; n < 5_000; n++) world.addGroup({ provided_id: `more-${n}`, name: "n" });
    expect([groupsIn().length, groupsIn().every((group) => !group.seeded)]).toEqual([5_000, true]);
  });

  it("has the teams, faults and assumptions of the world", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    world.epoch.faults.arm({ status: 503 });
    world.assume({ "old-token": "accepted" });
    expect(worlds.report(world, false).worlds).toMatchObject([
      {
        teams: world.epoch.groups.export().teams,
        faults: [{ id: 1, status: 503 }],
        assumptions: showAssumptions(world.epoch.assumptions).assumptions,
      },
    ]);
  });
});

describe("a call as it is recorded for a report", () => {
  it("has its world, its epoch and both bodies", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    const first = addCall(world, '{ "a": 1 }');
    expect(worlds.recorded("a", first)).toEqual({
      world: "a",
      n: 1,
      entry: world.show(world.entry(1)),
      bodies: { request: '{ "a": 1 }', response: '{"success":1}' },
    });
    expect(Object.keys(worlds.recorded("a", first))).not.toContain("label");
    world.reset({ label: "second" });
    expect(worlds.recorded("a", addCall(world, "{}"))).toMatchObject({ world: "a", n: 2, label: "second" });
  });
});
