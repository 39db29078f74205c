import { describe, expect, it } from "vitest";
import { type AssumptionChoice, type Fixture, startMock } from "../../../src/index.js";
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

  it("merges mapping and properties key by key, and keeps what is not sent", async () => {
    await own.world.assume({ "existing-group": "merged" });
    await create(own.world.url, "a", { mapping: { "40": "1", "41": "2" }, properties: { x: 1, y: 2 } });
    const send = async (fields: object) => {
      await getOrCreate(own.world.url, { user_group_id: "a", ...fields });
      const { name, mapping, properties } = (await own.world.groups()).at(-1) ?? expect.fail("no group");
      return { name, mapping, properties };
    };
    const merged = { name: "a", mapping: { "40": "1", "41": "3" }, properties: { x: 1, y: 2 } };
    expect(await send({ mapping: { "41": "3" } })).toEqual(merged);
    const further = { ...merged, properties: { x: 1, y: 3, z: 4 } };
    expect(await send({ properties: { y: 3, z: 4 } })).toEqual(further);
    expect(await send({ name: "A" })).toEqual({ ...further, name: "A" });
    expect((await own.world.requests()).slice(1).map(({ changes }) => Object.keys(changes ?? {}))).toEqual([
      ["mapping"],
      ["properties"],
      ["name"],
    ]);
  });

  it.each<[choice: AssumptionChoice["existing-group"] & string, fields: string]>([
    ["rejected", "name, mapping"],
    ["name-rejected", "name"],
  ])("rejects the fields that may not differ, and says which these are: %s", async (choice, fields) => {
    await own.world.assume({ "existing-group": choice });
    const sent = { user_group_id: "example_1", name: "Other", mapping: {} };
    const { status, body } = await getOrCreate(own.world.url, sent);
    expect([status, body.error.code]).toEqual([409, "conflict"]);
    expect(body.error.message).toBe(
      `The group example_1 exists, and this request differs in ${fields}.` +
        " Send the values of the group, or only its user_group_id.",
    );
  });

  it("notes fields that differ without an assumption if a test made it on purpose", async () => {
    await own.world.assume({ "existing-group": "unchanged" });
    await getOrCreate(own.world.url, { user_group_id: "example_1", name: "Other" });
    expect((await own.world.requests())[0]?.notes).toEqual([
      "the group exists and was not changed; this request differs in name",
    ]);
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

describe("unique-names=rejected", () => {
  const own = ownWorld();
  const send = async (user_group_id: string, fields: object) => {
    const { status, body } = await getOrCreate(own.world.url, { user_group_id, ...fields });
    return status === 200 ? status : body.error.message;
  };

  it("names the group that has the name, for a new group and for one that is changed", async () => {
    await own.world.assume({ "existing-group": "updated", "unique-names": "rejected" });
    const taken = "The name Example 1 belongs to the group example_1. Choose another name.";
    expect(await send("a", { name: "Example 1" })).toBe(taken);
    expect(await send("no-mapping", { name: "Example 1" })).toBe(taken);
  });

  it("lets a group whose name another one has already keep it when something else changes", async () => {
    await own.world.addGroup({ provided_id: "twin", name: "Example 1" });
    await own.world.assume({ "existing-group": "updated", "unique-names": "rejected" });
    for (const id of ["twin", "example_1"]) expect(await send(id, { mapping: { "1": id } })).toBe(200);
  });

  it("keeps a name taken until the last of its groups gets another one", async () => {
    await own.world.addGroup({ provided_id: "a", name: "Twin" });
    await own.world.addGroup({ provided_id: "b", name: "Twin" });
    await own.world.assume({ "existing-group": "updated", "unique-names": "rejected" });
    const ofB = "The name Twin belongs to the group b. Choose another name.";
    expect(await send("a", { name: "A" })).toBe(200);
    expect(await send("c", { name: "Twin" })).toBe(ofB);
    expect(await send("b", { name: "B" })).toBe(200);
    expect(await send("c", { name: "Twin" })).toBe(200);
  });
});

describe("the group that an id names", () => {
  const team = (team_id: number) => ({ team_id, api_tokens: [`token-${team_id}`] });
  const group = (team_id: number, provided_id: string) => ({ team_id, provided_id, name: provided_id });
  const teams = [team(3), team(4)];

  it.each<
    [
      title: string,
      groups: [team: number, id: string][],
      assume: AssumptionChoice,
      found: [team: number, id: string] | undefined,
      marks: string,
    ]
  >([
    [
      "has this very id, if all teams share ids and an older one differs in case",
      [
        [4, "A"],
        [4, "a"],
      ],
      { "group-scope": "global", "id-matching": "any-case" },
      [4, "a"],
      "group-scope=global",
    ],
    [
      "can be another team's with the id in another case, if all teams share ids",
      [[4, "A"]],
      { "group-scope": "global", "id-matching": "any-case" },
      [4, "A"],
      "id-matching=any-case, group-scope=global",
    ],
    [
      "is the team's own with the id in another case, if another team has this very id",
      [
        [4, "a"],
        [3, "A"],
      ],
      { "id-matching": "any-case" },
      [3, "A"],
      "group-scope=per-team, id-matching=any-case",
    ],
    [
      "is new if only another team has a similar id",
      [[4, "A"]],
      { "id-matching": "any-case" },
      undefined,
      "group-scope=per-team, created-status=200",
    ],
    [
      "is new if the team has only a similar id",
      [[3, "A"]],
      {},
      undefined,
      "id-matching=exact, created-status=200",
    ],
    ["is new if no id is similar", [[4, "b"]], { "group-scope": "global" }, undefined, "created-status=200"],
  ])("%s", async (_, groups, assume, found, marks) => {
    const fixtures: Fixture = { teams, user_groups: groups.map(([of, name]) => group(of, name)) };
    await using mock = await startMock({ fixtures, assume });
    const sent = { user_group_id: "a", name: found?.[1] ?? "a" };
    const { body, headers } = await getOrCreate(mock.url, sent, { apiToken: "token-3" });
    const { team_id, provided_id } = body.user_group;
    expect([body.new_user_group, team_id, provided_id]).toEqual([
      found === undefined,
      ...(found ?? [3, "a"]),
    ]);
    expect(headers["usergroup-mock-assumed"] ?? "").toBe(marks);
  });

  it("is another one if the ids differ in more than case, though they are equal in capitals", async () => {
    const fixtures: Fixture = { teams, user_groups: [group(3, "straße")] };
    await using mock = await startMock({ fixtures, assume: { "id-matching": "any-case" } });
    const isNew = async (user_group_id: string) => {
      const sent = { user_group_id, name: user_group_id };
      return (await getOrCreate(mock.url, sent, { apiToken: "token-3" })).body.new_user_group;
    };
    expect([await isNew("STRAßE"), await isNew("strasse")]).toEqual([false, true]);
  });

  const own = ownWorld({ assume: { "id-matching": "any-case", "group-scope": "global" } });
  const journaled = async () => (await own.world.requests()).map((entry) => entry.group);

  it("is in the journal of a request that was rejected", async () => {
    await getOrCreate(own.world.url, { user_group_id: "EXAMPLE_1", name: 5 });
    await getOrCreate(own.world.url, { user_group_id: "new", name: 5 });
    expect(await journaled()).toEqual([
      { team_id: 3, provided_id: "example_1" },
      { team_id: 3, provided_id: "new" },
    ]);
  });

  it("is only an id in the journal of a request that belongs to no team", async () => {
    await getOrCreate(own.world.url, { user_group_id: "example_1" }, { apiToken: "wrong" });
    expect(await journaled()).toEqual([{ provided_id: "example_1" }]);
  });
});
