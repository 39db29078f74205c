import { describe, expect, it } from "vitest";
import { addToError } from "../../src/frameworks/add-to-error.js";

describe("addToError", () => {
  it.each([
    ["an error", { message: "bad", stack: "Error: bad\n    at a.js:1" }, "Error: bad+\n    at a.js:1"],
    ["a message of lines", { message: "a\nb", stack: "Error: a\nb\n    at x" }, "Error: a\nb+\n    at x"],
    ["no frames", { message: "bad", stack: "bad" }, "bad+"],
    [
      "a stack without the message",
      { message: "new", stack: "Error: old\n    at a" },
      "Error: old+\n    at a",
    ],
    ["no stack", { message: "bad" }, undefined],
  ])("adds text before the frames: %s", (_, error: { message: string; stack?: string }, stack) => {
    const { message } = error;
    addToError(error, "+");
    expect(error.stack).toBe(stack);
    expect(error.message).toBe(`${message}+`);
  });

  it("adds text before frames in a message, as Jest formats an assertion of Node", () => {
    const error = { message: "assert.equal\n\n    at a.js:1" };
    addToError(error, "+");
    expect(error.message).toBe("assert.equal+\n\n    at a.js:1");
  });

  it("makes an error of thrown text, with the frames of the place of the test", () => {
    const place = { message: "", stack: "Error\n    at a.js:1" };
    const error = addToError("timed out", "+", place);
    expect(error).toMatchObject({ message: "timed out+", stack: "timed out+\n    at a.js:1" });
    expect(addToError(undefined, "+")).toMatchObject({ message: "undefined+", stack: "undefined+" });
  });

  it.each([
    ["frozen", Object.freeze(Object.assign(new Error("bad"), { code: "E_BAD" }))],
    [
      "with a message that cannot be set",
      Object.defineProperty(Object.assign(new Error(), { code: "E_BAD" }), "message", { value: "bad" }),
    ],
  ])("returns a copy of an error that is %s", (_, error) => {
    const copy = addToError(error, "+");
    expect(copy).toMatchObject({ message: "bad+", code: "E_BAD" });
    expect(copy.stack).toMatch(/^Error: bad\+\n +at .*add-to-error\.test/);
  });
});
