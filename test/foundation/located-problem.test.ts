import { describe, expect, it } from "vitest";
import { asError } from "../../src/foundation/located-problem.js";

describe("asError", () => {
  it.each([
    [Object.assign(new Error("no"), { code: "ENOENT" }), { message: "no", code: "ENOENT" }],
    [new Error("no"), { message: "no", code: undefined }],
    ["no", { message: "no", code: undefined }],
    [undefined, { message: "undefined", code: undefined }],
    [null, { message: "null", code: undefined }],
    [Object.assign(Object.create(null), { status: 401 }), { message: '{"status":401}' }],
    [{ n: 1n }, { message: "an object that is not JSON" }],
  ])("returns message and code of anything thrown: %#", (error, expected) => {
    expect(asError(error)).toMatchObject(expected);
  });
});
