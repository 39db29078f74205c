import { describe, expect, it } from "vitest";
import { lineIn } from "../../src/client/reported-test.js";

describe("lineIn", () => {
  const stack =
    "Error: no\n    at f (/src/program.js:3:1)\n    at /src/a.test.js:11:20\n    at /src/a.test.js:9:1";

  it("returns the innermost line of the file in the stack", () => {
    expect(lineIn("/src/a.test.js", { stack })).toBe(11);
    expect(lineIn("/src/program.js", { stack })).toBe(3);
  });

  it("returns undefined if the stack does not have the file, or if there is no stack", () => {
    for (const thrown of [{ stack }, { stack: 5 }, "text", null, undefined]) {
      expect(lineIn("/src/other.test.js", thrown)).toBeUndefined();
    }
  });
});
