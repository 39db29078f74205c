import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startMock } from "../../../src/client/start-mock.js";
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

describe("mapping values and names of a group, with a profile that has some of them", () => {
  const situations = { "mapping value: number": "accepted", "name: number": "as sent" } as const;
  const own = ownWorld({ profile: { situations } });
  // TypeScript would reject such a name.
  const added = (name: unknown, value: unknown) =>
    own.world.addGroup({ provided_id: "a", name: name as string, mapping: { "40": value } });

  it("are accepted as the profile has them, and not as the assumption would", async () => {
    expect(await added(7, 5)).toMatchObject({ name: 7, mapping: { "40": 5 } });
    const { details } = await rejectionOf(added(true, null));
    expect(details.map(({ path }) => path)).toEqual(["/name", "/mapping/40"]);
  });

  it("are accepted as a test assumes them on purpose", async () => {
    await own.world.assume({ "mapping-values": "rejected" });
    expect((await rejectionOf(added("A", 5))).details).toEqual([{ path: "/mapping/40", message }]);
    await own.world.assume({ "mapping-values": "accepted" });
    expect(await added("A", true)).toMatchObject({ mapping: { "40": true } });
  });
});
