import { expect, it } from "vitest";
import { counted, sentence } from "../../src/foundation/grammar.js";

it("counts one thing in the singular", () => {
  expect([0, 1, 2].map((number) => counted(number, "call"))).toEqual(["0 calls", "1 call", "2 calls"]);
});

it("ends a sentence with one mark", () => {
  expect(["It is", "It is.", "Is it?"].map(sentence)).toEqual(["It is.", "It is.", "Is it?"]);
});
