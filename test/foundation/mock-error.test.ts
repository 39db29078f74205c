import { describe, expect, it } from "vitest";
import { asError, MockError } from "../../src/foundation/mock-error.js";

describe("a MockError", () => {
  it("has every problem with its place in its message, one per line", () => {
    const error = new MockError("invalid_fixture", "Fix this:", [
      { file: "a.json", path: "/teams/0", message: "is required" },
      { path: "/name", message: "must be string" },
      { file: "b.json", path: "", message: "is not JSON" },
      { path: "", message: "must be object" },
    ]);
    expect(error.message.split("\n")).toEqual([
      "Fix this:",
      "  a.json /teams/0: is required",
      "  /name: must be string",
      "  b.json: is not JSON",
      "  must be object",
    ]);
    expect([error.name, error.code, error.summary]).toEqual(["MockError", "invalid_fixture", "Fix this:"]);
    expect(error.details).toHaveLength(4);
  });

  it("has no details by default", () => {
    const error = new MockError("unknown_fault", "There is no fault 7.");
    expect([error.message, error.details]).toEqual(["There is no fault 7.", []]);
  });
});

describe("asError", () => {
  it.each([
    [Object.assign(new Error("no"), { code: "ENOENT" }), { message: "no", code: "ENOENT" }],
    [new Error("no"), { message: "no", code: undefined }],
    ["no", { message: "no", code: undefined }],
    [undefined, { message: "undefined", code: undefined }],
    [null, { message: "null", code: undefined }],
  ])("returns message and code of anything thrown: %s", (error, expected) => {
    expect(asError(error)).toEqual(expected);
  });
});
