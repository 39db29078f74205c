import { describe, expect, it } from "vitest";
import { shippedSchemas } from "../../src/generated/shipped-schemas.js";
import { getOrCreate } from "../call.js";
import { ownMock } from "../world/own-world.js";

/** A value of each type that a field can have. */
const samples: Readonly<Record<string, unknown>> = { string: "some text", object: { key: "value" } };

/** The fields that get-or-create can send, except the id. */
const { user_group_id: _, ...sent } = shippedSchemas["get-or-create.request.json"].properties;

const own = ownMock();

describe("a field of get-or-create", () => {
  it.each(Object.entries(sent))("%s is stored, exported, loaded, matched and changed", async (...row) => {
    const [field, { type }] = row;
    const value = samples[type];
    const world = own.mock.world(`the field ${field}`);
    const stored = async () => (await world.groups()).find((group) => group.provided_id === "id");
    await world.fault({ match: { [field]: value }, delayMs: 1 });
    const body = { user_group_id: "id", name: "Name", [field]: value };
    expect((await getOrCreate(world.url, body)).status).toBe(200);
    expect(await stored()).toMatchObject({ [field]: value, seeded: false });
    await world.load(await world.state());
    expect(await stored()).toMatchObject({ [field]: value, seeded: true });
    await world.assertFaultsFired();
    await world.assume({ "existing-group": "updated" });
    const other = type === "string" ? "Other" : { other: "value" };
    await getOrCreate(world.url, { user_group_id: "id", [field]: other });
    expect(await stored()).toMatchObject({ [field]: other });
    expect((await world.requests()).at(-1)?.changes).toEqual({ [field]: { before: value, after: other } });
  });
});
