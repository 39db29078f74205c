import { describe, expect, it } from "vitest";
import { type Change, type EndedRun, wantedValues } from "../../../src/lab/explore/changes.js";
import type { Exploration, ExploreFlags } from "../../../src/lab/explore/exploration.js";
import { exploreAssumptions } from "../../../src/lab/explore/explore-assumptions.js";
import type { LogFolder } from "../../../src/lab/explore/log-folder.js";
import type { Plan } from "../../../src/lab/explore/plan-runs.js";
import type { GivenCommand } from "../../../src/options/given-command.js";
import { defaultBehaviour } from "../../default-behaviour.js";
import { ModelSuite, modelTests } from "./suite-model.js";

const suite = new ModelSuite(modelTests(2, 2));
const { plan } = suite.explore({ changes: [] });
const run = suite.run([]);
const given: GivenCommand = { serverFlags: {}, argv: ["npm", "test"] };
const logs = { nameLog: (_: EndedRun, { name }: Change) => `/logs/${name}.log` } as LogFolder;

interface Given {
  readonly only: readonly string[];
  readonly all?: boolean;
  /** What the first run saw: assumptions that decided a response, by the source of their values. */
  readonly decided?: readonly string[];
  readonly pinned?: readonly string[];
  readonly known?: readonly string[];
  /** The results of the values that were tried, and the error of the first test that broke. */
  readonly results?: Readonly<Record<string, string>>;
  readonly error?: string;
  /** The numbers of the tests that broke. */
  readonly broken?: readonly number[];
}

/** What is found if the runs have these results, and the values that were tried. */
async function explore({
  only,
  all = false,
  decided = [],
  pinned = [],
  known = [],
  results = {},
  ...more
}: Given) {
  const seen = {
    ...run.seen,
    tests: suite.first,
    decided: new Set(decided),
    pinned: new Set(pinned),
    known: new Set(known),
  };
  const first = { ...run, seen };
  const tried: string[] = [];
  let seenLines: readonly string[] = [];
  const flags: ExploreFlags = { all };
  const exploration = {
    flags,
    given,
    logs,
    carryOut: async (
      changes: readonly Change[],
      _: EndedRun,
      showSeen: (plan: Plan) => readonly string[],
    ) => {
      tried.push(...changes.map(({ name }) => name));
      const findings = changes.flatMap((change) => {
        const result = results[change.name];
        const tests = suite.first.filter((_, n) => (more.broken ?? [0]).includes(n));
        const { error } = more;
        return result === undefined
          ? []
          : { change, result, tests, shown: { ...first, log: "/logs/run-002.log" }, error };
      });
      const found: Plan = { ...plan, findings };
      seenLines = showSeen(found);
      return found;
    },
  } as Exploration;
  const found = await exploreAssumptions(exploration, first, wantedValues(defaultBehaviour, only));
  const rows =
    found.parts[0]?.sections[0]?.rows.map(({ heads, cells }) => [...heads, cells[0]?.result]) ?? [];
  return { ...found, rows, tried, seenLines };
}

const verifyAdvice = expect.stringMatching(/^To find out which values are true, ask the real service: /);

describe("explore of assumptions", () => {
  it("tries values that decided a response, and says why it has not tried the others", async () => {
    const { rows, tried, lines } = await explore({
      only: ["old-token=accepted", "created-status", "rotated-token", "auth-scheme"],
      decided: ["old-token"],
      pinned: ["created-status"],
      known: ["rotated-token"],
      results: { "old-token=accepted": "survives" },
    });
    expect(tried).toEqual(["old-token=accepted"]);
    expect(Object.fromEntries(rows.map(([id, , result]) => [id, result]))).toEqual({
      "auth-scheme": "not exercised",
      "old-token": "passes",
      "created-status": "pinned",
      "rotated-token": "known",
    });
    expect(lines).toEqual([
      "Your tests depend on 0 of 4 assumptions.",
      "1 of 4 values not exercised: no response depended on the assumption, so no run was needed.",
      "1 of 4 values pinned: responses depended on the assumption only where a test sets it.",
      "1 of 4 values known: the profile has the value.",
    ]);
  });

  it("tries also what decided nothing with --all, but not what the profile has", async () => {
    const only = ["old-token=accepted", "created-status", "rotated-token"];
    const results = { "created-status=201": "survives", "old-token=accepted": "survives" };
    const given = { only, all: true, known: ["rotated-token"], decided: ["old-token"], results };
    const { tried, lines } = await explore(given);
    expect(tried.toSorted()).toEqual(["created-status=201", "old-token=accepted"]);
    expect(lines).toContain("1 of 3 values not exercised: no response depended on the assumption.");
  });

  it("tries what a profile has for some responses only", async () => {
    const only = ["old-token=accepted"];
    const { tried } = await explore({ only, known: ["old-token"], decided: ["old-token"] });
    expect(tried).toEqual(["old-token=accepted"]);
  });

  it("names what breaks, with the tests, and the error of a single one", async () => {
    const breaking = {
      only: ["old-token=accepted", "created-status"],
      decided: ["old-token", "created-status"],
      results: { "old-token=accepted": "breaks", "created-status=201": "survives" },
      error: "no group",
    };
    const one = await explore(breaking);
    expect(one.parts[0]?.causes).toMatchObject([
      {
        text: "old-token=accepted breaks t0 (0.test.ts): no group",
        example: { log: "/logs/old-token=accepted.log" },
      },
    ]);
    expect(one.lines).toEqual(["Your tests depend on 1 of 2 assumptions; it is not known.", verifyAdvice]);
    expect(one.json).toMatchObject({ dependsOn: ["old-token"], findings: expect.any(Array) });
    const two = await explore({ ...breaking, broken: [0, 1] });
    expect(two.parts[0]?.causes[0]?.text).toBe("old-token=accepted breaks t0 (0.test.ts), t1 (1.test.ts)");
  });

  it("counts an assumption once, however many of its values break or hang", async () => {
    const all = wantedValues(defaultBehaviour, ["existing-group"]).map(({ name }) => name);
    expect(all.length).toBeGreaterThan(1);
    const results = Object.fromEntries([
      ...all.map((name, n) => [name, n === 0 ? "hangs" : "breaks"]),
      ["created-status=201", "breaks"],
    ]);
    const { lines, json } = await explore({
      only: ["existing-group", "created-status"],
      decided: ["existing-group", "created-status"],
      results,
    });
    expect(lines[0]).toBe("Your tests depend on 2 of 2 assumptions; none of the 2 is known.");
    expect(json).toMatchObject({ dependsOn: ["existing-group", "created-status"] });
  });

  it("says what is not certain", async () => {
    const { lines, rows, seenLines } = await explore({
      only: ["old-token=accepted", "created-status", "rotated-token", "auth-scheme"],
      decided: ["old-token", "created-status", "rotated-token"],
      results: { "old-token=accepted": "flaky", "created-status=201": "unconfirmed" },
    });
    expect(lines).toEqual([
      "old-token=accepted is flaky: t0 (0.test.ts) failed and passed. Log: /logs/old-token=accepted.log",
      "Your tests depend on 0 of 3 assumptions.",
      "1 of 3 values flaky: a test failed with it and passed when it was repeated, or fails too often with other values.",
      "1 of 3 values unconfirmed: a test failed with it once, and it was not tried again.",
      "1 of 3 values not exercised: no response depended on the assumption, so no run was needed.",
      "Interrupted before 1 of 3 values.",
    ]);
    expect(rows).toHaveLength(3);
    expect(seenLines.filter((line) => line.includes("fails?"))).toEqual([
      expect.stringMatching(/^ {2}created-status +201 +fails\?$/),
      "fails?: failed once. What failed is tried again, in 0 runs:",
    ]);
  });
});
