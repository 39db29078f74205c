import { beforeEach, describe, expect, it } from "vitest";
import { readFixtures } from "../../src/contract/fixtures.js";
import { loadSchemas } from "../../src/contract/schemas.js";
import { GroupStore } from "../../src/store/group-store.js";
import type { Seed } from "../../src/store/seed.js";
import { buildSeed } from "../../src/world/build-seed.js";

let seed: Seed;
let groups: GroupStore;
beforeEach(async () => {
  seed = buildSeed(readFixtures([], await loadSchemas()), "fixed");
  groups = new GroupStore("default", seed);
});

describe("GroupStore.version", () => {
  it("changes with replaceSeed and with copyFrom", () => {
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
