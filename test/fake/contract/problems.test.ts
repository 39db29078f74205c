import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/index.js";
import { getOrCreate } from "../../call.js";

describe("the problems of a body that does not match a schema", () => {
  it("have the place of a missing and of an unknown key, escaped, and what is expected", async () => {
    const mapping = { required: ["a/b~c"], properties: { nama: {} }, additionalProperties: false };
    const accepts = { "get-or-create": { properties: { mapping } } };
    await using mock = await startMock({ profile: { accepts } });
    const { body } = await getOrCreate(mock.url, { user_group_id: "a", name: "A", mapping: { name: "x" } });
    expect(body.error.details).toEqual([
      { path: "/mapping/a~1b~0c", message: "is required" },
      { path: "/mapping/name", message: "is not a known field; did you mean nama?" },
    ]);
  });

  it("are all listed, in the words of the rule", async () => {
    const properties = { user_group_id: { pattern: "^g-" }, name: { maxLength: 1 } };
    await using mock = await startMock({ profile: { accepts: { "get-or-create": { properties } } } });
    const { body } = await getOrCreate(mock.url, { user_group_id: "a", name: "long" });
    expect(body.error.details).toEqual([
      { path: "/user_group_id", message: 'must match pattern "^g-"' },
      { path: "/name", message: "must NOT have more than 1 characters" },
    ]);
  });
});
