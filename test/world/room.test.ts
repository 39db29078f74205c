import { beforeEach, describe, expect, it } from "vitest";
import { checkFixture, readFixtures } from "../../src/contract/fixtures.js";
import { loadSchemas, type Schemas } from "../../src/contract/schemas.js";
import { MockError } from "../../src/foundation/mock-error.js";
import { defaultAssumptions } from "../../src/service/assumptions.js";
import { Budget } from "../../src/world/budget.js";
import { buildSeed, sizeOfGroup, sizeOfGroups } from "../../src/world/build-seed.js";
import { Faults } from "../../src/world/faults/faults.js";
import { HostedWorld, type WorldParts } from "../../src/world/hosted-world.js";
import { History } from "../../src/world/journal/history.js";
import { Journal } from "../../src/world/journal/journal.js";
import { Waits } from "../../src/world/waits.js";
import { addEntry } from "./in-process.js";
import { refusalOf } from "./refusal.js";

const all = 500_000_000;

let schemas: Schemas;
let budget: Budget;
beforeEach(async () => {
  schemas = await loadSchemas();
  budget = new Budget();
});

/** Asserts that exactly so many bytes are taken. */
function expectTaken(bytes: number): void {
  expect(budget.take(all - bytes), `more than ${bytes} bytes are taken`).toBe(true);
  const isMore = budget.take(1);
  budget.give(all - bytes + Number(isMore));
  expect(isMore, `less than ${bytes} bytes are taken`).toBe(false);
}

function refusedWith(act: () => unknown): [code: string, message: string] {
  try {
    act();
  } catch (error) {
    if (error instanceof MockError) return [error.code, error.message];
    throw error;
  }
  return ["nothing", "was refused"];
}

const full = expect.stringMatching(/^All worlds together keep 500 MB already\. Reset or drop some/);

describe("the room of a server", () => {
  it("is 500 MB; what does not fit takes nothing, and what is given back can be taken again", () => {
    expect(budget.take(all)).toBe(true);
    expect([budget.take(1), budget.take(0)]).toEqual([false, true]);
    budget.give(10);
    expect([budget.take(11), budget.take(10), budget.take(1)]).toEqual([false, true, false]);
  });
});

describe("the room of faults", () => {
  const rule = { status: 503 };
  const size = JSON.stringify(rule).length;
  const newFaults = () => new Faults("fixed", budget, () => {});

  it("is four bytes for every character of their rules, until they are removed or their world ends", () => {
    const faults = newFaults();
    faults.arm(rule, schemas);
    faults.arm({ ...rule, text: "x" }, schemas);
    const both = 4 * (size + JSON.stringify({ ...rule, text: "x" }).length);
    expectTaken(both);
    faults.remove(1);
    expectTaken(both - 4 * size);
    faults.clear();
    expectTaken(0);
    faults.arm(rule, schemas);
    faults.abort("the world was reset");
    expectTaken(0);
  });

  it("is that of the restored ones after a restore", () => {
    const faults = newFaults();
    faults.arm(rule, schemas);
    const captured = faults.capture();
    faults.arm({ ...rule, text: "long".repeat(100) }, schemas);
    faults.restore(captured);
    expectTaken(4 * size);
    faults.clear();
    faults.restore(captured);
    expectTaken(4 * size);
  });

  it("is refused where there is none, and then nothing is armed", () => {
    const faults = newFaults();
    budget.take(all - 4 * size);
    faults.arm(rule, schemas);
    expect(refusedWith(() => faults.arm(rule, schemas))).toEqual(["too_many_bytes", full]);
    expect(faults.list().map(({ id }) => id)).toEqual([1]);
    faults.clear();
    expect(faults.arm(rule, schemas).id).toBe(2);
  });

  it("is 10,000,000 characters for one world", () => {
    const faults = newFaults();
    const textFor = (characters: number) => {
      const text = "x".repeat(characters - JSON.stringify({ ...rule, text: "" }).length);
      return { ...rule, text };
    };
    faults.arm(textFor(4_000_000), schemas);
    expect(refusedWith(() => faults.arm(textFor(6_000_001), schemas))).toEqual([
      "too_many_faults",
      "The faults of this world would hold more than 10000000 characters. Clear some, or answer with less.",
    ]);
    faults.arm(textFor(6_000_000), schemas);
    expect(faults.list()).toHaveLength(2);
  });
});

describe("the room of waits", () => {
  const request = { match: { name: "x".repeat(100) }, timeoutMs: 600_000 };
  const size = 8 * JSON.stringify(request).length;
  let journal: Journal;
  let waits: Waits;
  beforeEach(() => {
    journal = new Journal(5, budget, (entry) => waits.look(entry));
    waits = new Waits(journal, budget);
  });

  it("is eight bytes for every character of what they wait for, until the call comes", async () => {
    const waiting = [waits.wait({ ...request, match: {} }), waits.wait(request)];
    const taken = 8 * (JSON.stringify({ ...request, match: {} }).length + JSON.stringify(request).length);
    expectTaken(taken);
    const came = addEntry(journal);
    expect(await waiting[0]).toEqual([came]);
    expectTaken(size);
    waits.abort("the world was reset");
    expect((await refusalOf(waiting[1] ?? expect.fail())).code).toBe("let_go");
    expectTaken(0);
  });

  it("is given back when time is up or the caller has gone, and only once", async () => {
    const timed = refusalOf(waits.wait({ ...request, timeoutMs: 1 }));
    const caller = new AbortController();
    const left = refusalOf(waits.wait(request, caller.signal));
    caller.abort();
    expect([(await timed).code, (await left).code]).toEqual(["timeout", "let_go"]);
    waits.abort("the world was reset");
    expectTaken(0);
  });

  it("is refused where there is none", async () => {
    budget.take(all - size);
    const first = refusalOf(waits.wait(request));
    const { code, message } = await refusalOf(waits.wait(request));
    expect([code, message]).toEqual(["too_many_waits", full]);
    waits.abort("the world was reset");
    expect((await first).code).toBe("let_go");
    expectTaken(all - size);
  });
});

describe("the room of a world", () => {
  const group = { provided_id: "a", name: "bc", token: "def", mapping: { "1": "2" }, properties: { x: [1] } };
  const groupSize = 400 + 2 * 6 + 4 * ('{"1":"2"}'.length + '{"x":[1]}'.length);
  const plainSize = 400 + 2 * 2 + 4 * 4;
  const fixture = (...user_groups: object[]) => ({
    teams: [{ team_id: 3, api_tokens: ["test-api-token"] }],
    user_groups: user_groups.map((one) => ({ team_id: 3, ...one })),
  });
  let parts: WorldParts;
  let world: HostedWorld;
  beforeEach(() => {
    parts = {
      seed: buildSeed(readFixtures([], schemas), "fixed"),
      schemas,
      assumptions: defaultAssumptions,
      pinned: new Set(),
      journalSize: 5,
      version: "1.2.3",
      budget,
      history: new History(5),
    };
    world = new HostedWorld("a", parts);
  });
  /** Leaves so many bytes. */
  const leave = (bytes: number) => budget.take(all - bytes);

  it("is for a group its texts and more: the larger they are, the more", () => {
    expect(sizeOfGroup(group)).toBe(groupSize);
    expect(sizeOfGroup({ provided_id: "a", name: "b" })).toBe(plainSize);
    const loaded = checkFixture(fixture(group, { provided_id: "b", name: "b" }), schemas);
    expect(sizeOfGroups(loaded)).toBe(groupSize + plainSize);
  });

  it("is taken by groups that are added, and given back by a reset", () => {
    leave(groupSize);
    world.addGroup(group);
    expect(refusedWith(() => world.addGroup({ provided_id: "b", name: "b" }))).toEqual([
      "too_many_bytes",
      full,
    ]);
    expect(world.groups().groups.some(({ provided_id }) => provided_id === "b")).toBe(false);
    world.reset({});
    expectTaken(all - groupSize);
  });

  it("is that of the last state that was loaded", async () => {
    await world.load(fixture(group, { provided_id: "b", name: "b" }));
    expectTaken(groupSize + plainSize);
    await world.load(fixture(group));
    expectTaken(groupSize);
    world.end("the world was dropped");
    expectTaken(0);
  });

  it("is refused to a state that does not fit, and the world stays as it was", async () => {
    leave(groupSize + 10);
    await world.load(fixture(group));
    const { code, message } = await refusalOf(world.load(fixture({ provided_id: "b", name: "b" })));
    expect([code, message]).toEqual(["too_many_bytes", full]);
    expect(world.groups().groups.map(({ provided_id }) => provided_id)).toEqual(["a"]);
    expectTaken(all - 10);
  });

  it("is taken by a snapshot: 1,000 bytes, the groups and the faults", () => {
    world.addGroup(group);
    world.armFault({ status: 503 });
    world.armFault({ status: 504 });
    const rule = '{"status":503}'.length;
    const inUse = groupSize + 2 * 4 * rule;
    const weight = 1_000 + groupSize + 2 * rule;
    world.snapshot();
    expectTaken(inUse + weight);
    world.snapshot();
    expectTaken(inUse + 2 * weight);
    world.forget(1);
    expectTaken(inUse + weight);
    world.reset({});
    expectTaken(weight);
    world.restore(2);
    expectTaken(inUse + weight);
    world.end("the world was dropped");
    expectTaken(0);
  });

  it("is refused to a snapshot where there is none, and to more than 1,000 of them", () => {
    leave(1_000 * 1_000 + 999);
    for (let n = 0; n < 1_000; n++) world.snapshot();
    expect(refusedWith(() => world.snapshot())).toEqual([
      "too_many_snapshots",
      "This world keeps 1000 snapshots. Forget some of them.",
    ]);
    world.forget(1_000);
    expect(world.snapshot()).toEqual({ id: 1_001 });
    world.forget(1);
    budget.take(1_000);
    expect(refusedWith(() => world.snapshot())).toEqual(["too_many_snapshots", full]);
  });

  it("is refused to a restore, which then changes nothing", () => {
    world.addGroup(group);
    const { id } = world.snapshot();
    world.reset({});
    leave(1_000 + groupSize + groupSize - 1);
    world.addGroup({ provided_id: "b", name: "b" });
    expect(refusedWith(() => world.restore(id))).toEqual(["too_many_bytes", full]);
    expect(world.groups().groups.map(({ provided_id }) => provided_id)).toContain("b");
  });

  it("is not asked for by calls that end after their world: what they make is gone with it", () => {
    const { epoch } = world;
    expect(epoch.keep(100)).toBe(true);
    world.reset({});
    leave(0);
    expect([epoch.keep(100), epoch.kept, world.epoch.keep(1)]).toEqual([true, 0, false]);
    expectTaken(all);
  });
});
