import { describe, expect, it } from "vitest";
import type { Profile } from "../../../src/index.js";
import { assumptionValues } from "../../../src/lab/explore/assumption-values.js";
import { type Change, failureChanges, wantedFailures } from "../../../src/lab/explore/changes.js";
import { planRounds } from "../../../src/lab/explore/plan-rounds.js";
import type { TestResult } from "../../../src/run/report-test.js";

const test = { id: "t", framework: "vitest", file: "a.test.ts", titles: ["t"], world: "t" } as const;

describe("the failures of a request", () => {
  const testIf = (result: TestResult["result"]) =>
    failureChanges(["t/rotate:acme#1"], ["lost"], [{ ...test, result }])[0]?.test?.id;

  it.each<[result: TestResult["result"], id: string | undefined]>([
    ["passed", "t"],
    ["retried", "t"],
    ["failed", undefined],
    ["skipped", undefined],
    ["unfinished", undefined],
  ])("may break the test that sent it, if that passed at last: %s", (result, id) => {
    expect(testIf(result)).toBe(id);
  });

  it("belong to the place of the request, and to none in the default world", () => {
    const changes = failureChanges(["rotate:a#1", "w3/rotate:a#1"], ["lost"], []);
    expect(changes.map(({ name, place }) => [name, place])).toEqual([
      ["rotate:a#1=lost", undefined],
      ["w3/rotate:a#1=lost", "w3"],
    ]);
  });

  it("come in turns: each failure of each operation of each place once, then those of further requests", () => {
    const requests = ["rotate:a#1", "rotate:a#2", "get-or-create:a#1", "w/rotate:a#1"];
    const changes = failureChanges(requests, ["lost", "cut"], []);
    expect(changes.map(({ name }) => name)).toEqual([
      "rotate:a#1=lost",
      "rotate:a#1=cut",
      "get-or-create:a#1=lost",
      "get-or-create:a#1=cut",
      "w/rotate:a#1=lost",
      "w/rotate:a#1=cut",
      "rotate:a#2=lost",
      "rotate:a#2=cut",
    ]);
  });
});

describe("the rounds of explore --faults", () => {
  const changesAt = (...places: readonly (string | undefined)[]) =>
    places.map((place, n): Change => ({ name: `${place}${n}`, of: "", to: "", place }));
  const shown = (...given: Parameters<typeof planRounds>) =>
    planRounds(...given).map((round) => round.map(({ name }) => name));

  it("give each place one change at a time", () => {
    expect(shown(changesAt("a", "a", "b", "a", "b"))).toEqual([["a0", "b2"], ["a1", "b4"], ["a3"]]);
  });

  it("leave what has no place alone in a run", () => {
    expect(shown(changesAt("a", undefined, "b", undefined))).toEqual([
      ["a0", "b2"],
      ["undefined1"],
      ["undefined3"],
    ]);
  });

  it("let each place skip one run, another one than its neighbour", () => {
    const rounds = shown(changesAt("a", "b", "c", "a", "b", "c"), true);
    expect(rounds).toEqual([
      ["b1", "c2"],
      ["a0", "c5"],
      ["a3", "b4"],
    ]);
  });

  it("have no run without a change if there is only one place", () => {
    expect(shown(changesAt("a", "a"), true)).toEqual([["a0"], ["a1"]]);
  });
});

describe("--only", () => {
  it("names failures, which are tried in our order", () => {
    expect(wantedFailures(["lost", "reset"])).toEqual(["reset", "lost"]);
  });

  it("names assumptions with all their other values, or one of these values", async () => {
    const valuesOf = (assume: Record<string, string>, ...only: string[]) =>
      assumptionValues({ profile: [], assume }, only);
    const values = await valuesOf({}, "existing-group=updated", "created-status");
    expect(values.map(({ name }) => name)).toEqual(["existing-group=updated", "created-status=201"]);
    expect((await valuesOf({}, "existing-group")).length).toBeGreaterThan(1);
    expect(await valuesOf({ "created-status": "201" }, "created-status")).toEqual([
      { name: "created-status=200", of: "created-status", to: "200", isKnown: false },
    ]);
  });

  it("says of a value that changes only situations of the profile that it is known", async () => {
    const known = (situations: Profile["situations"]) =>
      assumptionValues({ profile: [{ situations: { ...situations } }], assume: {} }, ["old-token"]).then(
        (values) => values.map(({ to, isKnown }) => [to, isKnown]),
      );
    expect(await known({ "current_token: previous": "rejected" })).toEqual([
      ["accepted", false],
      ["previous", true],
    ]);
    expect(await known({})).toEqual([
      ["accepted", false],
      ["previous", false],
    ]);
  });
});
