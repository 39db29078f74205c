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
