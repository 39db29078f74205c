import { describe, expect, it } from "vitest";
import type { ReportData } from "../../../src/contract/report-data.js";
import { joinRecords, type WorldRecord } from "../../../src/contract/report-records.js";
import { showAssumptions } from "../../../src/service/assumptions.js";
import type { HostedWorld } from "../../../src/world/hosted-world.js";
import { showPast } from "../../../src/world/journal/history.js";
import { recordedRequest } from "../../../src/world/journal/report.js";
import { showPage } from "../../../src/world/journal/show-entry.js";
import type { PlannedResponse } from "../../../src/world/planned-response.js";
import type { Worlds } from "../../../src/world/worlds.js";
import { addEntry, openEntry, succeeded, whole, worldsInProcess } from "../in-process.js";

/** A completed request with these bodies. */
function addRequest(world: HostedWorld, text: string | undefined, response: PlannedResponse = succeeded) {
  const { journal } = world.epoch;
  const entry = openEntry(journal, { headers: { authorization: "Token test-api-token", cookie: "c" } });
  entry.text = text;
  journal.close(entry, response, whole());
  return entry;
}

/** The data of a report of one world, or of all worlds. */
async function reportOf(worlds: Worlds, only?: HostedWorld): Promise<ReportData> {
  const { pieces } = worlds.report(only ?? worlds.findOrPreview("default"), only === undefined);
  return parsed(pieces);
}

async function parsed(pieces: AsyncIterable<string>): Promise<ReportData> {
  let json = "";
  for await (const piece of pieces) json += piece;
  return JSON.parse(json);
}

describe("a report", () => {
  it("has the version, the time and the name of the world", async () => {
    const worlds = await worldsInProcess();
    const before = Date.now();
    const { version, createdAt, worlds: reported } = await reportOf(worlds, worlds.enter("a"));
    expect([version, reported.map(({ name }) => name)]).toEqual(["1.2.3", ["a"]]);
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now());
  });

  it("can have all worlds, including dropped ones with requests", async () => {
    const worlds = await worldsInProcess();
    worlds.enter("silent");
    worlds.drop("silent");
    addEntry(worlds.enter("a").epoch.journal);
    worlds.drop("a");
    worlds.enter("b");
    const { worlds: reported } = await reportOf(worlds);
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

  it("has every request in the shape of the journal, before and after a reset", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    addRequest(world, '{"user_group_id":"old"}');
    const [old] = showPage(world.epoch, {}).requests;
    world.reset({ label: "second" });
    addRequest(world, '{"user_group_id":"new"}');
    const [reported] = (await reportOf(worlds, world)).worlds;
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

  it("has the last epoch of a stopped server once", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    addRequest(world, "{}");
    world.reset({});
    addRequest(world, "{}");
    worlds.stop();
    const [reported] = (await reportOf(worlds, world)).worlds;
    expect([reported?.n, reported?.journal.total, reported?.history.map(({ n }) => n)]).toEqual([2, 1, [1]]);
  });

  it("has the text of a body only if it differs from its JSON", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    addRequest(world, '{"a":1}');
    addRequest(world, undefined);
    addRequest(world, '{ "a": 1 }');
    addRequest(world, "no JSON");
    addRequest(world, '{"a":1}', { status: 200, rawText: '{"cut":' });
    addRequest(world, "null");
    const [reported] = (await reportOf(worlds, world)).worlds;
    const response = '{"success":1}';
    expect(reported?.journal.texts).toEqual({
      3: { request: '{ "a": 1 }', response },
      4: { request: "no JSON", response },
      5: { request: '{"a":1}', response: '{"cut":' },
      6: { request: "null", response },
    });
  });

  it("has the seed once, and at most 5,000 changed groups of a world", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    const seeded = world.epoch.groups.list();
    for (const provided_id of ["x", "y"]) world.addGroup({ provided_id, name: "n" });
    const [first] = seeded;
    if (first === undefined) return expect.fail("the seed is empty");
    world.epoch.groups.update(first, { name: "another" });
    const report = await reportOf(worlds);
    expect(report.seeds).toEqual([
      {
        teams: world.epoch.groups.seed.teams,
        groups: seeded,
        assumptions: showAssumptions(worlds.enter("b").epoch.assumptions).assumptions,
      },
    ]);
    const shown = report.worlds.map(({ name, seed, groups }) => [
      name,
      seed,
      groups.map((group) => [group.provided_id, group.name, group.seeded]),
    ]);
    const changed = [
      ["x", "n", false],
      ["y", "n", false],
      [first.provided_id, "another", true],
    ];
    expect(shown).toEqual([
      ["default", 0, []],
      ["a", 0, changed],
    ]);
    for (let n = 0; n < 5_000; n++) world.addGroup({ provided_id: `more-${n}`, name: "n" });
    expect((await reportOf(worlds, world)).worlds[0]?.groups).toHaveLength(5_000);
  });

  it("has all groups of a world with a loaded state", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    const teams = [{ team_id: 9, api_tokens: ["nine"] }];
    world.load({ teams, user_groups: [{ team_id: 9, provided_id: "x", name: "X" }] });
    expect((await reportOf(worlds, world)).worlds).toMatchObject([
      { teams, groups: [{ provided_id: "x", seeded: true }] },
    ]);
  });

  it("has the faults of a world, and the assumptions that differ", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    world.epoch.faults.arm({ status: 503 });
    world.assume({ "old-token": "accepted" });
    expect((await reportOf(worlds, world)).worlds).toMatchObject([
      { faults: [{ id: 1, status: 503 }], assumed: { "old-token": "accepted" } },
    ]);
    expect((await reportOf(worlds)).worlds[0]).not.toHaveProperty("teams");
  });

  it("has the journals of a dropped world, and what differs from the seed", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    addEntry(world.epoch.journal);
    world.addGroup({ provided_id: "x", name: "n" });
    world.assume({ "old-token": "accepted" });
    worlds.drop("a");
    expect((await reportOf(worlds)).worlds[1]).toMatchObject({
      name: "a",
      isDropped: true,
      history: [{ n: 1, requests: 1, journal: { requests: [{ id: 1 }] } }],
      groups: [{ provided_id: "x", seeded: false }],
      assumed: { "old-token": "accepted" },
      faults: [],
    });
  });

  it("has a bounded number of groups of a dropped world", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    addEntry(world.epoch.journal);
    for (let n = 0; n < 30; n++) world.addGroup({ provided_id: `${n}`, name: "n".repeat(10_000) });
    worlds.drop("a");
    expect((await reportOf(worlds)).worlds[1]?.groups).toHaveLength(9);
  });
});

describe("a report above its maximum size", () => {
  const recordOf = (name: string, isDropped: boolean, failures: number, size = 10): WorldRecord => {
    return { name, isDropped, failures, size, requests: 2, json: () => ['{"n":', "1}"] };
  };

  it("has existing worlds first, then those with failures, then the newest, and counts the rest", async () => {
    const worlds = [
      recordOf("oldest", true, 0),
      recordOf("failed", true, 1),
      recordOf("huge", true, 0, 100),
      recordOf("newest", true, 0),
      recordOf("exists", false, 0),
    ];
    const mocks = [{ seed: '{"teams":[]}', worlds, forgotten: 0 }];
    const { pieces, leftOut } = joinRecords(mocks, "1.2.3", ["Something else is missing."], 45);
    const data = await parsed(pieces);
    expect(data.worlds).toEqual(["failed", "newest", "exists"].map((name) => ({ name, seed: 0, n: 1 })));
    expect(leftOut).toEqual([
      "Something else is missing.",
      "The report is limited to about 0.000045 MB. It does not include 2 of 5 worlds, with 4 requests.",
    ]);
    expect(data.leftOut).toEqual(leftOut);
  });

  it("counts the journals that the history has dropped", async () => {
    const worlds = await worldsInProcess({ journalSize: 2 });
    const world = worlds.enter("a");
    for (let n = 0; n < 5; n++) {
      addEntry(world.epoch.journal);
      world.reset();
    }
    expect((await reportOf(worlds)).leftOut).toEqual([
      "The history is limited. The oldest 3 journals cannot be included.",
    ]);
  });
});

describe("recordedRequest", () => {
  it("has world, epoch and both bodies", async () => {
    const worlds = await worldsInProcess();
    const world = worlds.enter("a");
    const first = addRequest(world, '{ "a": 1 }');
    expect(recordedRequest("a", first, world.epoch)).toEqual({
      world: "a",
      n: 1,
      entry: world.show(world.entry(1)),
      bodies: { request: '{ "a": 1 }', response: '{"success":1}' },
    });
    expect(Object.keys(recordedRequest("a", first, world.epoch))).not.toContain("label");
    world.reset({ label: "second" });
    expect(recordedRequest("a", addRequest(world, "{}"), world.epoch)).toMatchObject({
      world: "a",
      n: 2,
      label: "second",
    });
  });
});
