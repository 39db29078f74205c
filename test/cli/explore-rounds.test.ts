import { describe, expect, it } from "vitest";
import { judgeRound, judgeSingle, planByFile, planRounds } from "../../src/lab/explore/rounds.js";
import { failureNames } from "../../src/run/injection.js";
import { draws } from "../long.js";
import { brokenIn, ModelSuite, type ModelTest } from "./explore-suite-model.js";

const suiteOf = (count: number, files = 3, more: (n: number) => Partial<ModelTest> = () => ({})) =>
  new ModelSuite(
    Array.from({ length: count }, (_, n) => ({
      name: `t${n}`,
      file: `${n % files}.test.ts`,
      ...more(n),
    })),
  );
const idsOf = ({ first }: ModelSuite) => first.map(({ id }) => id);

describe("the rounds of explore --faults", () => {
  it.each([
    [30, 19],
    [4, 19],
    [3, 21],
    [2, 28],
  ])("for %i tests with two requests each are %i", (count, rounds) => {
    const suite = suiteOf(count);
    const planned = planRounds(suite.points, idsOf(suite));
    expect(planned).toHaveLength(rounds);
    expect(new Set(planned.flatMap(({ points }) => points))).toEqual(new Set(suite.points));
    expect(planned.flatMap(({ points }) => points)).toHaveLength(suite.points.length);
  });

  it("have at most one failure per test and leave a rotating quarter of the tests without a failure", () => {
    const suite = suiteOf(30);
    const without = new Set<string>();
    for (const { points } of planRounds(suite.points, idsOf(suite))) {
      const withFailure = points.map(({ test }) => test?.id ?? "");
      expect(new Set(withFailure).size).toBe(withFailure.length);
      expect(withFailure.length).toBeLessThanOrEqual(23);
      for (const id of idsOf(suite)) if (!withFailure.includes(id)) without.add(id);
    }
    expect(without.size).toBe(30);
  });

  it("are as many as the test with the most requests needs", () => {
    const suite = suiteOf(8, 1, (n) => ({ requests: n === 5 ? 6 : 1 }));
    // At first, there are rounds in which that test has no failure.
    expect(planRounds(suite.points, idsOf(suite))).toHaveLength(45);
  });

  it("that confirm breaks have at most one failure per file", () => {
    const { points } = suiteOf(7, 3);
    const planned = planByFile(points);
    // Three of the seven tests are in one file.
    expect(planned).toHaveLength(3 * 14);
    for (const points of planned) {
      const files = points.map(({ test }) => test?.file);
      expect(new Set(files).size).toBe(files.length);
    }
    expect(planned.flat()).toHaveLength(points.length);
  });
});

describe("a round of explore --faults", () => {
  it("shows nothing if the command fails and no test has failed", () => {
    const suite = suiteOf(2);
    const points = suite.points.slice(0, 2);
    const ended = { ...suite.run({ points }), exitCode: 1 };
    expect([...judgeRound(points, ended, new Set(idsOf(suite))).verdicts.values()]).toEqual([
      "unknown",
      "unknown",
    ]);
  });
});

describe("explore --faults", () => {
  it("finds and confirms exactly the planted breaks", () => {
    const suite = suiteOf(30, 3, (n) => (n % 3 === 0 ? { under: { "2=lost": "failed" } } : {}));
    const { plan, runs } = suite.explore();
    const expected = Array.from({ length: 10 }, (_, n) => [`t${n * 3}/rotate:acme#2=lost`, "breaks"]);
    expect(brokenIn(plan)).toEqual(Object.fromEntries(expected));
    expect(plan.findings()).toHaveLength(420);
    expect(plan.findings().filter(({ isUnconfirmed }) => isUnconfirmed)).toEqual([]);
    // All ten are in one file.
    expect(runs.map(({ kind }) => kind).filter((kind) => kind !== "round")).toEqual(
      Array(10).fill("by file"),
    );
    expect(runs).toHaveLength(29);
  });

  it("reports a test that passes only after a retry as a break", () => {
    const suite = suiteOf(8, 2, (n) => (n === 4 ? { under: { "1=reset": "retried" } } : {}));
    expect(brokenIn(suite.explore().plan)).toEqual({ "t4/rotate:acme#1=reset": "breaks" });
  });

  it("tries a failure in its own run if its test did not run because another one crashed", () => {
    const suite = suiteOf(8, 2, (n) => (n === 0 ? { under: { "1=garbled": "crashes" } } : {}));
    const { plan, runs } = suite.explore();
    expect(brokenIn(plan)).toEqual({ "t0/rotate:acme#1=garbled": "breaks" });
    const single = runs.filter(({ kind }) => kind === "single").flatMap(({ points }) => points);
    expect(single.map(({ name }) => name)).toContain("t0/rotate:acme#1=garbled");
    expect(single.length).toBeLessThan(5);
  });

  it("finds tests that hang, and adds the timeouts of silent failures to the time limit", () => {
    const suite = suiteOf(8, 2, (n) => ({
      timeoutMs: n % 2 === 0 ? 0 : 4_000,
      ...(n === 2 && { under: { "1=silent": "hangs" } }),
      ...(n === 3 && { under: { "1=silent": "failed" } }),
    }));
    const { plan, runs } = suite.explore();
    expect(brokenIn(plan)).toEqual({
      "t2/rotate:acme#1=silent": "hangs",
      "t3/rotate:acme#1=silent": "breaks",
    });
    for (const { kind, points, extraMs } of runs) {
      const silent = points.filter(({ injection }) => injection.failure === "silent");
      const ended = silent.filter(({ test }) => test?.timeoutMs !== undefined);
      expect(extraMs).toBe(ended.length * 4_000);
      if (kind === "round") expect(ended).toEqual(silent);
    }
  });

  it("finds tests that influence each other, and tries their failures one at a time", () => {
    const suite = suiteOf(12, 2, (n) => ({
      ...(n === 6 && { dependsOn: "t2" }),
      ...(n === 7 && { under: { "1=lost": "failed" } }),
    }));
    const { plan, runs } = suite.explore();
    expect([...plan.disturbed.keys()]).toEqual(["t6"]);
    // Each failure of t2 breaks the suite: t6 fails.
    const ofSource = suite.points.filter(({ test }) => test?.id === "t2").map(({ name }) => [name, "breaks"]);
    expect(brokenIn(plan)).toEqual({ ...Object.fromEntries(ofSource), "t7/rotate:acme#1=lost": "breaks" });
    expect(runs.length).toBeLessThan(12 * 14);
  });

  it("finds tests of different files that influence each other", () => {
    const suite = suiteOf(12, 2, (n) => (n === 7 ? { dependsOn: "t2" } : {}));
    const { plan } = suite.explore();
    const ofSource = suite.points.filter(({ test }) => test?.id === "t2").map(({ name }) => [name, "breaks"]);
    expect(brokenIn(plan)).toEqual(Object.fromEntries(ofSource));
    expect([...plan.disturbed.keys()]).toEqual(["t7"]);
  });

  it("makes no more runs than --max-runs", () => {
    const { plan, runs } = suiteOf(30).explore({ maxRuns: 5 });
    expect(runs).toHaveLength(5);
    expect(plan.findings().length).toBeGreaterThan(5 * 20);
  });

  it("stops with --bail as soon as a break is confirmed", () => {
    const { plan, runs } = suiteOf(30, 3, () => ({ under: { "1=unavailable": "failed" } })).explore({
      bail: true,
    });
    expect(runs.map(({ kind }) => kind)).toEqual(["round", "by file"]);
    expect(plan.findings().some(({ isUnconfirmed, result }) => result === "breaks" && !isUnconfirmed)).toBe(
      true,
    );
  });

  it("tries failures of tests that share a world one at a time, and knows the test of each", () => {
    const suite = suiteOf(4, 2, (n) => ({
      ...(n < 2 && { sharedWorld: "default" }),
      ...(n === 1 && { under: { "1=lost": "failed" } }),
    }));
    const { plan, runs } = suite.explore();
    for (const { kind, points } of runs) {
      const ids = points.map(({ test }) => test?.id);
      if (kind === "single") expect(["t0", "t1"]).toContain(ids[0]);
      else expect(ids).not.toEqual(expect.arrayContaining([expect.stringMatching(/^t[01]$/)]));
    }
    expect(brokenIn(plan)).toEqual({ "t1/rotate:acme#1=lost": "breaks" });
    const [broken] = plan.findings().filter(({ result }) => result === "breaks");
    expect(broken?.point.test?.id).toBe("t1");
    expect(broken?.tests.filter(({ result }) => result === "failed").map(({ id }) => id)).toEqual(["t1"]);
  });

  it("makes one run for each failure of a single test", () => {
    const { runs } = suiteOf(1).explore();
    expect(runs.map(({ kind }) => kind)).toEqual(Array(14).fill("single"));
  });
});

describe("explore --faults of random suites", () => {
  /** Repeatable random numbers. */
  const numbers = (seed: number) => {
    let state = seed;
    return (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
  };

  it.each(Array.from({ length: draws(40, 400) }, (_, seed) => seed))(
    "finds what single runs find (seed %i)",
    (seed) => {
      const below = numbers(seed + 1);
      const count = 2 + below(14);
      const outcomes = ["failed", "retried", "hangs", "crashes"] as const;
      const suite = suiteOf(count, 1 + below(3), (n) => ({
        requests: 1 + below(3),
        timeoutMs: below(2) * 1_000,
        ...(below(3) === 0 && { under: { [`1=${failureNames[below(7)]}`]: outcomes[below(4)] ?? "failed" } }),
        ...(below(8) === 0 && { dependsOn: `t${(n + 1 + below(count - 1)) % count}` }),
      }));
      const { plan } = suite.explore();
      const reliable = new Set(idsOf(suite));
      const alone = suite.points.map((point) => [
        point.name,
        judgeSingle(suite.run({ points: [point] }), reliable),
      ]);
      const found = plan.findings().map(({ point, result }) => [point.name, result]);
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(alone));
    },
  );
});
