import { describe, expect, it } from "vitest";
import { overlap } from "../../src/inspector/overlaps.js";

const start = Date.UTC(2026, 0, 31);
const timed = (id: number, from: number, durationMs: number | null) => ({
  id,
  at: new Date(start + from).toISOString(),
  durationMs,
});

describe("overlap", () => {
  it.each([
    ["the later request began before the earlier one ended", timed(1, 0, 50), timed(2, 40, 1), true],
    ["the earlier request ended first", timed(1, 0, 30), timed(2, 40, 1), false],
    ["the earlier request still waits", timed(1, 0, null), timed(2, 9_000, 1), true],
    ["one may have followed the other within a millisecond", timed(1, 0, 0.4), timed(2, 0, 0.4), false],
  ])("%s", (_, one, other, expected) => {
    expect([overlap(one, other), overlap(other, one)]).toEqual([expected, expected]);
  });
});
