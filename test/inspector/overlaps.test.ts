import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findBrackets, findRaces, overlap } from "../../src/inspector/overlaps.js";

const start = Date.UTC(2026, 0, 31);
const timed = (id: number, from: number, durationMs: number | null) => ({
  id,
  at: new Date(start + from).toISOString(),
  durationMs,
  group: { team_id: 3, provided_id: "acme" },
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

describe("findRaces", () => {
  it("finds requests of one group that overlapped, also through a third one", () => {
    const entries = [timed(1, 0, 5), timed(2, 10, 50), timed(3, 20, 10), timed(4, 55, 10), timed(5, 90, 5)];
    expect(findRaces(entries.reverse())).toEqual([[2, 3, 4]]);
  });

  it("does not mix groups, nor groups of the same id in two teams", () => {
    const [first, second, third] = [timed(1, 0, 50), timed(2, 10, 50), timed(3, 20, 50)];
    second.group.provided_id = "globex";
    third.group.team_id = 4;
    expect(findRaces([third, second, first])).toEqual([]);
  });

  it("each member overlaps another member, and no request is in two races", () => {
    const requests = fc.array(
      fc.record({ gap: fc.integer({ min: 0, max: 20 }), durationMs: fc.integer({ min: 0, max: 40 }) }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(requests, (drawn) => {
        let at = 0;
        const entries = drawn.map(({ gap, durationMs }, i) => {
          at += gap;
          return timed(i + 1, at, durationMs);
        });
        const all = findRaces(entries.toReversed()).flat();
        expect(new Set(all).size).toBe(all.length);
        const overlapping = entries.filter((a) => entries.some((b) => a !== b && overlap(a, b)));
        expect(all.toSorted((a, b) => a - b)).toEqual(overlapping.map(({ id }) => id));
      }),
    );
  });
});

describe("findBrackets", () => {
  it("marks first, last, inner and passing rows", () => {
    const brackets = findBrackets([5, 4, 3, 2, 1], [[1, 2, 4]]);
    expect([...brackets].map(([id, [one]]) => [id, one?.part])).toEqual([
      [4, "first"],
      [3, "passing"],
      [2, "inner"],
      [1, "last"],
    ]);
  });

  it("gives brackets beside each other different lanes, and uses a lane again", () => {
    // The last race has only one visible row.
    const races = [
      [3, 5],
      [4, 6],
      [1, 2],
      [1, 9],
    ];
    const brackets = findBrackets([6, 5, 4, 3, 2, 1], races);
    expect(brackets.get(5)?.map(({ lane }) => lane)).toEqual([0, 1]);
    expect(brackets.get(2)?.map(({ lane }) => lane)).toEqual([0]);
  });
});
