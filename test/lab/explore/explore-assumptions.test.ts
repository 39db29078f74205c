import { describe, expect, it } from "vitest";
import type { Profile } from "../../../src/index.js";
import { assumptionValues } from "../../../src/lab/explore/assumption-values.js";
import type { EndedRun } from "../../../src/lab/explore/changes.js";
import type { Exploration } from "../../../src/lab/explore/exploration.js";
import { exploreAssumptions } from "../../../src/lab/explore/explore-assumptions.js";
import type { LogFolder } from "../../../src/lab/explore/log-folder.js";
import type { Round } from "../../../src/lab/explore/plan-rounds.js";
import { draws } from "../../long.js";
import { ModelSuite, modelTests, randomNumbers } from "./suite-model.js";

const suite = new ModelSuite(modelTests(2));

interface Given {
  readonly only: readonly string[];
  readonly all?: boolean;
  /** What the first run saw: assumptions that decided a response, by the source of their values. */
  readonly decided?: readonly string[];
  readonly pinned?: readonly string[];
  readonly known?: readonly string[];
  /** The tests that fail in each run of a value: by default none. */
  readonly fails?: (name: string, nthRun: number) => readonly string[];
  readonly maxRuns?: number;
  readonly profile?: Profile;
}

async function explore(given: Given) {
  const {
    only,
    all = false,
    decided = [],
    pinned = [],
    known = [],
    fails = () => [],
    maxRuns = 1_000,
    profile = {},
  } = given;
  const seen = {
    ...suite.first.seen,
    decided: new Set(decided),
    pinned: new Set(pinned),
    known: new Set(known),
  };
  const ended: EndedRun[] = [{ ...suite.first, seen }];
  const tried: string[] = [];
  const exploration = {
    ...{ flags: { all }, given: { serverFlags: {}, argv: ["npm", "test"] } },
    ...{ logs: { keep: ({ log }) => log } as LogFolder, ended, announce: () => {} },
    get endedEarly() {
      return ended.length >= maxRuns ? "interrupted" : undefined;
    },
    make: async (rounds: readonly Round[]) => {
      for (const round of rounds) {
        if (ended.length >= maxRuns) return false;
        const [{ name } = { name: "" }] = round;
        tried.push(name);
        const failed = fails(name, tried.filter((one) => one === name).length);
        const tests = seen.tests.map((test) => {
          if (!failed.includes(test.id)) return test;
          return {
            ...test,
            result: "failed" as const,
            failure: { title: test.id, error: { message: "no group" } },
          };
        });
        const run = suite.run(round, ended.length + 1);
        ended.push({ ...run, exitCode: failed.length > 0 ? 1 : 0, seen: { ...seen, tests } });
      }
      return true;
    },
  } as Partial<Exploration> as Exploration;
  const values = await assumptionValues({ profile: [profile], assume: {} }, only);
  const found = await exploreAssumptions(exploration, ended[0] ?? expect.fail(), values);
  const rows = found.sections.flatMap((section) => section.rows);
  const results = rows.map(({ heads, cells }) => [heads.join("="), cells[0]?.result]);
  return {
    ...found,
    tried,
    results: Object.fromEntries(results),
    causes: found.causes.map(({ text }) => text),
  };
}

const verifyAdvice = expect.stringMatching(/^To find out which values are true, ask the real service: /);
const breaksWith = (value: string, ...tests: string[]) => ({
  fails: (name: string) => (name === value ? tests : []),
});

describe("explore of assumptions", () => {
  it("tries values that decided a response, and says why it has not tried the others", async () => {
    const { results, tried, lines } = await explore({
      only: ["old-token=accepted", "created-status", "rotated-token", "auth-scheme"],
      ...{ decided: ["old-token"], pinned: ["created-status"], known: ["rotated-token"] },
    });
    expect(tried).toEqual(["old-token=accepted"]);
    expect(results).toEqual({
      "auth-scheme=any-case": "not exercised",
      "old-token=accepted": "passes",
      "created-status=201": "pinned",
      "rotated-token=same": "known",
    });
    expect(lines).toEqual([
      "Your tests depend on 0 of 4 assumptions.",
      "4 values in 2 runs: 1 passed, 1 not exercised (no response depended on the assumption), 1 pinned (responses depended on the assumption only where a test sets it), 1 known (the profile has the value).",
    ]);
  });

  it("tries also what decided nothing with --all, but not what the profile has", async () => {
    const only = ["old-token=accepted", "created-status", "rotated-token"];
    const { tried, results } = await explore({
      only,
      all: true,
      profile: { situations: { "rotated token": "new" } },
      decided: ["old-token"],
    });
    expect(tried.toSorted()).toEqual(["created-status=201", "old-token=accepted"]);
    expect(results).toMatchObject({ "created-status=201": "not exercised", "rotated-token=same": "known" });
  });

  it("tries what a profile has for some responses only", async () => {
    const { tried } = await explore({
      only: ["old-token=accepted"],
      known: ["old-token"],
      decided: ["old-token"],
    });
    expect(tried).toEqual(["old-token=accepted"]);
  });

  it("repeats once what fails, and names what breaks with the tests, and the error of a single one", async () => {
    const given = {
      only: ["old-token=accepted", "created-status"],
      decided: ["old-token", "created-status"],
    };
    const one = await explore({ ...given, ...breaksWith("old-token=accepted", "t0") });
    expect(one.tried).toEqual(["created-status=201", "old-token=accepted", "old-token=accepted"]);
    expect(one.causes).toEqual(["old-token=accepted breaks t0 (t0.test.ts): no group"]);
    expect(one.lines).toEqual([
      "Your tests depend on 1 of 2 assumptions; it is not known.",
      verifyAdvice,
      "2 values in 4 runs: 1 passed, 1 broke.",
    ]);
    expect(one.json).toMatchObject({
      dependsOn: ["old-token"],
      runs: 4,
      sum: { total: 2, passes: 1, breaks: 1, notTried: 0 },
    });
    const two = await explore({ ...given, ...breaksWith("old-token=accepted", "t0", "t1") });
    expect(two.causes).toEqual(["old-token=accepted breaks t0 (t0.test.ts), t1 (t1.test.ts)"]);
  });

  it("counts an assumption once, however many of its values break", async () => {
    const only = ["existing-group", "created-status"];
    const { lines, json } = await explore({ only, decided: only, fails: () => ["t0"] });
    expect(lines[0]).toBe("Your tests depend on 2 of 2 assumptions; none of the 2 is known.");
    expect(json).toMatchObject({ dependsOn: ["existing-group", "created-status"] });
  });

  it("reports a value as flaky if no test fails each time, and then repeats what fails more often", async () => {
    const fails = (name: string, nth: number) => {
      if (name === "created-status=201") return ["t1"];
      return [nth % 2 === 0 ? "t0" : "t1"];
    };
    const only = ["old-token=accepted", "created-status"];
    const { results, tried, lines } = await explore({
      only,
      decided: ["old-token", "created-status"],
      fails,
    });
    expect(results).toEqual({ "old-token=accepted": "flaky", "created-status=201": "breaks" });
    expect(tried.filter((name) => name === "old-token=accepted")).toHaveLength(2);
    expect(tried.filter((name) => name === "created-status=201")).toHaveLength(4);
    expect(lines[0]).toMatch(
      /^old-token=accepted is flaky: t1 \(t1\.test\.ts\), t0 \(t0\.test\.ts\) failed and passed\. Log: /,
    );
  });

  it("has only the exit code if no results of tests are known", async () => {
    const given = { only: ["old-token=accepted"], decided: ["old-token"] };
    const fails = (count: number) => (_: string, nth: number) => (nth <= count ? ["the command"] : []);
    const flaky = await explore({ ...given, fails: fails(1) });
    expect(flaky.results).toEqual({ "old-token=accepted": "flaky" });
    expect(flaky.lines[0]).toMatch(/^old-token=accepted is flaky: your tests failed and passed\. Log: /);
    expect((await explore({ ...given, fails: fails(2) })).causes).toEqual([
      "old-token=accepted breaks your tests",
    ]);
  });

  it.each([
    [1, "2 values in 1 run: 2 NOT TRIED. The runs ended early: interrupted."],
    [2, "2 values in 2 runs: 1 passed, 1 NOT TRIED. The runs ended early: interrupted."],
    [3, "2 values in 3 runs: 1 passed, 1 failed, not tried again. The runs ended early: interrupted."],
  ])("has a sum of all values if it is interrupted after %i runs", async (maxRuns, line) => {
    const decided = ["old-token", "created-status"];
    const only = ["old-token=accepted", "created-status"];
    const { lines } = await explore({ only, decided, maxRuns, ...breaksWith("old-token=accepted", "t0") });
    expect(lines.at(-1)).toBe(line);
  });

  it.each([0.1, 0.3])(
    "finds a break beside a test that fails with probability %f, and few others",
    async (flakiness) => {
      const random = randomNumbers(flakiness * 100);
      const only = "created-status,existing-group,rotated-token,old-token,failure-status,failure-body".split(
        ",",
      );
      const fails = (name: string) => {
        const chance = random() < flakiness ? ["t1"] : [];
        return name === "old-token=accepted" ? ["t0", ...chance] : chance;
      };
      const times = draws(200, 2_000);
      let [wrong, others] = [0, 0];
      for (let n = 0; n < times; n++) {
        const { json } = await explore({ only, decided: only, fails });
        const { findings } = json as { findings: { id: string; value: string; result: string }[] };
        const broken = findings
          .filter(({ result }) => result === "breaks")
          .map(({ id, value }) => `${id}=${value}`);
        expect(broken).toContain("old-token=accepted");
        wrong += broken.length - 1;
        others += findings.length - 1;
      }
      expect(wrong / others).toBeLessThanOrEqual(0.03);
    },
  );
});
