import { describe, expect, it } from "vitest";
import { hint, nearest } from "../../src/foundation/nearest.js";

describe("nearest", () => {
  const words = ["port", "host", "seed", "body-limit"];

  it.each([
    ["prot", "port"],
    ["prt", "port"],
    ["PORT", "port"],
    ["hosts", "host"],
    ["bodylimit", "body-limit"],
    ["bdy-limt", "body-limit"],
  ])("corrects %s to %s", (wrong, meant) => {
    expect(nearest(wrong, words)).toBe(meant);
  });

  it("does not correct a word that is far off, and hint lists all words instead", () => {
    expect(nearest("colour", words)).toBeUndefined();
    expect(nearest("xyz", words)).toBeUndefined();
    expect(hint("colour", words)).toBe("; expected one of port, host, seed, body-limit");
    expect(hint("prot", words)).toBe("; did you mean port?");
  });

  it.each([
    ["XX", ["EU", "US"]],
    ["x", ["a", "b"]],
    ["abc", ["axy", "xby"]],
    ["EU", []],
  ])("does not correct %s to one of %j", (wrong, others) => {
    expect(nearest(wrong, others)).toBeUndefined();
  });

  it("corrects a short word if one letter differs", () => {
    expect(nearest("eu", ["EU", "US"])).toBe("EU");
    expect(nearest("EUR", ["EU", "US"])).toBe("EU");
  });

  it("hint returns an empty text without words, and names a single word", () => {
    expect(hint("prot", [])).toBe("");
    expect(hint("colour", ["port"])).toBe("; expected port");
  });
});
