import { describe, expect, it } from "vitest";
import { hint, nearest } from "../../src/foundation/nearest.js";

describe("nearest", () => {
  const words = ["port", "host", "seed", "ready-file"];

  it.each([
    ["prot", "port"],
    ["prt", "port"],
    ["PORT", "port"],
    ["hosts", "host"],
    ["readyfile", "ready-file"],
    ["redy-fil", "ready-file"],
  ])("takes %s for %s", (wrong, meant) => {
    expect(nearest(wrong, words)).toBe(meant);
  });

  it("does not guess what is far off, but tells what there is", () => {
    expect(nearest("colour", words)).toBeUndefined();
    expect(nearest("xyz", words)).toBeUndefined();
    expect(hint("colour", words)).toBe("; there is port, host, seed, ready-file");
    expect(hint("prot", words)).toBe("; did you mean port?");
  });

  it.each([
    ["XX", ["EU", "US"]],
    ["x", ["a", "b"]],
    ["abc", ["axy", "xby"]],
    ["EU", []],
  ])("does not take %s for one of %j", (wrong, others) => {
    expect(nearest(wrong, others)).toBeUndefined();
  });

  it("takes short words for each other when one letter differs, or two are swapped", () => {
    expect(nearest("UE", ["EU", "US"])).toBe("EU");
    expect(nearest("ulr", ["url", "apiToken"])).toBe("url");
    expect(nearest("eu", ["EU", "US"])).toBe("EU");
    expect(nearest("EUR", ["EU", "US"])).toBe("EU");
  });

  it("gives no hint where there is nothing to choose from", () => {
    expect(hint("prot", [])).toBe("");
  });
});
