import { describe, expect, it } from "vitest";
import { firstHalf } from "../../src/server/break-response.js";

describe("firstHalf", () => {
  it.each([
    ["", ""],
    ["a", ""],
    ["abcd", "ab"],
    ["abcde", "ab"],
    ["a😀b", "a"],
    ["😀😀", "😀"],
    ["😀abc😀", "😀a"],
  ])("of %j is %j, without cutting a character", (text, half) => {
    expect(firstHalf(text)).toBe(half);
  });
});
