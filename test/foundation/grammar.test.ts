import { expect, it } from "vitest";
import { counted, sentence } from "../../src/foundation/grammar.js";

it("counted uses the singular for one", () => {
  expect([0, 1, 2].map((number) => counted(number, "request"))).toEqual([
    "0 requests",
    "1 request",
    "2 requests",
  ]);
});

it("sentence ends a text with exactly one punctuation mark", () => {
  expect(["It is", "It is.", "Is it?"].map(sentence)).toEqual(["It is.", "It is.", "Is it?"]);
});
