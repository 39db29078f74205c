import { describe, expect, it } from "vitest";
import { create, getOrCreate } from "../../call.js";
import { ownWorld } from "../world/own-world.js";

// test/interface-document.test.ts has what the document says about this operation.
describe("get-or-create of an existing group", () => {
  const own = ownWorld();

  it("adds no note if the fields sent are those of the group", async () => {
    const same = {
      user_group_id: "a",
      name: "A",
      mapping: { "1": "2" },
      properties: { x: [1, { y: null }] },
    };
    await getOrCreate(own.world.url, same);
    await getOrCreate(own.world.url, same);
    await getOrCreate(own.world.url, { user_group_id: "a" });
    expect((await own.world.requests()).map(({ notes }) => notes.length)).toEqual([0, 0, 0]);
  });

  it("notes the fields that differ, and depends on existing-group, because a service may reject them", async () => {
    const existing = (fields: object) =>
      getOrCreate(own.world.url, { user_group_id: "example_1", ...fields });
    const shown = await existing({ name: "Other", mapping: { "40": "214" } });
    const hidden = await existing({ properties: { x: 1 } });
    for (const { headers } of [shown, hidden])
      expect(headers["usergroup-mock-assumed"]).toBe("existing-group=unchanged");
    const note =
      "the group exists and was not changed (assumed: existing-group=unchanged); this request differs in ";
    expect((await own.world.requests()).map(({ effect, notes }) => [effect, ...notes])).toEqual([
      ["found", `${note}name, mapping`],
      ["found", `${note}properties`],
    ]);
  });

  it("records the fields that differ, before and after", async () => {
    await own.world.assume({ "existing-group": "updated" });
    await create(own.world.url, "a", { mapping: { "40": "1" }, properties: { region: "EU" } });
    await create(own.world.url, "a", { mapping: { "40": "2" }, properties: { region: "EU" } });
    await create(own.world.url, "a", { mapping: { "40": "2" } });
    const entries = await own.world.requests();
    expect(entries.map(({ effect, changes }) => [effect, changes])).toEqual([
      ["created", undefined],
      ["updated", { mapping: { before: { "40": "1" }, after: { "40": "2" } } }],
      ["found", undefined],
    ]);
  });

  it("finds it, and changes nothing, if merging its keys makes no difference", async () => {
    await own.world.assume({ "existing-group": "merged" });
    await create(own.world.url, "a", { mapping: { "40": "1", "41": "2" } });
    await create(own.world.url, "a", { mapping: { "41": "2" } });
    const effects = (await own.world.requests()).map(({ effect }) => effect);
    expect(effects).toEqual(["created", "found"]);
  });

  it("finds the oldest of several groups whose ids match", async () => {
    await create(own.world.url, "EXAMPLE_1");
    await own.world.assume({ "id-matching": "any-case" });
    expect((await create(own.world.url, "Example_1")).body.user_group.provided_id).toBe("example_1");
  });

  it("frees its name for others when it gets another one", async () => {
    await own.world.assume({ "existing-group": "updated", "unique-names": "rejected" });
    await own.world.addGroup({ provided_id: "added", name: "Added" });
    const statusOf = async (user_group_id: string, name: string) =>
      (await getOrCreate(own.world.url, { user_group_id, name })).status;
    expect([await statusOf("a", "Example 1"), await statusOf("b", "Added")]).toEqual([409, 409]);
    expect([await statusOf("example_1", "Other 1"), await statusOf("added", "Other 2")]).toEqual([200, 200]);
    expect([await statusOf("a", "Example 1"), await statusOf("b", "Added")]).toEqual([200, 200]);
  });
});
