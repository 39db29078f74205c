import { describe, expect, it } from "vitest";
import { jsonErrorAt } from "../../src/inspector/json-error.js";

describe("jsonErrorAt", () => {
  it.each([
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['{"a":1 "b":2}', 7],
    ["[1,]", 3],
    ["[1 2]", 3],
    ['{"a":"b', 7],
    ['{"a":"\\x"}', 6],
    ["hello", 0],
    ["", 0],
    ["01", 1],
    ["{a:1}", 1],
    ["[1]]", 3],
    ['{"a":NaN}', 5],
    ['"tab\there"', 4],
  ])("finds the error in %j at index %i", (text, at) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(jsonErrorAt(text)).toBe(at);
  });

  it.each(['{"a":[1,-2.5e3,{"b":null}],"c":"\\u00e9\\n"}', " [] ", "0", '"x"', "{}", '[[],{"":[]}]'])(
    "finds no error in %s",
    (text) => {
      JSON.parse(text);
      expect(jsonErrorAt(text)).toBeUndefined();
    },
  );
});
