import { AssertionError } from "node:assert";
import { describe, expect, it } from "vitest";
import { lineIn, reportedError } from "../../src/client/reported-test.js";
import { MockError } from "../../src/index.js";

describe("reportedError", () => {
  it("returns what an assertion compared, as text", () => {
    const error = new AssertionError({ message: "not equal", expected: { a: 1 }, actual: "x" });
    expect(reportedError(error)).toMatchObject({
      message: "not equal",
      expected: "{\n  a: 1\n}",
      actual: "x",
    });
  });

  it("returns what a matcher of Jest compared", () => {
    const error = Object.assign(new Error("\u001b[31mexpect\u001b[39m(received)"), {
      matcherResult: { expected: 200, actual: 404 },
    });
    expect(reportedError(error)).toEqual({ message: "expect(received)", expected: "200", actual: "404" });
  });

  it("returns the code of an error of ours", () => {
    const error = new MockError("fault_never_fired", "One fault did not fire.");
    expect(reportedError(error)).toEqual({ message: "One fault did not fire.", code: "fault_never_fired" });
  });

  it("accepts anything that can be thrown", () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    expect(reportedError("a string")).toEqual({ message: "a string" });
    expect(reportedError({ value: "of Playwright" })).toEqual({ message: "of Playwright" });
    expect(reportedError(circular)).toEqual({ message: "<ref *1> {\n  self: [Circular *1]\n}" });
    expect(reportedError(undefined)).toBeUndefined();
    const large = new AssertionError({ message: "m", expected: "x".repeat(30_000), actual: undefined });
    expect(reportedError(large)?.expected).toHaveLength(20_000);
    expect(reportedError(large)?.actual).toBe("undefined");
  });
});

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
