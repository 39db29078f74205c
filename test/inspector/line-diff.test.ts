import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines } from "../../src/inspector/line-diff.js";

const lines = fc.array(fc.constantFrom("a", "b", "c", "{", "}"), { maxLength: 12 });

describe("diffLines", () => {
  it("keeps all lines of both sides in their order", () => {
    fc.assert(
      fc.property(lines, lines, (left, right) => {
        const compared = diffLines(left, right);
        expect(compared.flatMap((line) => line.left ?? [])).toEqual(left);
        expect(compared.flatMap((line) => line.right ?? [])).toEqual(right);
      }),
    );
  });

  it("finds no difference between equal texts", () => {
    fc.assert(
      fc.property(lines, (both) => {
        expect(diffLines(both, both).every(({ left, right }) => left === right)).toBe(true);
      }),
    );
  });

  it("aligns equal lines, and changed lines with their replacement", () => {
    expect(diffLines(["a", "b", "c"], ["a", "x", "c", "d"])).toEqual([
      { left: "a", right: "a" },
      { left: "b", right: "x" },
      { left: "c", right: "c" },
      { left: undefined, right: "d" },
    ]);
  });

  it("handles 5,000 lines that have nothing in common", () => {
    const many = (word: string) => Array.from({ length: 5_000 }, (_, n) => `${word} ${n}`);
    expect(diffLines(many("left"), many("right"))).toHaveLength(5_000);
  });
});
