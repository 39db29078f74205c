import { AssertionError } from "node:assert";
import { describe, expect, it } from "vitest";
import { reportedError } from "../../src/frameworks/reported-error.js";

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
