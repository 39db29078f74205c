import { describe, expect, it } from "vitest";
import { collectResults, type TestLine } from "../../src/run/report-test.js";

const test = { id: "t", framework: "vitest", file: "a.test.ts", titles: ["t"], world: "t" } as const;
const lines = (...results: TestLine["result"][]): TestLine[] =>
  results.map((result, at) => ({ ...test, at, ...(result && { result }) }));
const begins = undefined;

describe("collectResults", () => {
  it.each([
    ["passed", lines(begins, "passed")],
    ["failed", lines(begins, "failed")],
    ["failed", lines(begins, "failed", begins, "failed")],
    ["retried", lines(begins, "failed", begins, "passed")],
    ["skipped", lines(begins, "skipped")],
    ["unfinished", lines(begins)],
    ["unfinished", lines(begins, "failed", begins)],
  ])("returns %s for the lines %j", (result, written) => {
    expect(collectResults(written)).toEqual([{ ...test, result }]);
  });

  it("orders attempts of several processes by time", () => {
    const [first, failed, second, passed] = lines(begins, "failed", begins, "passed");
    const attempts = [second, passed, first, failed].filter((line) => line !== undefined);
    expect(collectResults(attempts)).toEqual([{ ...test, result: "retried" }]);
  });

  it("keeps how an earlier attempt failed", () => {
    const [first, failed, second, passed] = lines(begins, "failed", begins, "passed");
    const failure = { title: "t" };
    const attempts = [first, failed && { ...failed, failure }, second, passed];
    const written = attempts.filter((line) => line !== undefined);
    expect(collectResults(written)).toEqual([{ ...test, result: "retried", failure }]);
  });

  it("lists tests in the order in which they began", () => {
    const another = { ...test, id: "u", titles: ["u"], at: -1 };
    expect(collectResults([...lines(begins, "passed"), another]).map(({ id }) => id)).toEqual(["u", "t"]);
  });
});
