import { describe, expect, it } from "vitest";
import { failureChanges, wantedFailures, wantedValues } from "../../../src/lab/explore/changes.js";
import type { TestResult } from "../../../src/run/report-test.js";
import { defaultBehaviour } from "../../default-behaviour.js";

describe("the failures of a request", () => {
  const test = { id: "t", framework: "vitest", file: "a.test.ts", titles: ["t"], world: "t" } as const;
  const ownersIf = (result: TestResult["result"]) =>
    failureChanges(["t/rotate:acme#1"], ["lost"], [{ ...test, result }]).flatMap(({ tests }) => tests);

  it.each<[result: TestResult["result"], owners: number]>([
    ["passed", 1],
    ["retried", 1],
    ["failed", 0],
    ["skipped", 0],
    ["unfinished", 0],
  ])("may break the test that sent it, if that passed at last: %s", (result, owners) => {
    expect(ownersIf(result)).toHaveLength(owners);
  });

  it("come in rounds: each failure of each operation once, then those of further requests", () => {
    const requests = ["rotate:a#1", "rotate:a#2", "get-or-create:a#1"];
    const changes = failureChanges(requests, ["lost", "cut"], []);
    expect(changes.map(({ name }) => name)).toEqual([
      "rotate:a#1=lost",
      "rotate:a#1=cut",
      "get-or-create:a#1=lost",
      "get-or-create:a#1=cut",
      "rotate:a#2=lost",
      "rotate:a#2=cut",
    ]);
  });
});

describe("--only", () => {
  it("names failures, which are tried in our order", () => {
    expect(wantedFailures(["lost", "reset"])).toEqual(["reset", "lost"]);
  });

  it("names assumptions with all their other values, or one of these values", () => {
    const namesOf = (...wanted: string[]) => wantedValues(defaultBehaviour, wanted).map(({ name }) => name);
    expect(namesOf("existing-group=updated", "created-status")).toEqual([
      "existing-group=updated",
      "created-status=201",
    ]);
    expect(namesOf("existing-group").length).toBeGreaterThan(1);
    expect(
      wantedValues(defaultBehaviour.with({ "created-status": "201" }, "set"), ["created-status"]),
    ).toEqual([{ name: "created-status=200", of: "created-status", to: "200" }]);
  });
});
