import { describe, expect, it } from "vitest";
import type { Change, EndedRun } from "../../../src/lab/explore/changes.js";
import { judgeTest, observeRuns, type Verdict } from "../../../src/lab/explore/observe-runs.js";
import type { TestResult } from "../../../src/run/report-test.js";
import { ModelSuite } from "./suite-model.js";

const suite = new ModelSuite(
  [0, 1].map((n) => ({ name: `t${n}`, file: "a", requests: 1 })),
  { failures: ["lost"] },
);
const [change = expect.fail(), other = expect.fail()] = suite.changes;

interface Shown {
  /** Of `t0` and `t1`. Missing: the test was not reached. */
  readonly results: readonly (TestResult["result"] | undefined)[];
  readonly changes?: readonly Change[];
  /** Whether the failures were injected. */
  readonly isMet?: boolean;
  readonly hasRecovered?: boolean;
  readonly hangs?: boolean;
  /** By default, that of a run whose tests explain it. */
  readonly exitCode?: number;
}

function runWith({
  results,
  changes = [change],
  isMet = true,
  hasRecovered = false,
  hangs = false,
  ...more
}: Shown) {
  const run = suite.run(changes);
  const tests = results.flatMap((result, n) => {
    const test = suite.first[n];
    return result === undefined || test === undefined ? [] : { ...test, result };
  });
  const isBad = tests.some(({ result }) => result !== "passed");
  const injected = new Set(isMet ? changes.map(({ name }) => name) : []);
  const recovered = new Set(hasRecovered ? [change.name] : []);
  const seen = { ...run.seen, tests, injected, recovered };
  return { ...run, seen, hangs, exitCode: isBad || hangs ? 1 : 0, ...more } satisfies EndedRun;
}

describe("a run with one failure shows of its test", () => {
  it.each<[verdict: Verdict, what: string, shown: Shown]>([
    ["survives", "passes", { results: ["passed", "passed"] }],
    ["survives", "passes, though another one fails", { results: ["passed", "failed"] }],
    ["survives", "is skipped", { results: ["skipped", "passed"], exitCode: 0 }],
    ["survives", "passes after a recovery", { results: ["passed", "passed"], hasRecovered: true }],
    ["breaks", "fails", { results: ["failed", "passed"] }],
    ["breaks", "passes only when it is retried", { results: ["retried", "passed"] }],
    ["breaks", "does not end", { results: ["unfinished"] }],
    ["breaks", "is not reached, because another one fails", { results: [undefined, "failed"] }],
    ["breaks", "passes, but the command fails", { results: ["passed", "passed"], exitCode: 1 }],
    ["recovers", "fails, but the program got through", { results: ["failed"], hasRecovered: true }],
    ["hangs", "hangs", { results: ["unfinished"], hangs: true }],
    ["not met", "passes without the request", { results: ["passed", "passed"], isMet: false }],
    ["not met", "fails without the request", { results: ["failed", "passed"], isMet: false }],
  ])("%s: %s", (verdict, _, shown) => {
    expect(judgeTest("t0", change, runWith(shown))).toBe(verdict);
  });
});

describe("a run with failures in two tests shows of the first one", () => {
  const changes = [change, other];
  it.each<[verdict: Verdict | undefined, what: string, shown: Shown]>([
    ["survives", "passes", { results: ["passed", "failed"], changes }],
    ["breaks", "fails", { results: ["failed", "passed"], changes }],
    ["not met", "passes without the request", { results: ["passed", "passed"], changes, isMet: false }],
    ["unknown", "fails without the request", { results: ["failed", "passed"], changes, isMet: false }],
    ["unknown", "is not reached", { results: [undefined, "failed"], changes }],
    ["unknown", "does not end", { results: ["unfinished", "passed"], changes }],
    ["unknown", "passes, but the command fails", { results: ["passed", "passed"], changes, exitCode: 1 }],
    ["hangs", "hangs alone", { results: ["unfinished", "passed"], changes, hangs: true }],
    [
      "unknown",
      "hangs, and so does the other one",
      { results: ["unfinished", "unfinished"], changes, hangs: true },
    ],
    [
      undefined,
      "is kept from starting by the other one",
      { results: [undefined, "unfinished"], changes, hangs: true },
    ],
    [
      "survives",
      "passes before the other one hangs",
      { results: ["passed", "unfinished"], changes, hangs: true },
    ],
  ])("%s: %s", (verdict, _, shown) => {
    expect(judgeTest("t0", change, runWith(shown))).toBe(verdict);
  });
});

describe("a run shows the error of a test", () => {
  /** The error of a test that fails with this message. */
  function errorOf(message: string): string | undefined {
    const run = suite.run([change]);
    const [test = expect.fail()] = suite.first;
    const failure = { title: "t0", error: { message } };
    const seen = { ...run.seen, tests: [{ ...test, result: "failed", failure } as const] };
    return observeRuns([{ ...run, exitCode: 1, seen }]).get("t0")?.[0]?.error;
  }

  it("without what differs from run to run, such as ports and ids", () => {
    const refused = (port: number) => errorOf(`connect ECONNREFUSED 127.0.0.1:${port}`);
    expect(refused(43_210)).toBe(refused(5_001));
    expect(errorOf("no token 0123456789abcdef")).toBe(errorOf("no token fedcba9876543210"));
    expect(errorOf("HTTP 404")).not.toBe(errorOf("HTTP 409"));
  });

  it("in one short line without colours", () => {
    expect(errorOf(" expected \u001b[31m1\u001b[0m\n  to be 2\n")).toBe("expected 1 to be 2");
    expect(errorOf("x ".repeat(300))).toHaveLength(200);
    expect(errorOf(" \n")).toBeUndefined();
  });
});

describe("a run with a change of the whole command", () => {
  it("shows only whether the command survives, because the change concerns every test", () => {
    const whole = { ...change, tests: [] };
    const shown = runWith({ results: ["passed", "failed"], changes: [whole] });
    expect(Array.from(observeRuns([shown]), ([id, ones]) => [id, ones[0]?.verdict])).toEqual([
      ["", "breaks"],
    ]);
  });
});

describe("a run without a failure", () => {
  it("shows a test that ended, but not one that was skipped or did not end", () => {
    const verdictsIn = (...results: TestResult["result"][]) =>
      Array.from(observeRuns([runWith({ results, changes: [] })]), ([id, ones]) => [id, ones[0]?.verdict]);
    expect(verdictsIn("passed", "skipped")).toEqual([
      ["t0", "survives"],
      ["", "breaks"],
    ]);
    expect(verdictsIn("unfinished", "failed")).toEqual([
      ["t1", "breaks"],
      ["", "breaks"],
    ]);
    expect(verdictsIn("passed", "retried")).toEqual([
      ["t0", "survives"],
      ["t1", "breaks"],
      ["", "breaks"],
    ]);
  });
});
