import { describe, expect, it } from "vitest";
import { findLine, formatJson } from "../../src/inspector/format-json.js";

describe("formatJson", () => {
  it("indents, and keeps every token as it is", () => {
    const sent = '{"a":1.0,"a":[9007199254740993,{}, [] ,"x: {, \\"\\u00fc"],\n"b":{"c":-1E+2,"d":null}}';
    expect(formatJson(sent)).toBe(
      [
        "{",
        '  "a": 1.0,',
        '  "a": [',
        "    9007199254740993,",
        "    {},",
        "    [],",
        '    "x: {, \\"\\u00fc"',
        "  ],",
        '  "b": {',
        '    "c": -1E+2,',
        '    "d": null',
        "  }",
        "}",
      ].join("\n"),
    );
  });

  it("does not change text that is not JSON, nor a single value", () => {
    for (const text of ["", "{ no", '{"success":1,"user_gro', "<html>", "12 13", "5", '"text"', "null", "[]"])
      expect(formatJson(text)).toBe(text);
  });
});

describe("findLine", () => {
  const lines = formatJson('{"a":{"b/c":[1,{"d":2},3]},"\\u0061":{"e":{}}, "f": "}"}').split("\n");

  it.each([
    ["", "{", true],
    ["/f", '  "f": "}"', true],
    ["/a", '  "\\u0061": {', true],
    ["/a/e", '    "e": {}', true],
    ["/a/e/missing", '    "e": {}', false],
    ["/name", "{", false],
  ])("finds %j", (pointer, text, exists) => {
    const place = findLine(lines, pointer);
    expect([lines[place.line], place.exists]).toEqual([text, exists]);
  });

  it("counts the items of an array, and not what is inside them", () => {
    const items = formatJson('{"a":{"b/c":[1,{"d":2},[3],4]}}').split("\n");
    expect(items[findLine(items, "/a/b~1c/3").line]?.trim()).toBe("4");
    expect(items[findLine(items, "/a/b~1c/1/d").line]?.trim()).toBe('"d": 2');
  });
});
