import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/client/start-mock.js";
import { shippedSchemas } from "../../../src/generated/shipped-schemas.js";
import { getOrCreate } from "../../call.js";
import { ownMock } from "../world/own-world.js";

/** Two values of each type that a field can have. */
const samples: Readonly<Record<string, readonly [unknown, unknown]>> = {
  string: ["some text", "Other"],
  object: [{ key: "value" }, { other: "value" }],
  integer: [5, 6],
  boolean: [true, false],
};

/** The fields that get-or-create can send, except the id. */
const { user_group_id: _, ...sent } = shippedSchemas["get-or-create.request.json"].properties;

/** The fields that stay as they were created, also with existing-group=updated. */
const unchangeable: readonly string[] = [];

const own = ownMock();

describe("a field of get-or-create", () => {
  it.each(Object.entries(sent))("%s is stored, exported, loaded, matched and changed", async (...row) => {
    const [field, { type }] = row;
    const [value, other] = samples[type] ?? expect.fail(`samples has no values of the type ${type}`);
    const world = own.mock.world(`the field ${field}`);
    const stored = async () => (await world.groups()).find((group) => group.provided_id === "id");
    await world.fault({ match: { [field]: value }, delayMs: 1 });
    const body = { user_group_id: "id", name: "Name", [field]: value };
    expect((await getOrCreate(world.url, body)).status).toBe(200);
    expect(await stored()).toMatchObject({ [field]: value, seeded: false });
    await world.load(await world.state());
    expect(await stored()).toMatchObject({ [field]: value, seeded: true });
    await world.assertFaultsFired();
    const added = await world.addGroup({ provided_id: "added", name: "Name", [field]: value });
    expect(added).toMatchObject({ [field]: value });
    await world.assume({ "existing-group": "updated" });
    await getOrCreate(world.url, { user_group_id: "id", [field]: other });
    const isChanged = !unchangeable.includes(field);
    const changes = isChanged ? { [field]: { before: value, after: other } } : undefined;
    expect(await stored()).toMatchObject({ [field]: isChanged ? other : value });
    expect((await world.requests()).at(-1)?.changes).toEqual(changes);
  });

  it.each(Object.entries(sent))("%s has a placeholder in a profile", async (field, { type }) => {
    const [value] = samples[type] ?? expect.fail(`samples has no values of the type ${type}`);
    const created = { body: { echoed: `{${field}}` } };
    await using mock = await startMock({ profile: { situations: { created } } });
    const { body } = await getOrCreate(mock.url, { user_group_id: "id", name: "Name", [field]: value });
    expect(body.echoed).toEqual(value);
  });
});
