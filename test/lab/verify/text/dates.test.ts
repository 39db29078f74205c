import { describe, expect, it } from "vitest";
import { FirstTime, isTime } from "../../../../src/lab/verify/text/dates.js";

it.each([
  1_790_000_000,
  1_790_000_000_000,
  1_790_000_000_000_000,
  1_790_000_000.25,
  "1790000000",
  "2026-11-18",
  "2026-11-18T10:20",
  "2026-11-18 10:20:30",
  "2026-11-18T10:20:30Z",
  "2026-11-18T10:20:30.123456789+01:00",
  "2026-11-18T10:20:30-0330",
  "Wed, 18 Nov 2026 10:20:30 GMT",
])("%j is a time", (value) => {
  expect(isTime(value)).toBe(true);
});

it.each([
  0,
  1_490_000_000,
  2_000_000_000,
  17_900_000_000,
  179_000_000,
  "",
  "2026",
  "on 2026-11-18T10:20Z",
  "2026-11-18T10:20Z or later",
  "x2026-11-18",
  null,
  true,
  ["2026-11-18"],
])("%j is no time", (value) => {
  expect(isTime(value)).toBe(false);
});

describe("the times of a run become equal to the first", () => {
  it("of the same form", () => {
    const times = new FirstTime();
    const first = [1_790_000_000, "1790000001", 1_790_000_002_000, "2026-11-18", "2026-11-18T10:20Z"];
    expect(first.map((time) => times.settle(time))).toEqual(first);
    const later = [1_790_000_010, "1790000011", 1_790_000_012_000, "2026-11-19", "2026-11-19T10:20Z"];
    expect(later.map((time) => times.settle(time))).toEqual(first);
  });

  it("in texts, each of them", () => {
    const times = new FirstTime();
    expect(times.settle("at 2026-11-18T10:20:30Z")).toBe("at 2026-11-18T10:20:30Z");
    expect(times.settle("from 2026-11-19T10:20:30Z to 2026-11-20T10:20:30Z")).toBe(
      "from 2026-11-18T10:20:30Z to 2026-11-18T10:20:30Z",
    );
  });

  it("and other values stay", () => {
    const times = new FirstTime();
    expect([5, "text", null].map((value) => times.settle(value))).toEqual([5, "text", null]);
  });
});
