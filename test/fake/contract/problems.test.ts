import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/index.js";
import { getOrCreate } from "../../call.js";
import { schemaFolder } from "./schema-folder.js";

describe("the problems of a body that does not match a schema", () => {
  it.each([
    ["a missing field", { required: ["a/b~c"] }, "/a~1b~0c", "is required"],
    [
      "an unknown field",
      { properties: { user_group_id: {}, nama: {} }, additionalProperties: false },
      "/name",
      "is not a known field; did you mean nama?",
    ],
    ["a field if none is allowed", { additionalProperties: false }, "/user_group_id", "is not a known field"],
  ])("have the place of %s, and what is expected", async (_, schema, path, message) => {
    const folder = schemaFolder({ "get-or-create.request.json": schema });
    await using mock = await startMock({ schemas: folder });
    const { body } = await getOrCreate(mock.url, { user_group_id: "a", name: "A" });
    expect(body.error.details[0]).toEqual({ path, message });
  });

  it("are all listed, with the message in x-problem", async () => {
    const own = { type: "string", pattern: "^g-", "x-problem": "must begin with g-" };
    const folder = schemaFolder({
      "get-or-create.request.json": { properties: { user_group_id: own, name: { maxLength: 1 } } },
    });
    await using mock = await startMock({ schemas: folder });
    const { body } = await getOrCreate(mock.url, { user_group_id: "a", name: "long" });
    expect(body.error.details).toEqual([
      { path: "/user_group_id", message: "must begin with g-" },
      { path: "/name", message: "must NOT have more than 1 characters" },
    ]);
  });
});
