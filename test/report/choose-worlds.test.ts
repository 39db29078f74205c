import { describe, expect, it } from "vitest";
import { chooseWorlds } from "../../src/report/choose-worlds.js";

const candidate = (name: string, isDropped: boolean, failures = 0, size = 10) => {
  return { name, isDropped, failures, size, requests: 2 };
};

describe("a report above its maximum size", () => {
  it("has existing worlds first, then those with failures, then the newest, and counts the rest", () => {
    const worlds = [
      candidate("oldest", true),
      candidate("failed", true, 1),
      candidate("huge", true, 0, 100),
      candidate("newest", true),
      candidate("exists", false),
    ];
    const { chosen, leftOut } = chooseWorlds(worlds, 1, 35);
    expect(chosen.map(({ name }) => name)).toEqual(["failed", "newest", "exists"]);
    expect(leftOut).toEqual([
      "The report is limited to about 0.000035 MB. It does not include 2 of 5 worlds, with 4 requests.",
      "The history is limited. The oldest 1 journal cannot be included.",
    ]);
  });

  it("has at least one world, and says nothing about others if there are none", () => {
    const { chosen, leftOut } = chooseWorlds([candidate("huge", false, 0, 100)], 0, 35);
    expect([chosen.map(({ name }) => name), leftOut]).toEqual([["huge"], []]);
  });
});
