import { describe, expect, it } from "vitest";
import { asError } from "../../src/foundation/located-problem.js";

describe("asError", () => {
  it.each([
    [Object.assign(new Error("no"), { code: "ENOENT" }), { message: "no", code: "ENOENT" }],
    [new Error("no"), { message: "no", code: undefined }],
    ["no", { message: "no", code: undefined }],
    [undefined, { message: "undefined", code: undefined }],
    [null, { message: "null", code: undefined }],
  ])("returns message and code of anything thrown: %s", (error, expected) => {
    expect(asError(error)).toMatchObject(expected);
  });
});
