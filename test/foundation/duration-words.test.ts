import { expect, it } from "vitest";
import { durationWords } from "../../src/foundation/duration-words.js";

it.each([
  [0.4, "0 ms"],
  [9_999, "9999 ms"],
  [10_000, "10 s"],
  [119_400, "119 s"],
  [1_090_282, "18 min 10 s"],
])("formats %d ms as %s", (ms, words) => {
  expect(durationWords(ms)).toBe(words);
});
