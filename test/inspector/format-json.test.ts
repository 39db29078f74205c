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

  it("does not change text that is not JSON, nor a single value", () => {
    for (const text of ["", "{ no", '{"success":1,"user_gro', "<html>", "12 13", "5", '"text"', "null", "[]"])
      expect(formatJson(text)).toBe(text);
  });
});
