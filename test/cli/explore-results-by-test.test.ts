import { describe, expect, it } from "vitest";
import { breakLine, resultsByTest } from "../../src/lab/explore/results-by-test.js";
import type { FailureName } from "../../src/run/injection.js";
import type { TestResult } from "../../src/run/test-results.js";
import { ModelSuite, type ModelTest } from "./explore-suite-model.js";

const failed = (title: string, file: string): TestResult => ({
  id: title,
  framework: "vitest",
  file,
  titles: [title],
  world: title,
  result: "failed",
});

describe("the line of explore for one change", () => {
  it("names the tests that break", () => {
    const tests = [
      failed("rotates twice", "rotate.test.ts"),
      { ...failed("creates", "create.test.ts"), result: "passed" } as const,
      { ...failed("renews", "rotate.test.ts"), titles: ["a block", "renews"], result: "retried" } as const,
    ];
    expect(breakLine("old-token=accepted", tests, 30)).toEqual([
      "old-token=accepted breaks 2 of 30 tests: rotates twice (rotate.test.ts), a block > renews (rotate.test.ts)",
    ]);
  });

  it("names five tests and counts the others", () => {
    const tests = Array.from({ length: 7 }, (_, n) => failed(`t${n}`, "a.test.ts"));
    const five = "t0 (a.test.ts), t1 (a.test.ts), t2 (a.test.ts), t3 (a.test.ts), t4 (a.test.ts)";
    expect(breakLine("lost", tests, 8)).toEqual([`lost breaks 7 of 8 tests: ${five} and 2 more`]);
  });

  it("has the singular for one test", () => {
    expect(breakLine("lost", [failed("creates", "a.test.ts")], 1)).toEqual([
      "lost breaks 1 of 1 test: creates (a.test.ts)",
    ]);
  });

  it("is missing if no test is known to break", () => {
    expect(breakLine("lost", [{ ...failed("creates", "a.test.ts"), result: "skipped" }], 1)).toEqual([]);
  });
});

describe("the summary of explore --faults by test", () => {
  const failures: readonly FailureName[] = ["lost", "cut"];
  const summaryOf = (tests: readonly ModelTest[], of = failures) => {
    const { plan } = new ModelSuite(tests, of).explore();
    return resultsByTest(of, plan.findings(), tests.length);
  };
  const sturdy = (name: string): ModelTest => ({ name, file: "a.test.ts" });
  const brokenBy = (...points: string[]) =>
    Object.fromEntries(points.map((point) => [point, "failed" as const]));

  it("is empty if every test survives every failure", () => {
    expect(summaryOf([sturdy("creates"), sturdy("rotates")])).toEqual([]);
  });

  it("names the tests that each failure breaks, and those that survive no failure", () => {
    const hopeless = { ...sturdy("rotates"), under: brokenBy("1=lost", "1=cut", "2=lost", "2=cut") };
    const weak = { ...sturdy("renews"), file: "b.test.ts", under: brokenBy("2=lost") };
    expect(summaryOf([sturdy("creates"), hopeless, weak])).toEqual([
      "lost breaks 2 of 3 tests: rotates (a.test.ts), renews (b.test.ts)",
      "cut breaks 1 of 3 tests: rotates (a.test.ts)",
      "Tests that survive no failure: rotates (a.test.ts)",
    ]);
  });

  it("names the requests that no test recovers from", () => {
    const weak = (name: string) => ({ ...sturdy(name), under: brokenBy("2=lost", "2=cut") });
    expect(summaryOf([weak("creates"), weak("rotates")])).toEqual([
      "lost breaks 2 of 2 tests: creates (a.test.ts), rotates (a.test.ts)",
      "cut breaks 2 of 2 tests: creates (a.test.ts), rotates (a.test.ts)",
      "Requests that no test recovers from: rotate:acme#2",
    ]);
  });

  it("does not blame a test for another test that its failure breaks", () => {
    const disturbed = { ...sturdy("depends"), requests: 0, dependsOn: "creates" };
    expect(summaryOf([sturdy("creates"), disturbed, sturdy("rotates")], ["lost"])).toEqual([
      "lost breaks 1 of 3 tests: depends (a.test.ts)",
    ]);
  });
});
