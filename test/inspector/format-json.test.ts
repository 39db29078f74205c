import { describe, expect, it } from "vitest";
import { formatJson } from "../../src/inspector/format-json.js";

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

  it.each(["", "{ no", '{"success":1,"user_gro', "<html>", "12 13"])(
    "does not change text that is not JSON: %j",
    (text) => {
      expect(formatJson(text)).toBe(text);
    },
  );

  it.each(["5", '"text"', "null", "[]", " {} "])("accepts a single value: %j", (text) => {
    expect(formatJson(text)).toBe(text.trim());
  });
});
