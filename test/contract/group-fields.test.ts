import { describe, expect, it } from "vitest";
import { groupFields, schemasAgree } from "../../src/contract/group-fields.js";
import { shippedSchemas } from "../../src/generated/shipped-schemas.js";
import { getOrCreate } from "../call.js";
import { ownMock } from "../world/own-world.js";

/** A value of each type that a field can have. */
const samples = { string: "some text", object: { key: "value" } } as const;

const { properties } = shippedSchemas["get-or-create.request.json"];
const sent = Object.entries(groupFields).flatMap(([field, row]) =>
  "sentAs" in row
    ? [[field, row.sentAs, samples[properties[row.sentAs].type as "string" | "object"]] as const]
    : [],
);

const own = ownMock();

describe("the table of group fields", () => {
  it("agrees with every schema that lists them", () => {
    expect(new Set(Object.values(schemasAgree))).toEqual(new Set([true]));
  });

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

  it.each(Object.entries(groupFields).flatMap(([field, row]) => ("isShown" in row ? [field] : [])))(
    "%s is shown by the service",
    async (field) => {
      const { body } = await getOrCreate(own.mock.url, { user_group_id: "shown", name: "Shown" });
      expect(body.user_group).toHaveProperty(field);
    },
  );
});
