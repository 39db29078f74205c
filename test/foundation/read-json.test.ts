import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeOfSyntaxError } from "../../src/foundation/read-json.js";

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("placeOfSyntaxError", () => {
  it.each([
    ["", 1, 1],
    ["{", 1, 2],
    ['{\n  "a": 1,\n}', 3, 1],
    ['{\n  "a" 1\n}', 2, 7],
    ['{\r\n  "a": x\r\n}', 2, 8],
    ["[1, 2", 1, 6],
    ["[1] 2", 1, 5],
    ["[01]", 1, 3],
    ['["a\\x"]', 1, 5],
    ['"open', 1, 6],
    ["nul", 1, 4],
    ["[nulx]", 1, 5],
    ['["\\u12', 1, 7],
  ])("for %j is line %i, column %i", (text, line, column) => {
    expect(isJson(text)).toBe(false);
    expect(placeOfSyntaxError(text)).toEqual({ line, column });
  });

  it("is the first character that makes the text invalid", () => {
    const json = fc.json({ maxDepth: 3 }).filter((text) => text.length > 1);
    fc.assert(
      fc.property(json, fc.nat(), (text, at) => {
        const index = at % text.length;
        // A control character is invalid everywhere.
        const wrong = `${text.slice(0, index)}\u0001${text.slice(index)}`;
        expect(placeOfSyntaxError(wrong)).toEqual({ line: 1, column: index + 1 });
      }),
      { numRuns: 300 },
    );
  });

  it("finds an error behind a string of some megabytes", () => {
    expect(placeOfSyntaxError(`["${"a".repeat(5_000_000)}" 1]`)).toEqual({ line: 1, column: 5_000_005 });
  });
});
