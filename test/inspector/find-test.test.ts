import { describe, expect, it } from "vitest";
import type { TestSummary } from "../../src/generated/types.js";
import { findTest } from "../../src/inspector/find-test.js";

const test = (world: string, epoch: number, state: TestSummary["state"], requests = 0): TestSummary => ({
  world,
  epoch,
  state,
  requests,
  failures: 0,
  startedAt: "2026-01-31T12:00:00.000Z",
});
/** Newest first. */
const tests = [
  test("w2", 1, "current"),
  test("w1", 2, "current", 3),
  test("w1", 1, "past", 5),
  test("gone", 1, "dropped", 1),
  test("default", 1, "current"),
];
const hasRequests = ({ requests }: TestSummary) => requests > 0;

describe("findTest", () => {
  it("opens the newest test with requests, or the default world if there are none", () => {
    expect(findTest({ follows: "newest" }, tests, [hasRequests])).toBe(tests[1]);
    const empty = tests.filter(({ requests }) => requests === 0);
    expect(findTest({ follows: "newest" }, empty, [hasRequests])).toBe(tests[4]);
  });

  it("prefers tests in the order of the preferences", () => {
    const isGone = ({ world }: TestSummary) => world === "gone";
    expect(findTest({ follows: "newest" }, tests, [isGone, hasRequests])).toBe(tests[3]);
  });

  it("follows a world, or stays at one test of it", () => {
    expect(findTest({ follows: "world", world: "w1" }, tests, [])).toBe(tests[1]);
    expect(findTest({ follows: "nothing", world: "w1", epoch: 1 }, tests, [])).toBe(tests[2]);
  });

  it("finds the last test of a dropped world, and nothing of an unknown one", () => {
    expect(findTest({ follows: "world", world: "gone" }, tests, [])).toBe(tests[3]);
    expect(findTest({ follows: "world", world: "never" }, tests, [])).toBeUndefined();
    expect(findTest({ follows: "nothing", world: "w1", epoch: 9 }, tests, [])).toBeUndefined();
  });
});
