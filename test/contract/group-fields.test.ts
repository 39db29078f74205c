import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { groupFields } from "../../src/contract/group-fields.js";
import { shippedSchemas } from "../../src/generated/shipped-schemas.js";
import { getOrCreate } from "../call.js";
import { ownMock } from "../world/own-world.js";

/** A value of each type that a field can have. */
const samples = { string: "some text", object: { key: "value" } } as const;

const { properties } = shippedSchemas["get-or-create.request.json"];
const fields = Object.keys(groupFields) as (keyof typeof groupFields)[];
const sent = fields.flatMap((field) => {
  const { sentAs } = groupFields[field];
  return sentAs ? [[field, sentAs, samples[properties[sentAs].type as "string" | "object"]] as const] : [];
});

const shown = fields.filter((field) => groupFields[field].isShown);

const own = ownMock();

describe("the table of group fields", () => {
  const sentAs = sent.map(([, name]) => name);
  const fixture = shippedSchemas["fixture.json"].properties.user_groups.items;
  const { match } = shippedSchemas["fault-rule.json"].properties;

  it.each<[schema: string, properties: object, names: readonly string[]]>([
    ["a user group", shippedSchemas["user-group.json"].properties, shown],
    ["a fixture", fixture.properties, fields],
    ["a new group", shippedSchemas["group.request.json"].properties, fields],
    ["get-or-create", properties, sentAs],
    ["the match of a fault", match.properties, [...sentAs, "current_token", "filename"]],
  ])("has the fields of the schema of %s", (_, listed, names) => {
    expect(Object.keys(listed).sort()).toEqual([...names].sort());
  });

  it.each(sent)(
    "%s, sent as %s for a group that exists, is changed and listed, or neither",
    async (...row) => {
      const [field, name, value] = row;
      const world = own.mock.world(`changed ${field}`);
      await world.assume({ "existing-group": "updated" });
      const body = { user_group_id: "id", name: "Name" };
      await getOrCreate(world.url, body);
      await getOrCreate(world.url, { ...body, [name]: value });
      const stored = (await world.groups()).find((group) => group.provided_id === body.user_group_id);
      const [, second] = await world.requests();
      const isChanged = groupFields[field].isChangeable === true;
      expect(isDeepStrictEqual(stored?.[field], value)).toBe(isChanged);
      expect(Object.keys(second?.changes ?? {})).toEqual(isChanged ? [field] : []);
    },
  );

  it.each(sent)("%s, sent as %s, is stored, exported, loaded and matched", async (field, name, value) => {
    const world = own.mock.world(`the field ${field}`);
    await world.fault({ match: { [name]: value }, delayMs: 1 });
    const body = { user_group_id: "id", name: "Name", [name]: value };
    expect((await getOrCreate(world.url, body)).status).toBe(200);
    const stored = async () =>
      (await world.groups()).find((group) => group.provided_id === body.user_group_id);
    expect(await stored()).toMatchObject({ [field]: value, seeded: false });
    await world.load(await world.state());
    expect(await stored()).toMatchObject({ [field]: value, seeded: true });
    await world.assertFaultsFired();
  });
});
