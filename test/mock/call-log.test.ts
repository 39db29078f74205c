import { afterEach, describe, expect, it, vi } from "vitest";
import { reportDefect } from "../../src/mock/call-log.js";

describe("a defect of the mock", () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  afterEach(() => write.mockClear());
  const reported = (defect: unknown) => {
    reportDefect(defect);
    return write.mock.calls.map(([text]) => text).join("");
  };

  it("is told on standard error with its stack, and what to do with it", () => {
    expect(reported(new Error("broken"))).toMatch(
      /^usergroup-mock: a defect of the mock, please report it: Error: broken\n +at .*\n$/s,
    );
  });

  it.each([
    [undefined, "undefined"],
    [null, "null"],
    ["text", "text"],
    [{ message: "no error" }, "[object Object]"],
  ])("may be anything that can be thrown: %j", (defect, words) => {
    expect(reported(defect)).toBe(`usergroup-mock: a defect of the mock, please report it: ${words}\n`);
  });
});
