import { describe, expect, it } from "vitest";
import {
  assumptionIds,
  defaultAssumptions,
  valuesOf,
  withAssumptions,
} from "../../src/contract/assumptions.js";

// test/interface-document.test.ts has the effect of each value, test/service/decisions.test.ts the header that names it.
describe("the table of assumptions", () => {
  it("has the first value of each assumption as its default", () => {
    for (const id of assumptionIds) expect(defaultAssumptions[id]).toBe(valuesOf(id)[0]);
  });

  it("rejects every unknown id and value at once, with suggestions", () => {
    const choose = () =>
      withAssumptions(defaultAssumptions, { "old-tokens": "accepted", "old-token": "yes" });
    expect(choose).toThrowError("there is no assumption old-tokens; did you mean old-token?");
    expect(choose).toThrowError('"yes" is not a value of old-token; use rejected or accepted');
  });

  it("accepts a number for a numeric value", () => {
    expect(withAssumptions(defaultAssumptions, { "created-status": 201 })["created-status"]).toBe("201");
  });
});
