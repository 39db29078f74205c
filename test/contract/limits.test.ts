import { describe, expect, it } from "vitest";
import { maxNames, maxValues, refuseCostly } from "../../src/contract/limits.js";

const refused = (json: string) => refuseCostly(Buffer.from(json), 100, "The body");
const list = (values: number) => `[${"0,".repeat(values - 2)}0]`;
const names = (count: number) => `{${Array.from({ length: count }, (_, n) => `"${n}":0`).join()}}`;

describe("JSON that would be costly to parse", () => {
  it("is refused by its depth", () => {
    expect(refused(`${"[".repeat(100)}${"]".repeat(100)}`)).toBeUndefined();
    expect(refused(`${"[".repeat(101)}${"]".repeat(101)}`)).toEqual({
      code: "invalid_json",
      message: "The body nests deeper than 100 levels. Flatten it.",
    });
  });

  it("is refused by the number of its values", () => {
    expect(refused(list(maxValues))).toBeUndefined();
    expect(refused(list(maxValues + 1))).toEqual({
      code: "payload_too_large",
      message: "The body has more than 1000000 values. Send fewer.",
    });
  });

  it("is refused by the number of its different field names", () => {
    expect(refused(names(maxNames))).toBeUndefined();
    // The count is a little too low: two names may look alike to it.
    expect(refused(names(2 * maxNames))).toEqual({
      code: "payload_too_large",
      message: "The body has more than 100000 different field names. Send fewer.",
    });
  });
});
