import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import type { Fixture } from "../../src/generated/types.js";
import { create } from "../call.js";
import { ownWorld } from "../world/own-world.js";
import { refusalOf } from "../world/refusal.js";

const group = { team_id: 3, provided_id: "a", name: "A" };
const mapping = { "40": 213, "a/b": null, "41": "213" };
const fixture: Fixture = {
  teams: [{ team_id: 3, api_tokens: ["test-api-token"] }],
  user_groups: [group, { ...group, provided_id: "b", mapping }],
};
const message = "must be string, unless you assume mapping-values=accepted";
const accepted = { "mapping-values": "accepted" } as const;

describe("mapping values of a fixture that are not text", () => {
  const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-mapping-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "groups.json");
  writeFileSync(file, JSON.stringify(fixture));

  it("are rejected at the start, with file and place", async () => {
    const { code, details } = await refusalOf(startMock({ fixtures: file }));
    expect([code, details]).toEqual([
      "invalid_fixture",
      [
        { file, path: "/user_groups/1/mapping/40", message },
        { file, path: "/user_groups/1/mapping/a~1b", message },
      ],
    ]);
  });

  it("are kept with mapping-values=accepted", async () => {
    await using mock = await startMock({ fixtures: file, assume: accepted });
    expect((await mock.state()).user_groups.at(1)?.mapping).toEqual(mapping);
    await mock.load(await mock.state());
  });
});

describe("mapping values that are not text", () => {
  const own = ownWorld();

  it("are rejected in a loaded state and in an added group, and nothing changes", async () => {
    const before = await own.world.state();
    const { code, details } = await refusalOf(own.world.load(fixture));
    expect([code, details.map(({ path }) => path)]).toEqual([
      "invalid_fixture",
      ["/user_groups/1/mapping/40", "/user_groups/1/mapping/a~1b"],
    ]);
    const added = await refusalOf(own.world.addGroup({ provided_id: "a", name: "A", mapping }));
    expect([added.code, added.details]).toEqual([
      "invalid_group",
      ["/mapping/40", "/mapping/a~1b"].map((path) => ({ path, message })),
    ]);
    expect(await own.world.state()).toEqual(before);
  });

  it("are loaded, added and exported with mapping-values=accepted", async () => {
    await own.world.assume(accepted);
    await own.world.load(fixture);
    await own.world.addGroup({ provided_id: "c", name: "C", mapping });
    await create(own.world.url, "d", { mapping });
    const exported = await own.world.state();
    expect(exported.user_groups.slice(1).map((one) => one.mapping)).toEqual([mapping, mapping, mapping]);
    await own.world.load(exported);
    expect(await own.world.state()).toEqual(exported);
  });
});
