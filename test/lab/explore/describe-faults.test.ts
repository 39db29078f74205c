import { describe, expect, it } from "vitest";
import type { Change, EndedRun } from "../../../src/lab/explore/changes.js";
import { describeFaults } from "../../../src/lab/explore/describe-faults.js";
import type { Exploration } from "../../../src/lab/explore/exploration.js";
import type { LogFolder } from "../../../src/lab/explore/log-folder.js";
import type { Plan } from "../../../src/lab/explore/plan-runs.js";
import type { GivenCommand } from "../../../src/options/given-command.js";
import type { FailureName } from "../../../src/run/injection.js";
import { ModelSuite, modelTests } from "./suite-model.js";

/** Tests with one request each, which survive every failure. */
const suite = new ModelSuite(
  modelTests(8, 8, () => ({ requests: 1 })),
  { failures: ["lost", "cut"] },
);
const { plan } = suite.explore();
/** `0=lost` */
const pointOf = ({ tests: [test], to }: Change) => `${test?.id.slice(1)}=${to}`;
const requestOf = (n: number) => `t${n}/rotate:acme#1`;

const logs = {
  nameLog: (_: EndedRun, change: Change) => `/logs/${change.name}.log`,
  keepLog: (run: EndedRun) => `/logs/${run.name}.log`,
} as LogFolder;

interface Given {
  /** Results that differ, by test and failure: `0=lost`. Undefined: it was not tried. */
  readonly results?: Readonly<Record<string, string | undefined>>;
  /** Points whose result was shown by the run of another one. */
  readonly shownBy?: Readonly<Record<string, string>>;
  /** The number of tests that are explored. */
  readonly count?: number;
  readonly failures?: readonly FailureName[];
  /** The tests that arm a fault themselves. */
  readonly withOwnFault?: readonly number[];
  /** How many requests were not tried. */
  readonly leftOut?: number;
  readonly flaky?: Plan["flaky"];
  readonly influenced?: Plan["influenced"];
  readonly isInterrupted?: boolean;
}

function describeRuns({
  results = {},
  shownBy = {},
  count = 4,
  failures = ["lost"],
  withOwnFault = [],
  leftOut = 0,
  flaky = new Map(),
  influenced = new Set(),
  isInterrupted = false,
}: Given) {
  const requests = Array.from({ length: count }, (_, n) => requestOf(n));
  const changes = suite.changes.filter(
    ({ of, to }) => requests.includes(of) && failures.some((one) => one === to),
  );
  const run = suite.run([]);
  const made = [...requests, ...Array.from({ length: leftOut }, (_, n) => `rotate:left-out#${n + 1}`)];
  const own = new Set(withOwnFault.map(requestOf));
  const first = { ...run, seen: { ...run.seen, requests: made, withOwnFault: own } };
  const findings = plan.findings
    .filter(({ change }) => changes.includes(change))
    .flatMap((finding) => {
      const point = pointOf(finding.change);
      const result = point in results ? results[point] : finding.result;
      const by = changes.find((change) => pointOf(change) === shownBy[point]) ?? finding.change;
      return result === undefined ? [] : { ...finding, result, shownBy: by, tests: finding.change.tests };
    });
  const given: GivenCommand = { serverFlags: {}, argv: ["npm", "test"] };
  return describeFaults(
    { titles: ["request", ...failures], requests, failures, changes, first },
    { ...plan, findings, flaky, influenced },
    { given, logs, isInterrupted } as Exploration,
  );
}

describe("what explore --faults has found", () => {
  it("is counted by results: one of each", () => {
    const { lines } = describeRuns({
      results: { "1=lost": "recovers", "2=lost": "breaks", "3=lost": "hangs" },
    });
    expect(lines).toEqual([
      "4 combinations: 4 requests with 1 kind of failure each.",
      "Your tests pass with 1 of 4 failures." +
        " The program recovered from 1 of the others, but a test failed: it may assert the number or the time of requests." +
        " 1 breaks the program. 1 makes it hang.",
    ]);
  });

  it("is counted by results: several", () => {
    const points = (...tests: number[]) => tests.flatMap((n) => [`${n}=lost`, `${n}=cut`]);
    const broken = points(0).map((point) => [point, "breaks"]);
    const hanging = points(1).map((point) => [point, "hangs"]);
    const results = Object.fromEntries([...broken, ...hanging]);
    const { lines } = describeRuns({ results, failures: ["lost", "cut"] });
    expect(lines).toEqual([
      "8 combinations: 4 requests with 2 kinds of failure each.",
      "Your tests pass with 4 of 8 failures. 2 break the program. 2 make it hang.",
    ]);
  });

  it("is counted apart for requests beside faults of a test, which --json marks, with their causes", () => {
    const results = { "0=lost": "breaks", "1=lost": "breaks", "2=lost": "survives" };
    const { lines, parts, json } = describeRuns({ results, count: 3, withOwnFault: [1, 2] });
    expect(lines.slice(-2)).toEqual([
      "Beside their own faults: Your tests pass with 1 of 2 failures. 1 breaks the program.",
      "Your tests pass with 0 of 1 failure. 1 breaks the program.",
    ]);
    expect(parts.map(({ title, sections }) => [title, sections.length])).toEqual([
      [undefined, 1],
      ["Requests of tests that arm a fault or a hold themselves:", 2],
    ]);
    expect(json).toMatchObject({
      faults: [
        { call: requestOf(0), failure: "lost", result: "breaks" },
        { call: requestOf(1), failure: "lost", result: "breaks", ownFault: true },
        { call: requestOf(2), failure: "lost", result: "survives", ownFault: true },
      ],
      causes: [{ text: expect.stringContaining('"t0"') }, { text: expect.stringContaining('"t1"') }],
      leftOut: 0,
    });
    expect(JSON.stringify(json).match(/ownFault/g)).toHaveLength(2);
  });

  it("has for each cause the failure as an example whose own run shows it", () => {
    const results = { "0=lost": "breaks", "1=lost": "breaks" };
    const { json, parts } = describeRuns({ results, shownBy: { "0=lost": "1=lost" }, count: 2 });
    expect(parts[0]?.causes).toHaveLength(1);
    expect(json).toMatchObject({ causes: [{ repeat: expect.stringContaining(`${requestOf(1)}=lost`) }] });
  });

  it("has a dash for a failure that was not tried, and no row for a request without any", () => {
    const results = { "0=cut": undefined, "1=lost": undefined, "1=cut": undefined };
    const { lines, parts } = describeRuns({ results, count: 2, failures: ["lost", "cut"] });
    const rows = parts.flatMap(({ sections }) => sections.flatMap((section) => section.rows));
    expect(rows.map(({ cells }) => cells.map(({ result }) => result))).toEqual([["survives", "-"]]);
    expect(lines[0]).toBe("Left out: 3 of 4 combinations. Raise --max-runs to try them.");
  });
});

describe("explore --faults notes", () => {
  it.each<[note: string, given: Given]>([
    [
      "1 of 4 combinations flaky: a test failed once and passed when it was repeated, or it fails too often without a failure of the service.",
      { results: { "0=lost": "flaky" } },
    ],
    [
      "1 run did not make the request again, so the result is unknown. Requests are named by world and group. Use the same names in every run.",
      { results: { "0=lost": "not met" } },
    ],
    [
      "Left out: 2 requests of tests that arm a fault or a hold themselves. Add --all to try them.",
      { leftOut: 2 },
    ],
    [
      "Left out: 1 of 4 combinations. Interrupted.",
      { results: { "0=lost": undefined }, isInterrupted: true },
    ],
    [
      "fails?: failed once, and not tried again: 1 of 4 combinations. Raise --max-runs to try them.",
      { results: { "0=lost": "unconfirmed" } },
    ],
    [
      "Tests influence each other. Failed because of failures in other tests: t1 (1.test.ts), t3 (3.test.ts).",
      { influenced: new Set(["t1", "t3"]) },
    ],
  ])("%s", (note, given) => {
    const { lines } = describeRuns(given);
    // The count of combinations and the summary follow.
    expect(lines.slice(0, -2)).toEqual([note]);
  });

  it("has the tests that influence each other and the requests that were left out with --json", () => {
    const { json } = describeRuns({ influenced: new Set(["t1"]), leftOut: 3 });
    const test = { name: "t1", file: "1.test.ts", result: "passed" };
    expect(json).toMatchObject({ influenced: [test], leftOut: 3, flaky: [] });
  });

  describe("a test that fails without a failure of the service", () => {
    const badLuck = new ModelSuite(
      modelTests(8, 8, () => ({ flakiness: 1, badLuck: "bad\n  luck" })),
      { random: () => 0 },
    ).run([], "run 3 without a failure");
    const [change = expect.fail()] = suite.changes;
    const beside = { ...badLuck, name: "run 4", changes: [change] };
    const advice = "Make what fails without a failure pass every time, then explore again.";

    it("by itself or beside others, with its error, its run and its log", () => {
      const flaky = new Map([
        ["t0", badLuck],
        ["t1", beside],
        ["", { ...badLuck, exitCode: 7 }],
      ]);
      const { lines, json } = describeRuns({ flaky });
      expect(lines.slice(0, -2)).toEqual([
        "t0 (0.test.ts) also failed without a failure of the service: bad luck, in a run without a failure (exit code 1). Log: /logs/run 3 without a failure.log",
        "t1 (1.test.ts) also failed without a failure of the service: bad luck, in a run with failures in other tests (exit code 1). Log: /logs/run 4.log",
        "Your command also failed without a failure of the service: in a run without a failure (exit code 7). Log: /logs/run 3 without a failure.log",
        advice,
      ]);
      expect(json).toMatchObject({
        flaky: [
          { name: "t0", result: "failed", run: badLuck.name, log: `/logs/${badLuck.name}.log` },
          { name: "t1", result: "failed", run: "run 4", log: "/logs/run 4.log" },
        ],
      });
    });

    it("but not more than five of them", () => {
      const flaky = new Map(Array.from({ length: 7 }, (_, n) => [`t${n}`, badLuck]));
      const { lines } = describeRuns({ flaky });
      expect(lines.slice(4, 7)).toEqual([
        expect.stringMatching(/^t4 .* also failed without a failure of the service: /),
        "and 2 more",
        advice,
      ]);
    });
  });
});
