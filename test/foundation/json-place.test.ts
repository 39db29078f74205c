import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeOfSyntaxError } from "../../src/foundation/json-place.js";

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("the place of a syntax error", () => {
  it.each([
    ["", 1, 1],
    ["{", 1, 2],
    ['{\n  "a": 1,\n}', 3, 1],
    ['{\n  "a" 1\n}', 2, 7],
    ['{\r\n  "a": x\r\n}', 2, 8],
    ['["a" "b"]', 1, 6],
    ["[1, 2", 1, 6],
    ["[1] 2", 1, 5],
    ["[01]", 1, 2],
    ["[1,]", 1, 4],
    ["{a: 1}", 1, 2],
    ["[}", 1, 2],
    ['["a\nb"]', 1, 4],
    ['["a\\x"]', 1, 4],
    ['"open', 1, 6],
    ["nul", 1, 1],
  ])("of %j is line %i, column %i", (text, line, column) => {
    expect(isJson(text)).toBe(false);
    expect(placeOfSyntaxError(text)).toEqual({ line, column });
  });

  it("is found exactly where the parser finds an error", () => {
    const almost = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom(...'{}[],:"\\x1-.e \n'))
      .map(([text, at, character]) => {
        const index = at % (text.length + 1);
        return text.slice(0, index) + character + text.slice(index + 1);
      });
    fc.assert(
      fc.property(almost, (text) => {
        expect(placeOfSyntaxError(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it("is found in a string of some megabytes", () => {
    expect(placeOfSyntaxError(`["${"a".repeat(5_000_000)}" 1]`)).toEqual({ line: 1, column: 5_000_005 });
  });
});
