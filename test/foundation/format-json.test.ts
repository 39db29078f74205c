import { describe, expect, it } from "vitest";
import { formatJson } from "../../src/foundation/format-json.js";

describe("JSON for people", () => {
  it("is indented, and every token stays as it was", () => {
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

  it.each(["", "{ no", '{"success":1,"user_gro', "<html>", "12 13"])("is no other text: %j", (text) => {
    expect(formatJson(text)).toBe(text);
  });

  it.each(["5", '"text"', "null", "[]", " {} "])("may be a single value: %j", (text) => {
    expect(formatJson(text)).toBe(text.trim());
  });
});
