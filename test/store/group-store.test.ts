import { beforeEach, describe, expect, it } from "vitest";
import { readFixtures } from "../../src/contract/fixtures.js";
import { loadSchemas } from "../../src/contract/schemas.js";
import { defaultAssumptions, withAssumptions } from "../../src/service/assumptions.js";
import { Decisions } from "../../src/service/decisions.js";
import type { Failure } from "../../src/service/failures.js";
import { getOrCreate } from "../../src/service/get-or-create.js";
import type { Caller } from "../../src/service/operation.js";
import { rotate } from "../../src/service/rotate.js";
import { GroupStore } from "../../src/store/group-store.js";
import type { Seed } from "../../src/store/seed.js";
import { buildSeed } from "../../src/world/build-seed.js";
import { seededToken } from "../seeded.js";

let seed: Seed;
let groups: GroupStore;
beforeEach(async () => {
  seed = buildSeed(readFixtures([], await loadSchemas()), "fixed");
  groups = new GroupStore("default", seed);
});

const noRoom: Failure = { code: "payload_too_large", message: "There is no room." };

/** A caller of team 3 whose body has 1,000 bytes, and who gets the room that `keep` gives. */
function caller(keep: Caller["keep"]): Caller {
  const values = withAssumptions(defaultAssumptions, { "existing-group": "updated" });
  return {
    teamId: 3,
    request: 1,
    decisions: new Decisions(values, new Set()),
    note: () => {},
    size: 1_000,
    keep,
  };
}

const operations: readonly [what: string, act: (caller: Caller) => object][] = [
  ["creates a group", (caller) => getOrCreate(groups, { user_group_id: "new", name: "New" }, caller)],
  ["changes a group", (caller) => getOrCreate(groups, { user_group_id: "example_1", name: "New" }, caller)],
  ["rotates a token", (caller) => rotate(groups, { current_token: seededToken }, caller)],
];

describe("the room that a call needs", () => {
  it.each(operations)("is asked for before it %s; without it nothing happens", (_, act) => {
    const before = groups.list();
    expect(act(caller(() => noRoom))).toBe(noRoom);
    expect(groups.list()).toEqual(before);
    expect(act(caller(() => undefined))).toMatchObject({ body: { success: 1 } });
    expect(groups.list()).not.toEqual(before);
  });

  it("is that of the body and more for a new group", () => {
    const asked: number[] = [];
    const ask = caller((bytes) => void asked.push(bytes));
    getOrCreate(groups, { user_group_id: "new", name: "New" }, ask);
    expect(asked).toEqual([expect.any(Number)]);
    expect(asked[0]).toBeGreaterThan(ask.size);
  });
});

describe("the version of the groups", () => {
  it("is another one whenever they are replaced, in whatever way", () => {
    const copy = groups.copy();
    const versions = [groups.version];
    groups.replaceSeed(seed);
    versions.push(groups.version);
    groups.copyFrom(copy);
    versions.push(groups.version);
    groups.replaceSeed(seed);
    versions.push(groups.version);
    expect(new Set(versions).size).toBe(versions.length);
  });
});
