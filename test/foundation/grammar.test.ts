import { expect, it } from "vitest";
import { counted, durationWords, sentence } from "../../src/foundation/grammar.js";

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

it.each([
  [0.4, "0 ms"],
  [9_999, "9999 ms"],
  [10_000, "10 s"],
  [119_400, "119 s"],
  [1_090_282, "18 min 10 s"],
])("formats %d ms as %s", (ms, words) => {
  expect(durationWords(ms)).toBe(words);
});
