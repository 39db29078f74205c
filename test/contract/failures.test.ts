import { describe, expect, it } from "vitest";
import { failures } from "../../src/contract/failures.js";
import { shippedSchemas } from "../../src/generated/shipped-schemas.js";

const listed = Object.keys(failures);

describe("the table of failures", () => {
  it("has exactly the codes of the schema of a failure", () => {
    const { code } = shippedSchemas["failure.response.json"].properties.error.properties;
    expect(listed.toSorted()).toEqual([...code.enum].sort());
  });
});
