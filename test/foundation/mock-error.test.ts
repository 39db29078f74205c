import { describe, expect, it } from "vitest";
import { asError, MockError } from "../../src/foundation/mock-error.js";

describe("a MockError", () => {
  it("says in its message all that is wrong, a line each, with the place where there is one", () => {
    const error = new MockError("invalid_fixture", "Mend this:", [
      { file: "a.json", path: "/teams/0", message: "is required" },
      { path: "/name", message: "must be string" },
      { file: "b.json", path: "", message: "is not JSON" },
      { path: "", message: "must be object" },
    ]);
    expect(error.message.split("\n")).toEqual([
      "Mend this:",
      "  a.json /teams/0: is required",
      "  /name: must be string",
      "  b.json: is not JSON",
      "  must be object",
    ]);
    expect([error.name, error.code, error.summary]).toEqual(["MockError", "invalid_fixture", "Mend this:"]);
    expect(error.details).toHaveLength(4);
  });

  it("has no details where nobody gives some", () => {
    const error = new MockError("unknown_fault", "There is no fault 7.");
    expect([error.message, error.details]).toEqual(["There is no fault 7.", []]);
  });
});

describe("what was thrown", () => {
  it.each([
    [Object.assign(new Error("no"), { code: "ENOENT" }), { message: "no", code: "ENOENT" }],
    [new Error("no"), { message: "no", code: undefined }],
    ["no", { message: "no", code: undefined }],
    [undefined, { message: "undefined", code: undefined }],
    [null, { message: "null", code: undefined }],
  ])("has words, whatever it is: %s", (error, words) => {
    expect(asError(error)).toEqual(words);
  });
});
