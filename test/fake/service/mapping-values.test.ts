import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startMock } from "../../../src/client/start-mock.js";
import { defaultAssumed, withAssumptions } from "../../../src/fake/contract/assumptions.js";
import { loadSchemas } from "../../../src/fake/contract/schemas.js";
import { mappingProblems } from "../../../src/fake/service/seed.js";
import type { Fixture } from "../../../src/generated/types.js";
import { create } from "../../call.js";
import { ownWorld } from "../world/own-world.js";
import { rejectionOf } from "../world/rejection.js";

const group = { team_id: 3, provided_id: "a", name: "A" };
const mapping = { "40": 213, "a/b": null, "41": "213" };
const fixture: Fixture = {
  teams: [{ team_id: 3, api_tokens: ["test-api-token"] }],
  user_groups: [group, { ...group, provided_id: "b", mapping }],
};
const message = "must be string, unless you assume mapping-values=accepted";

describe("mapping values that are not text", () => {
  const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-mapping-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "groups.json");
  writeFileSync(file, JSON.stringify(fixture));
  const own = ownWorld();

  it("are rejected in fixtures, in a loaded state and in an added group, with their place", async () => {
    const places = ["/mapping/40", "/mapping/a~1b"];
    const started = await rejectionOf(startMock({ fixtures: file }));
    expect(started.details).toEqual(places.map((path) => ({ file, path: `/user_groups/1${path}`, message })));
    const before = await own.world.state();
    const loaded = await rejectionOf(own.world.load(fixture));
    expect(loaded.details.map(({ path }) => path)).toEqual(places.map((path) => `/user_groups/1${path}`));
    const added = await rejectionOf(own.world.addGroup({ provided_id: "a", name: "A", mapping }));
    expect(added.details).toEqual(places.map((path) => ({ path, message })));
    expect([started.code, loaded.code, added.code]).toEqual([
      "invalid_fixture",
      "invalid_fixture",
      "invalid_group",
    ]);
    expect(await own.world.state()).toEqual(before);
  });

  it("are accepted in a fixture of many groups too", async () => {
    const user_groups = Array.from({ length: 12 }, (_, n) => ({ ...group, provided_id: `g${n}`, mapping }));
    const fixtures = { ...fixture, user_groups };
    await using mock = await startMock({ fixtures, assume: { "mapping-values": "accepted" } });
    expect((await mock.state()).user_groups.map((one) => one.mapping)).toEqual(Array(12).fill(mapping));
  });

  it("are loaded, added and exported with mapping-values=accepted", async () => {
    await using mock = await startMock({ fixtures: file, assume: { "mapping-values": "accepted" } });
    await mock.addGroup({ provided_id: "c", name: "C", mapping });
    await create(mock.url, "d", { mapping });
    const exported = await mock.state();
    expect(exported.user_groups.slice(1).map((one) => one.mapping)).toEqual([mapping, mapping, mapping]);
    await mock.load(exported);
    expect(await mock.state()).toEqual(exported);
  });
});

describe("mapping values of a group, with a profile that has rules for them", () => {
  const mapping = { additionalProperties: { type: ["string" as const, "number" as const] } };
  const problemsOf = async (
    value: number | boolean,
    assumed: "accepted" | "rejected",
    source: "default" | "profile" | "set" | "pinned",
  ) => {
    const schemas = await loadSchemas({ "get-or-create": { properties: { mapping } } });
    const values = withAssumptions(defaultAssumed, { "mapping-values": assumed }, source);
    return mappingProblems({ "40": value }, values, schemas);
  };

  it.each(["default", "profile"] as const)("obey the rules, and not an assumption: %s", async (source) => {
    expect(await problemsOf(5, "rejected", source)).toEqual([]);
    expect(await problemsOf(true, "accepted", source)).toEqual([
      { path: "/mapping/40", message: "must be string" },
    ]);
  });

  it.each(["set", "pinned"] as const)("obey an assumption made on purpose: %s", async (source) => {
    expect(await problemsOf(5, "rejected", source)).toEqual([{ path: "/mapping/40", message }]);
    expect(await problemsOf(true, "accepted", source)).toEqual([]);
  });
});
