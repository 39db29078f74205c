import { describe, expect, it } from "vitest";
import { firstHalf } from "../../src/http/break-response.js";

describe("the first half of an answer", () => {
  it.each([
    ["", ""],
    ["a", ""],
    ["abcd", "ab"],
    ["abcde", "ab"],
    ["a😀b", "a"],
    ["😀😀", "😀"],
    ["😀abc😀", "😀a"],
  ])("of %j is %j: no character is cut", (text, half) => {
    expect(firstHalf(text)).toBe(half);
  });
});
