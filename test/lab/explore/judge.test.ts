import { describe, expect, it } from "vitest";
import type { Change, EndedRun } from "../../../src/lab/explore/changes.js";
import { judge } from "../../../src/lab/explore/judge.js";
import { failureNames } from "../../../src/run/injection.js";
import { draws, isLong } from "../../long.js";
import {
  ModelSuite,
  type ModelTest,
  modelTests,
  notSurviving,
  randomNumbers,
  resultsAlone,
} from "./suite-model.js";

const under = (...points: readonly string[]): Partial<ModelTest> => ({
  under: Object.fromEntries(points.map((point) => [point, "failed"] as const)),
});

/** Two tests with one request each, which can get lost or be cut. */
const two = new ModelSuite(
  modelTests(2, () => ({ requests: 1 })),
  { failures: ["lost", "cut"] },
);
const [lost0, cut0, lost1] = ["t0#1=lost", "t0#1=cut", "t1#1=lost"].map(
  (name) =>
    two.changes.find((change) => change.name.replace("/rotate:acme", "") === name) ?? expect.fail(name),
) as [(typeof two.changes)[0], (typeof two.changes)[0], (typeof two.changes)[0]];

type Tests = Readonly<Record<"t0" | "t1", string>>;
type Run = readonly [changes: readonly (typeof lost0)[], errors: Partial<Tests>];

/** Judges runs, each with its changes and the errors of the tests that failed. */
function judgeRuns(...runs: readonly Run[]) {
  const ended = runs.map(([changes, errors], n) => {
    const run = two.run(changes, n + 2);
    const tests = run.seen.tests.map((test) => {
      const message = errors[test.id as keyof Tests];
      if (message === undefined) return test;
      return { ...test, result: "failed" as const, failure: { title: test.id, error: { message } } };
    });
    return { ...run, exitCode: Object.keys(errors).length > 0 ? 1 : 0, seen: { ...run.seen, tests } };
  });
  const { findings, flaky, again, unknown } = judge(two.changes, [two.first, ...ended]);
  const short = (name: string) => name.replace("/rotate:acme", "");
  return {
    results: Object.fromEntries(findings.map(({ change, result }) => [short(change.name), result])),
    flaky: [...flaky.keys()],
    again: again.map((round) => round.map(({ name }) => short(name))),
    unknown: unknown.map(({ name }) => short(name)),
  };
}

describe("a failure of a test", () => {
  it.each<[what: string, result: string | undefined, runs: readonly Run[]]>([
    ["is not confirmed at first", "unconfirmed", [[[lost0], { t0: "no" }]]],
    [
      "is confirmed if it is repeated, and another test fails with the same failure and error",
      "breaks",
      [
        [[lost0, lost1], { t0: "no", t1: "no" }],
        [[lost0], { t0: "no" }],
      ],
    ],
    [
      "is not confirmed because another test fails in the same way",
      "unconfirmed",
      [[[lost0, lost1], { t0: "no", t1: "no" }]],
    ],
    [
      "is not confirmed by one repetition if nothing else fails in this way",
      "unconfirmed",
      [
        [[lost0], { t0: "no" }],
        [[lost0], { t0: "no" }],
      ],
    ],
    [
      "is confirmed by three failures, whatever the errors",
      "breaks",
      [
        [[lost0], { t0: "a" }],
        [[lost0], { t0: "b" }],
        [[lost0], { t0: "c" }],
      ],
    ],
    [
      "is flaky if the test passes when it is repeated",
      "flaky",
      [
        [[lost0], { t0: "no" }],
        [[lost0], {}],
      ],
    ],
    [
      "is flaky if the test has the same error in a plain turn",
      "flaky",
      [
        [[lost0], { t0: "bad luck" }],
        [[lost1], { t0: "bad luck" }],
      ],
    ],
    [
      "shows nothing beside failures in others if the test also fails without one of its own",
      undefined,
      [
        [[lost0, lost1], { t0: "no" }],
        [[lost1], { t0: "bad luck" }],
      ],
    ],
    [
      "breaks if the test also fails in a plain turn, but alone twice with another error",
      "breaks",
      [
        [[lost1], { t0: "bad luck" }],
        [[lost0], { t0: "no" }],
        [[lost0], { t0: "no" }],
      ],
    ],
    [
      "is survived if the test fails now and then, and passes alone",
      "survives",
      [
        [[lost0, lost1], { t0: "no" }],
        [[lost1], { t0: "bad luck" }],
        [[lost0], {}],
      ],
    ],
  ])("%s", (_, result, runs) => {
    expect(judgeRuns(...runs).results["t0#1=lost"]).toBe(result);
  });

  it("in a plain turn makes the test flaky, and what failed beside others is tried alone", () => {
    const { flaky, unknown } = judgeRuns([[lost0, lost1], { t0: "no" }], [[lost1], { t0: "bad luck" }]);
    expect([flaky, unknown]).toEqual([["t0"], ["t0#1=lost"]]);
  });

  it("is tried again in one run with those of other tests that have the same cause, and not with others", () => {
    const same = judgeRuns([[lost0, lost1], { t0: "no", t1: "no" }]);
    expect(same.again).toEqual([["t0#1=lost", "t1#1=lost"]]);
    const different = judgeRuns([[lost0, lost1], { t0: "no", t1: "other" }]);
    expect(different.again).toEqual([["t0#1=lost"], ["t1#1=lost"]]);
  });

  it("is not tried for ever", () => {
    const runs = ["a", "b"].map((error): Run => [[lost0], { t0: error }]);
    expect(judgeRuns(...runs).again).toEqual([["t0#1=lost"]]);
    const many = ["a", "b", "a", "b"].map((error): Run => [[lost0], { t0: error }]);
    expect(judgeRuns(...many).again).toEqual([]);
  });

  it("has the ports and hashes of an error left out, so that a repetition has the same error", () => {
    const runs = [40123, 40124, 40125].map((port): Run => [[cut0], { t0: `connect 127.0.0.1:${port}` }]);
    expect(judgeRuns(...runs.slice(0, 2)).again).toEqual([["t0#1=cut"]]);
    expect(judgeRuns(...runs).results["t0#1=cut"]).toBe("breaks");
  });
});

describe("explore --faults", () => {
  it("finds and confirms exactly the planted breaks, in few runs", async () => {
    const suite = new ModelSuite(modelTests(30, (n) => (n % 3 === 0 ? under("2=lost") : {})));
    const { judged, runs } = await suite.explore();
    const expected = Array.from({ length: 10 }, (_, n) => [`t${n * 3}/rotate:acme#2=lost`, "breaks"]);
    expect(notSurviving(judged)).toEqual(Object.fromEntries(expected));
    expect(judged.findings).toHaveLength(420);
    // The first one, 14 failures of each test and its plain turn, and one to confirm.
    expect(runs).toHaveLength(1 + 15 + 1);
  });

  it.each([
    ["recovers", "recovers"],
    ["retried", "breaks"],
    ["unfinished", "breaks"],
    ["waits", "hangs"],
  ] as const)("reports a test that is “%s” with a failure as one that %s", async (outcome, result) => {
    const suite = new ModelSuite(modelTests(8, (n) => (n === 0 ? { under: { "1=garbled": outcome } } : {})));
    const { judged, runs } = await suite.explore();
    expect(notSurviving(judged)).toEqual({ "t0/rotate:acme#1=garbled": result });
    expect(runs.length).toBeLessThan(20);
  });

  it("shows a hang alone once, even if the client does not wait so long then", () => {
    const beside = two.run([lost0, lost1], 2);
    const waiting = { ...beside, seen: { ...beside.seen, waited: new Set([lost0.name]) } };
    const againAfter = (...runs: readonly EndedRun[]) =>
      judge(two.changes, [two.first, waiting, ...runs]).again;
    expect(againAfter()).toEqual([[lost0]]);
    expect(againAfter(two.run([lost0], 3))).toEqual([]);
  });

  it("shows one hang alone, and tries no other one again", async () => {
    const suite = new ModelSuite(modelTests(8, () => ({ requests: 1, under: { "1=silent": "waits" } })));
    const { judged, runs } = await suite.explore();
    expect(Object.values(notSurviving(judged))).toEqual(Array(8).fill("hangs"));
    expect(runs).toHaveLength(1 + 8 + 1);
    expect(judged.findings.filter(({ shown }) => shown.changes.length === 1)).toHaveLength(1);
  });

  it("confirms each cause once for all tests", async () => {
    const kinds = failureNames.filter((name) => name !== "unavailable");
    const weak = modelTests(8, () => ({
      ...under(...kinds.flatMap((kind) => [`1=${kind}`, `2=${kind}`])),
      errorOf: (kind) => `error ${kinds.indexOf(kind as (typeof kinds)[number]) % 3}`,
    }));
    const suite = new ModelSuite(weak);
    const { judged, runs } = await suite.explore();
    expect(Object.values(notSurviving(judged))).toEqual(Array(8 * 12).fill("breaks"));
    expect(runs).toHaveLength(1 + 15 + 3);
  });

  it("names a test that fails because of failures in another one, and blames neither", async () => {
    const more = (n: number) => ({ ...(n === 7 && { dependsOn: "t2" }), ...(n === 6 && under("1=lost")) });
    const { judged } = await new ModelSuite(modelTests(12, more)).explore();
    expect([...judged.flaky.keys()]).toEqual(["t7"]);
    expect(notSurviving(judged)).toEqual({ "t6/rotate:acme#1=lost": "breaks" });
  });

  it("calls a test flaky that passed in the first run only when it was retried", () => {
    const tests = two.first.seen.tests.map((test, n) =>
      n === 0 ? { ...test, result: "retried" as const } : test,
    );
    const first = { ...two.first, seen: { ...two.first.seen, tests } };
    expect([...judge(two.changes, [first]).flaky]).toEqual([["t0", first]]);
  });

  it("makes each failure alone again if only the exit code is known, and then those of a place that breaks", async () => {
    const more = (n: number) => (n === 1 ? under(...failureNames.map((name) => `1=${name}`)) : {});
    const suite = new ModelSuite(
      modelTests(4, (n) => ({ ...more(n), requests: 1 })),
      { isKnown: false },
    );
    const { judged, runs } = await suite.explore();
    const expected = failureNames.map((name) => [`t1/rotate:acme#1=${name}`, "breaks"]);
    expect(notSurviving(judged)).toEqual(Object.fromEntries(expected));
    const sizes = runs.map(({ changes }) => changes.length);
    // The first round fails, so each of it alone; then t1 alone and the others together; then what broke, once more.
    expect(sizes).toEqual([0, 4, 1, 1, 1, 1, ...Array(6).fill([1, 3]).flat(), ...Array(7).fill(1)]);
  });

  it("needs one run for each failure of the longest place if all survive and only the exit code is known", async () => {
    const { runs } = await new ModelSuite(modelTests(5), { isKnown: false }).explore();
    expect(runs).toHaveLength(1 + 14);
  });

  it.each([1, 2, 9, 17, 18])("makes no more than %i runs, if --max-runs says so", async (most) => {
    const suite = new ModelSuite(modelTests(6, (n) => (n === 0 ? under("1=lost", "2=cut") : {})));
    const { judged, runs } = await suite.explore(most);
    expect(runs.length).toBe(Math.min(most, 18));
    const tried = runs.flatMap(({ changes }) => changes);
    expect(new Set(judged.findings.map(({ change }) => change))).toEqual(new Set(tried));
  });
});

describe("explore --faults of random suites", () => {
  it.each(Array.from({ length: draws(20, 400) }, (_, seed) => seed))(
    "finds what single runs find (seed %i)",
    async (seed) => {
      const random = randomNumbers(seed);
      const below = (most: number) => Math.floor(random() * most);
      const outcomes = ["failed", "recovers", "retried", "waits", "unfinished"] as const;
      const suite = new ModelSuite(
        modelTests(2 + below(14), () => ({
          requests: 1 + below(3),
          ...(below(3) === 0 && {
            under: { [`1=${failureNames[below(7)]}`]: outcomes[below(5)] ?? "failed" },
          }),
        })),
      );
      const { judged } = await suite.explore();
      const found = judged.findings.map(({ change, result }) => [change.name, result]);
      expect(Object.fromEntries(found)).toEqual(resultsAlone(suite));
    },
  );
});

/**
 * Explores suites of some tests: the share of explorations with a false break, the share of true breaks that is found, and
 * the mean number of runs. A test whose chance failure has the text of the break cannot show the break.
 */
async function measure(times: number, suiteOf: () => { tests: readonly ModelTest[]; suite: ModelSuite }) {
  let [wrong, breaks, found, made] = [0, 0, 0, 0];
  for (let n = 0; n < times; n++) {
    const { tests, suite } = suiteOf();
    const { judged, runs } = await suite.explore();
    const testOf = ({ test }: Change) => tests.find(({ name }) => name === test?.id);
    const isTrue = (change: Change) => testOf(change)?.under?.[change.name.replace(/.*#/, "")] !== undefined;
    const broken = judged.findings.filter(({ result }) => result === "breaks");
    if (broken.some(({ change }) => !isTrue(change))) wrong++;
    const visible = judged.findings.filter(
      ({ change }) => isTrue(change) && testOf(change)?.badLuck !== "broken",
    );
    breaks += visible.length;
    found += visible.filter(({ result }) => result === "breaks").length;
    made += runs.length;
  }
  return { wrong: wrong / times, found: found / breaks, runs: made / times };
}

describe("explore --faults of a suite with a test that fails at random", () => {
  it.each<[tests: number, requests: number, flakiness: number, badLuck: string]>([
    [6, 2, 0.05, "bad luck"],
    [6, 2, 0.1, "bad luck"],
    [6, 2, 0.2, "bad luck"],
    [6, 2, 0.3, "bad luck"],
    [6, 2, 0.1, "broken"],
    [3, 2, 0.1, "bad luck"],
    [1, 2, 0.1, "bad luck"],
    [1, 1, 0.1, "bad luck"],
  ])(
    "finds the breaks, and few others: %i tests with %i requests, of which one fails with probability %f and the error “%s”",
    async (count, requests, flakiness, badLuck) => {
      const random = randomNumbers(flakiness * 100 + count);
      const measured = await measure(draws(60, 2_000), () => {
        const tests = modelTests(count, (n) => ({
          requests,
          ...(n === 0 && { flakiness, badLuck }),
          ...([0, 1, 4].includes(n) && under("1=lost")),
        }));
        return { tests, suite: new ModelSuite(tests, { random }) };
      });
      if (isLong) console.log(measured);
      expect(measured.wrong).toBeLessThanOrEqual(0.05);
      expect(measured.found).toBeGreaterThanOrEqual(0.99);
    },
  );
});
