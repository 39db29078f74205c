import { describe, expect, it } from "vitest";
import {
  type Change,
  type EndedRun,
  failureChanges,
  ownersOf,
  type PlannedRun,
  wantedValues,
} from "../../../src/lab/explore/changes.js";
import { judgeTest } from "../../../src/lab/explore/observe-runs.js";
import { planRounds, planRuns } from "../../../src/lab/explore/plan-runs.js";
import { failureNames } from "../../../src/run/injection.js";
import { defaultBehaviour } from "../../default-behaviour.js";
import { draws, isLong } from "../../long.js";
import { ModelSuite, type ModelTest, modelTests, notSurviving, randomNumbers } from "./suite-model.js";

const suiteOf = (count: number, files = 3, more: (n: number) => Partial<ModelTest> = () => ({})) =>
  new ModelSuite(modelTests(count, files, more));
const idsOf = ({ first }: ModelSuite) => first.map(({ id }) => id);
const under = (point: string, result: "failed" | "recovers" | "retried" | "hangs" | "crashes") => ({
  under: { [point]: result },
});
/** How many failures each run has. */
const sizesOf = (runs: readonly PlannedRun[]) => runs.map(({ changes }) => changes.length);
/** What a run has shown of a failure. */
const judge = (change: Change, shown: EndedRun) =>
  ownersOf(change)
    .map((id) => judgeTest(id, change, shown))
    .join();

/** Explores a suite repeatedly: how many breaks it finds, how many of the other results are breaks, and in how many runs. */
function countBreaks(
  suite: ModelSuite,
  times: number,
  isBreak: (change: Change) => boolean,
  { changes = suite.changes, isShaky = (_: Change): boolean => true } = {},
) {
  const explored = Array.from({ length: times }, () => suite.explore({ changes, maxRuns: 200 }));
  const findings = explored.flatMap(({ plan }) => plan.findings);
  for (const { change, result } of findings)
    if (!isShaky(change)) expect(result === "breaks", change.name).toBe(isBreak(change));
  const share = (areBreaks: boolean) => {
    const some = findings.filter(({ change }) => isShaky(change) && isBreak(change) === areBreaks);
    return some.filter(({ result }) => result === "breaks").length / some.length;
  };
  const runs = explored.reduce((sum, one) => sum + one.runs.length, 0) / times;
  const counts = { found: share(true), wrong: share(false), runs };
  if (isLong) console.log(counts);
  return counts;
}

describe("the rounds of explore --faults", () => {
  it.each([30, 4, 1])("for %i tests with two requests each are few, and try each point once", (count) => {
    const suite = suiteOf(count);
    const planned = planRounds(suite.changes);
    expect(planned.length).toBeLessThanOrEqual(24);
    expect(planned.flat()).toHaveLength(suite.changes.length);
    expect(new Set(planned.flat())).toEqual(new Set(suite.changes));
  });

  it("have at most one failure per test and leave every test without a failure in some rounds", () => {
    const suite = suiteOf(30);
    const without = new Set<string>();
    for (const changes of planRounds(suite.changes)) {
      const withFailure = changes.flatMap(ownersOf);
      expect(new Set(withFailure).size).toBe(withFailure.length);
      for (const id of idsOf(suite)) if (!withFailure.includes(id)) without.add(id);
    }
    expect(without.size).toBe(30);
  });
});

describe("explore --faults", () => {
  it("finds and confirms exactly the planted breaks", () => {
    const { plan, runs } = suiteOf(30, 3, (n) => (n % 3 === 0 ? under("2=lost", "failed") : {})).explore();
    const expected = Array.from({ length: 10 }, (_, n) => [`t${n * 3}/rotate:acme#2=lost`, "breaks"]);
    expect(notSurviving(plan)).toEqual(Object.fromEntries(expected));
    expect(plan.findings).toHaveLength(420);
    // The rounds, a few to try ten points again, and one without a failure.
    expect(runs.length).toBeLessThan(30);
    expect(sizesOf(runs).filter((size) => size === 0)).toHaveLength(1);
  });

  it.each([
    ["recovers", "recovers"],
    ["retried", "breaks"],
    ["crashes", "breaks"],
    ["hangs", "hangs"],
  ] as const)(
    "reports a test that %s with a failure as one that %s, and no other test",
    (outcome, result) => {
      const { plan, runs } = suiteOf(8, 2, (n) => (n === 0 ? under("1=garbled", outcome) : {})).explore();
      expect(notSurviving(plan)).toEqual({ "t0/rotate:acme#1=garbled": result });
      expect(sizesOf(runs).filter((size) => size === 1).length).toBeLessThan(9);
    },
  );

  it("shows nothing if the command fails and no test has failed", () => {
    const suite = suiteOf(2);
    const changes = suite.changes.slice(0, 2);
    const shown = { ...suite.run(changes), exitCode: 1 };
    expect(changes.map((change) => judge(change, shown))).toEqual(["unknown", "unknown"]);
  });

  it.each([2, 1])("finds tests that influence each other in %i files, and blames no test", (files) => {
    const suite = suiteOf(12, files, (n) => ({
      ...(n === 7 && { dependsOn: "t2" }),
      ...(n === 6 && under("1=lost", "failed")),
    }));
    const { plan, runs } = suite.explore();
    expect([...plan.influenced]).toEqual(["t7"]);
    expect(plan.flaky.size).toBe(0);
    expect(notSurviving(plan)).toEqual({ "t6/rotate:acme#1=lost": "breaks" });
    expect(sizesOf(runs)).toContain(0);
    expect(runs.length).toBeLessThan(60);
  });

  it("blames no test that depends on one request of another test, and not on the others", () => {
    const more = (n: number) => (n === 1 ? { dependsOn: "t0#1" } : {});
    const { plan } = new ModelSuite(modelTests(4, 2, more), {
      failures: ["reset", "lost", "garbled"],
    }).explore();
    expect([...plan.influenced]).toEqual(["t1"]);
    expect(notSurviving(plan)).toEqual({});
  });

  describe("of a weak client", () => {
    const weakKinds: readonly string[] = failureNames.filter((name) => name !== "unavailable");
    /** Eight tests with one to five requests. Every failure but a 503 breaks them, with `errors` different errors. */
    const weakSuite = (errors: number, count = 8) =>
      suiteOf(count, 1, (n) => ({
        requests: n === 3 ? 5 : 1 + (n % 2),
        under: Object.fromEntries(
          [1, 2, 3, 4, 5].flatMap((request) =>
            weakKinds.map((kind) => [`${request}=${kind}`, "failed"] as const),
          ),
        ),
        errorOf: (kind: string) => `error ${weakKinds.indexOf(kind) % errors}`,
      }));

    it.each([1, 2, 6])(
      "confirms each of %i errors once for all tests, and finds what single runs find",
      (errors) => {
        const suite = weakSuite(errors);
        const { plan, runs } = suite.explore();
        const alone = suite.changes.map((change) => [change.name, judge(change, suite.run([change]))]);
        const found = plan.findings.map(({ change, result }) => [change.name, result]);
        expect(found).toEqual(alone);
        const rounds = planRounds(suite.changes).length;
        expect(rounds).toBeLessThanOrEqual((4 / 3) * 35);
        // One run without a failure.
        expect(runs).toHaveLength(rounds + 1 + errors);
      },
    );

    it("needs few more runs for 30 tests with one request, of which many were never seen without a failure beside each other", () => {
      const suite = suiteOf(30, 1, () => ({
        requests: 1,
        under: Object.fromEntries(weakKinds.map((kind) => [`1=${kind}`, "failed"] as const)),
      }));
      const { plan, runs } = suite.explore();
      expect(Object.values(notSurviving(plan))).toEqual(Array(180).fill("breaks"));
      expect(runs.length).toBeLessThan(16);
    });

    it("that also hangs makes one run for each request that hangs, and tries none alone", () => {
      const suite = suiteOf(8, 1, () => ({
        requests: 1,
        under: { "1=silent": "hangs", "1=reset": "failed" },
      }));
      const { plan, runs } = suite.explore();
      expect(plan.findings.filter(({ result }) => result === "hangs")).toHaveLength(8);
      expect(plan.findings.filter(({ result }) => result === "breaks")).toHaveLength(8);
      expect(runs.filter(({ hangs }) => hangs)).toHaveLength(8);
      expect(runs.length).toBeLessThan(9 + 8 + 4);
    });
  });

  it("calls a test flaky that passed in the first run only when it was retried, and tries its failures", () => {
    const suite = suiteOf(2, 2, () => ({ requests: 1 }));
    const run = suite.run([]);
    const tests = suite.first.map((test, n) => (n === 0 ? { ...test, result: "retried" as const } : test));
    const first = { ...run, seen: { ...run.seen, tests } };
    const plan = planRuns({ changes: suite.changes, first, maxRuns: 100 }, []);
    expect([...plan.flaky]).toEqual([["t0", first]]);
    expect(plan.next?.runs.flatMap(({ changes }) => changes)).toHaveLength(suite.changes.length);
  });

  it("names each run after its only failure, or by its number: the first run is number 1", () => {
    const suite = suiteOf(3);
    const first = suite.run([]);
    const plannedFor = (changes: readonly Change[], ended: readonly EndedRun[]) =>
      planRuns({ changes, first, maxRuns: 100 }, ended).next?.runs ?? [];
    const [run = expect.fail()] = plannedFor(suite.changes, []);
    expect(run.name).toBe(`run 2 with ${run.changes.length} failures`);
    const changes = suite.changes.slice(0, 1);
    expect(plannedFor(changes, []).map(({ name }) => name)).toEqual([`t0: rotate:acme#1=${failureNames[0]}`]);
    const ended = { ...suite.run(changes, "a"), exitCode: 1 };
    expect(plannedFor(changes, [ended]).map(({ name }) => name)).toContain("run 3 without a failure");
  });

  it("tries failures alone whose tests did not end together", () => {
    const suite = new ModelSuite(
      modelTests(3, 3, () => ({ requests: 1 })),
      { failures: ["lost"] },
    );
    const run = suite.run(suite.changes);
    const tests = suite.first.map((test) => ({ ...test, result: "unfinished" as const }));
    const ended = { ...run, hangs: true, exitCode: 137, seen: { ...run.seen, tests } };
    const plan = planRuns({ changes: suite.changes, first: suite.run([]), maxRuns: 100 }, [ended]);
    expect(sizesOf(plan.next?.runs ?? [])).toEqual([1, 1, 1]);
  });

  it.each([
    [0, 5],
    [4, 1],
    [5, 0],
    [6, 0],
  ])("makes no more runs than --max-runs: after %i of 5, %i more", (ended, more) => {
    const suite = suiteOf(1, 1, () => ({ requests: 2 }));
    const [change = expect.fail()] = suite.changes;
    const runs = Array.from({ length: ended }, () => suite.run([change]));
    const { next } = planRuns({ changes: suite.changes, first: suite.run([]), maxRuns: 5 }, runs);
    expect(next?.runs.length ?? 0).toBe(more);
  });

  it("needs no more runs than failures of the longest test and three, if the client survives all", () => {
    const suite = suiteOf(8, 2, (n) => ({ requests: n === 3 ? 5 : 2 }));
    expect(suite.explore().runs.length).toBeLessThanOrEqual(35 + 3);
  });

  it("claims nothing about tests that fail without a failure, and tries them no longer", () => {
    let runs = 0;
    const suite = new ModelSuite(
      modelTests(4, 2, (n) => (n === 1 ? { flakiness: 0.5 } : {})),
      { random: () => ++runs % 2 },
    );
    const { plan, runs: made } = suite.explore();
    expect([...plan.flaky.keys()]).toEqual(["t1"]);
    expect(new Set(Object.values(notSurviving(plan)))).toEqual(new Set(["flaky"]));
    expect(Object.keys(notSurviving(plan)).every((name) => name.startsWith("t1/"))).toBe(true);
    expect(made.length).toBeLessThan(33);
  });

  describe("of a test that breaks each time, if that is all that is known,", () => {
    const suite = new ModelSuite(
      modelTests(1, 1, () => ({ requests: 1, ...under("1=lost", "failed") })),
      { failures: ["lost"] },
    );
    const broken = suite.run(suite.changes);
    const control = suite.run([]);
    const judged = (...controls: readonly EndedRun[]) => {
      const runs = [broken, broken, broken, ...controls];
      const plan = planRuns({ changes: suite.changes, first: control, maxRuns: 100 }, runs);
      return [plan.findings[0]?.result, plan.next?.runs.map(({ changes }) => changes.length)];
    };
    const failed = { ...broken, changes: [] };

    it("is sure", () => {
      expect(judged(control)).toEqual(["breaks", undefined]);
    });

    it("is not sure if it fails as often without a failure, and looks again", () => {
      expect(judged(failed, control)).toEqual(["flaky", [0]]);
      expect(judged(failed, control, control)[0]).toBe("breaks");
    });

    it("is not sure if the command fails by itself, though no test does", () => {
      const unexplained = { ...control, exitCode: 1 };
      expect(judged(unexplained, unexplained, unexplained)).toEqual(["flaky", undefined]);
    });
  });

  it.each([
    ["two tests with two", 2, 2, 2],
    ["one test with four", 1, 4, 1],
    ["one test with three, which may be chance", 1, 3, 3],
  ])(
    "repeats and shows one failure of each test for all that lead to the same error: %s",
    (_, count, kinds, shown) => {
      const failures = failureNames.slice(0, kinds);
      const suite = new ModelSuite(
        modelTests(count, count, () => ({
          requests: 1,
          under: Object.fromEntries(failures.map((kind) => [`1=${kind}`, "failed"] as const)),
        })),
        { failures },
      );
      const { plan } = suite.explore();
      expect(Object.values(notSurviving(plan))).toEqual(Array(count * kinds).fill("breaks"));
      expect(new Set(plan.findings.map(({ shownBy }) => shownBy)).size).toBe(shown);
    },
  );

  it("claims nothing about a command that fails without a failure, if its tests are not known", () => {
    const suite = new ModelSuite([{ name: "t0", file: "a", flakiness: 0.9 }], {
      random: () => 0,
      isKnown: false,
    });
    const { plan } = suite.explore();
    expect(plan.flaky.get("")?.name).toMatch(/^run \d+ without a failure$/);
    expect(new Set(Object.values(notSurviving(plan)))).toEqual(new Set(["flaky"]));
  });

  it("spreads the points over operations and failures if there are not enough runs", () => {
    const rotations = Array.from({ length: 100 }, (_, n) => `rotate:acme#${n + 1}`);
    const changes = failureChanges(
      [...rotations, "get-or-create:acme#1", "get-or-create:acme#2"],
      failureNames,
      [],
    );
    const { plan } = new ModelSuite([{ name: "default", file: "a" }], { isKnown: false }).explore({
      changes,
      maxRuns: 14,
    });
    const kinds = plan.findings.map(({ change }) => [change.injection?.operation, change.to]);
    expect(new Set(kinds.map(String)).size).toBe(14);
  });

  it("tries failures of tests that share a world one at a time", () => {
    const suite = suiteOf(4, 2, (n) => ({
      ...(n < 2 && { sharedWorld: "default" }),
      ...(n === 1 && under("1=lost", "failed")),
    }));
    const { plan, runs } = suite.explore();
    for (const { changes } of runs) {
      if (changes.some(({ tests }) => tests[0]?.world === "default")) expect(changes).toHaveLength(1);
    }
    expect(notSurviving(plan)).toEqual({ "t1/rotate:acme#1=lost": "breaks" });
  });
});

describe("explore --faults of random suites", () => {
  it.each(Array.from({ length: draws(10, 400) }, (_, seed) => seed))(
    "finds what single runs find (seed %i)",
    (seed) => {
      const random = randomNumbers(seed);
      const below = (most: number) => Math.floor(random() * most);
      const count = 2 + below(14);
      const outcomes = ["failed", "recovers", "retried", "hangs", "crashes"] as const;
      const suite = suiteOf(count, 1 + below(3), (n) => ({
        requests: 1 + below(3),
        ...(below(3) === 0 && under(`1=${failureNames[below(7)]}`, outcomes[below(5)] ?? "failed")),
        ...(below(8) === 0 && { dependsOn: `t${(n + 1 + below(count - 1)) % count}` }),
      }));
      const alone = suite.changes.map((change) => [change.name, judge(change, suite.run([change]))]);
      const found = suite.explore().plan.findings.map(({ change, result }) => [change.name, result]);
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(alone));
    },
  );

  it.each([
    { flakiness: 0.1, wrong: 0.01, found: 0.8 },
    { flakiness: 0.3, wrong: 0.03, found: 0.4 },
  ])(
    "finds the breaks of a test that fails with probability $flakiness, and few others",
    ({ flakiness, wrong, found }) => {
      const random = randomNumbers(flakiness * 100);
      // The first test is shaky and breaks. Of the others, every third one breaks.
      const more = (at: number) => ({
        ...(at === 0 && { flakiness }),
        ...([0, 1, 4].includes(at) && under("1=lost", "failed")),
      });
      const isBreak = ({ name }: Change) => /^t[014].*#1=lost$/.test(name);
      const isShaky = ({ name }: Change) => name.startsWith("t0/");
      const counted = [6, 3, 1].map((count) => {
        const suite = new ModelSuite(modelTests(count, 2, more), { random });
        return countBreaks(suite, draws(60, 1_500), isBreak, { isShaky });
      });
      const mean = (name: "found" | "wrong" | "runs") =>
        counted.reduce((sum, counts) => sum + counts[name], 0) / counted.length;
      // Few runs can show that a test with one request is shaky.
      const one = modelTests(1, 1, (at) => ({ ...more(at), requests: 1 }));
      const small = new ModelSuite(one, { random, failures: ["lost", "cut", "reset"] });
      const ofSmall = countBreaks(small, draws(1_000, 5_000), isBreak);
      for (const counts of [{ found: mean("found"), wrong: mean("wrong") }, ofSmall]) {
        expect(counts.wrong).toBeLessThanOrEqual(wrong);
        expect(counts.found).toBeGreaterThanOrEqual(found);
      }
      expect(mean("runs")).toBeLessThanOrEqual(25);
    },
  );

  it("finds the breaks of a test that fails at random with the error of its breaks, and few others", () => {
    const random = randomNumbers(1);
    const more = (at: number) => ({
      ...(at === 0 && { flakiness: 0.1, badLuck: "broken" }),
      ...([0, 1, 4].includes(at) && under("1=lost", "failed")),
    });
    const suite = new ModelSuite(modelTests(6, 2, more), { random });
    const isShaky = ({ name }: Change) => name.startsWith("t0/");
    const counts = countBreaks(suite, draws(60, 1_500), ({ name }) => /^t[014].*#1=lost$/.test(name), {
      isShaky,
    });
    expect(counts.wrong).toBeLessThanOrEqual(0.01);
    expect(counts.found).toBeGreaterThanOrEqual(0.8);
  });
});

describe("explore of assumptions", () => {
  it("makes no run without a change, because values are compared with each other", () => {
    const suite = suiteOf(2, 1, (n) => (n === 0 ? under("old-token=accepted", "failed") : {}));
    const wanted = wantedValues(defaultBehaviour, ["old-token=accepted", "created-status"]);
    const changes = wanted.map((value): Change => ({ ...value, tests: suite.first }));
    const { plan, runs } = suite.explore({ changes });
    expect(notSurviving(plan)).toEqual({ "old-token=accepted": "breaks" });
    expect(sizesOf(runs)).toEqual(runs.map(() => 1));
  });

  it.each([
    { flakiness: 0.1, wrong: 0.01 },
    { flakiness: 0.3, wrong: 0.05 },
  ])(
    "finds a break beside two tests that fail with probability $flakiness, and few others",
    ({ flakiness, wrong }) => {
      const random = randomNumbers(flakiness * 100);
      const more = (at: number) => (at === 0 ? under("old-token=accepted", "failed") : { flakiness });
      const suite = new ModelSuite(modelTests(3, 1, more), { random });
      const values = "created-status,existing-group,rotated-token,old-token,failure-status,failure-body";
      const wanted = wantedValues(defaultBehaviour, values.split(","));
      const changes = wanted.map((value): Change => ({ ...value, tests: suite.first }));
      const isBreak = ({ name }: Change) => name === "old-token=accepted";
      const counts = countBreaks(suite, draws(300, 1_500), isBreak, { changes });
      expect(counts.found).toBe(1);
      expect(counts.wrong).toBeLessThanOrEqual(wrong);
    },
  );
});
