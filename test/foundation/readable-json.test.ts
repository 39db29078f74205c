import { describe, expect, it } from "vitest";
import { readableJson } from "../../src/foundation/readable-json.js";

describe("readable JSON is written", () => {
  const list = (length: number) => ({ list: ["x".repeat(length)] });

  it("with a list on one line if that fits into 100 columns, with a comma", () => {
    const longest = 100 - '  "list": [""],'.length;
    expect(readableJson(list(longest))).toBe(`{\n  "list": ["${"x".repeat(longest)}"]\n}`);
    expect(readableJson(list(longest + 1))).toBe(`{\n  "list": [\n    "${"x".repeat(longest + 1)}"\n  ]\n}`);
  });

  it("with each field of the whole on a line of its own", () => {
    expect(readableJson({ a: 1, b: { c: [1, { d: null }] }, e: {}, f: [] })).toBe(
      '{\n  "a": 1,\n  "b": { "c": [1, { "d": null }] },\n  "e": {},\n  "f": []\n}',
    );
    expect(readableJson({})).toBe("{}");
    expect(readableJson([])).toBe("[]");
    expect(readableJson("text")).toBe('"text"');
  });

  it("with characters escaped that a terminal or an editor would obey", () => {
    const value = { "\u202ekey": "\u009b2J\u2028\u2066\u200f\u061c" };
    const text = readableJson(value);
    expect(text).toBe('{\n  "\\u202ekey": "\\u009b2J\\u2028\\u2066\\u200f\\u061c"\n}');
    expect(JSON.parse(text)).toEqual(value);
  });

  it("as a text that means the same", () => {
    const value = { 'with "quotes"': [{ long: "x".repeat(90), n: [1, 2] }, []], deep: [[["\n"]]] };
    expect(JSON.parse(readableJson(value))).toEqual(value);
  });
});
