import { describe, expect, it } from "vitest";
import { type Change, failureChanges } from "../../../src/lab/explore/changes.js";
import { describeFaults } from "../../../src/lab/explore/describe-faults.js";
import type { Exploration } from "../../../src/lab/explore/exploration.js";
import { foundLines } from "../../../src/lab/explore/findings.js";
import type { Finding, Judged } from "../../../src/lab/explore/judge.js";
import type { LogFolder } from "../../../src/lab/explore/log-folder.js";
import type { FailureName } from "../../../src/run/injection.js";
import { ModelSuite, modelTests } from "./suite-model.js";

/** Tests with one request each. */
const suite = new ModelSuite(modelTests(8, () => ({ requests: 1 })));
const { tests } = suite.first.seen;
const requestOf = (n: number) => `t${n}/rotate:acme#1`;
/** `0=lost` */
const pointOf = ({ test, to }: Change) => `${test?.id.slice(1)}=${to}`;

const logs = { keep: ({ log }) => log } as LogFolder;

interface Given {
  /** Results that differ from "survives", by test and failure: `0=lost`. Undefined: it was not tried. */
  readonly results?: Readonly<Record<string, Finding["result"] | undefined>>;
  /** The number of tests that are explored. */
  readonly count?: number;
  readonly failures?: readonly FailureName[];
  /** The tests that arm a fault themselves, and whether they are tried all the same. */
  readonly withOwnFault?: readonly number[];
  readonly all?: boolean;
  readonly flaky?: Judged["flaky"];
  /** What was in a run that failed because of any of its failures: `0=lost`. */
  readonly unknown?: readonly string[];
  readonly endedEarly?: string;
}

function describeRuns(given: Given) {
  const { results = {}, count = 4, failures = ["lost"], withOwnFault = [], all = false } = given;
  const made = Array.from({ length: count }, (_, n) => requestOf(n));
  const own = new Set(withOwnFault.map(requestOf));
  const requests = made.filter((request) => all || !own.has(request));
  const changes = failureChanges(requests, failures, tests);
  const findings = changes.flatMap((change): Finding | [] => {
    const point = pointOf(change);
    const result = point in results ? results[point] : "survives";
    return result === undefined ? [] : { change, result, shown: suite.run([change]), shownBy: change };
  });
  const first = { ...suite.first, seen: { ...suite.first.seen, requests: made, withOwnFault: own } };
  const unknown = changes.filter((change) => given.unknown?.includes(pointOf(change)));
  const judged = { findings, flaky: given.flaky ?? new Map(), unknown, again: [] };
  const { endedEarly } = given;
  const exploration = {
    ...{ given: { serverFlags: {}, argv: ["npm", "test"] }, logs, silence: 3 },
    ...{ ended: [first, ...findings.map(({ shown }) => shown)], endedEarly },
  } as Partial<Exploration> as Exploration;
  const found = describeFaults({ requests, failures, changes, first }, judged, exploration);
  const { sum, runs } = found.json as { sum: Record<string, number>; runs: number };
  return { ...found, sum, runs, printed: foundLines({ ...found, causes: [] }) };
}

describe("the sum of explore --faults", () => {
  it.each<[line: string, given: Given]>([
    ["4 failures (4 requests × 1 kind) in 5 runs: 4 survived.", {}],
    [
      "8 failures (8 requests × 1 kind) in 8 runs: 1 survived, 1 recovered, but a test failed, 1 broke, 1 hung, 1 flaky, 1 failed once, not tried again, 1 not met, 1 NOT TRIED. The runs ended early: --max-runs 8.",
      {
        count: 8,
        results: {
          ...{ "1=lost": "recovers", "2=lost": "breaks", "3=lost": "hangs", "4=lost": "flaky" },
          ...{ "5=lost": "unconfirmed", "6=lost": "not met", "7=lost": undefined },
        },
        endedEarly: "--max-runs 8",
      },
    ],
    [
      "8 failures (4 requests × 2 kinds) in 5 runs: 4 survived, 4 left out, because their tests arm a fault or a hold themselves (--all tries them).",
      { failures: ["lost", "cut"], withOwnFault: [1, 2] },
    ],
    [
      "4 failures (4 requests × 1 kind) in 3 runs: 2 survived, 1 not clear: the run also had other failures, 1 NOT TRIED. The runs ended early: interrupted.",
      {
        results: { "0=lost": undefined, "1=lost": undefined },
        unknown: ["0=lost"],
        endedEarly: "interrupted",
      },
    ],
    [
      "4 failures (4 requests × 1 kind) in 1 run: 4 NOT TRIED. The runs ended early: interrupted.",
      {
        results: { "0=lost": undefined, "1=lost": undefined, "2=lost": undefined, "3=lost": undefined },
        endedEarly: "interrupted",
      },
    ],
  ])("adds up to all combinations, and has the same numbers in JSON: %s", (line, given) => {
    const { lines, sum, runs } = describeRuns(given);
    expect(lines.at(-1)).toBe(line);
    const { total, endedEarly, ...counts } = sum;
    expect(Object.values(counts).reduce((all, one) => all + one)).toBe(total);
    expect(line).toContain(`${total} failure`);
    expect(line).toContain(` in ${runs} run`);
    expect(endedEarly).toBe(given.endedEarly);
  });
});

describe("the table of explore --faults", () => {
  it("has only the rows with something to read, and counts those that only survive", () => {
    const results = { "0=lost": "breaks", "0=cut": undefined, "1=lost": undefined } as const;
    const { printed } = describeRuns({ results, failures: ["lost", "cut"] });
    expect(printed.slice(printed.indexOf("  request          lost    cut"))).toEqual([
      "  request          lost    cut",
      "  t0 (t0.test.ts)",
      "    rotate:acme#1  BREAKS  -",
      "",
      "2 requests of 4: your tests pass with every failure.",
      expect.stringMatching(/^8 failures /),
    ]);
  });

  it("has a question mark for what is not clear, which is unknown in JSON", () => {
    const results = { "0=lost": "breaks", "0=cut": undefined, "1=lost": undefined } as const;
    const given = { results, unknown: ["0=cut", "1=lost"], failures: ["lost", "cut"], count: 2 } as const;
    const { printed, json } = describeRuns(given);
    expect(printed).toContain("    rotate:acme#1  BREAKS  ?");
    expect(printed).not.toContain("  t1 (t1.test.ts)");
    expect(json).toMatchObject({
      faults: [{}, { call: requestOf(0), failure: "cut", result: "unknown" }, {}, {}],
    });
  });

  it("is missing if there is nothing to read", () => {
    expect(describeRuns({}).printed).toEqual([
      "4 requests of 4: your tests pass with every failure.",
      "4 failures (4 requests × 1 kind) in 5 runs: 4 survived.",
    ]);
  });

  it("has requests beside faults of a test with --all, which --json marks", () => {
    const { json, sum } = describeRuns({ count: 2, withOwnFault: [1], all: true });
    expect(sum).toMatchObject({ total: 2, leftOut: 0 });
    expect(json).toMatchObject({
      faults: [{ call: requestOf(0) }, { call: requestOf(1), ownFault: true }],
    });
    expect(JSON.stringify(json).match(/ownFault/g)).toHaveLength(1);
  });
});

it("a cause has its text, advice, log and command in JSON", () => {
  const { json } = describeRuns({ count: 1, results: { "0=lost": "breaks" } });
  expect(json).toMatchObject({
    causes: [
      {
        text: 'lost of rotate breaks "t0" (t0.test.ts)',
        advice: "The client probably does not retry after a lost response.",
        log: "/logs/run-2.log",
        repeat: expect.stringContaining(`--inject ${requestOf(0)}=lost`),
      },
    ],
  });
});

describe("a test that fails now and then", () => {
  const badLuck = new ModelSuite(
    modelTests(8, () => ({ flakiness: 1, badLuck: "bad\n  luck" })),
    { random: () => 0 },
  ).run([], 3);

  it("is named in one sentence, with its error and log", () => {
    const command = { ...badLuck, exitCode: 7 };
    const { lines, json } = describeRuns({ flaky: new Map([...new Map([["t0", badLuck]]), ["", command]]) });
    expect(lines.slice(0, 2)).toEqual([
      "t0 (t0.test.ts) fails now and then, or because of failures in other tests: bad luck. Log: /logs/run-3.log",
      "Your command fails now and then (exit code 7). Log: /logs/run-3.log",
    ]);
    expect(json).toMatchObject({ flaky: [{ name: "t0", result: "failed", log: "/logs/run-3.log" }] });
  });

  it("is one of at most five that are printed", () => {
    const { lines } = describeRuns({ flaky: new Map(tests.slice(0, 7).map(({ id }) => [id, badLuck])) });
    expect(lines.slice(4, 6)).toEqual([expect.stringMatching(/^t4 .* fails now and then/), "and 2 more"]);
  });
});

it("a request that is not made again gets a likely reason", () => {
  const { lines } = describeRuns({ results: { "0=lost": "not met" } });
  expect(lines[0]).toBe(
    "1 run did not make the request again, so the result is unknown. Requests are named by place and group. Use the same names in every run.",
  );
});
