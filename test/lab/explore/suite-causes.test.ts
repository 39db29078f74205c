import { describe, expect, it } from "vitest";
import { failureChanges } from "../../../src/lab/explore/changes.js";
import type { Finding } from "../../../src/lab/explore/judge.js";
import { causeAdvice, causeText, exampleOf, findSuiteCauses } from "../../../src/lab/explore/suite-causes.js";
import { type FailureName, failureNames } from "../../../src/run/injection.js";
import { ModelSuite, modelTests } from "./suite-model.js";

const suite = new ModelSuite(modelTests(2));
const tests = suite.first.seen.tests;

interface Given {
  readonly result?: Finding["result"];
  readonly error?: string;
  /** The number of the test, if the results of tests are known. */
  readonly test?: number;
}

/** A finding for each failure of a request: `rotate#1=lost`. */
function findingsOf(points: readonly string[], { result = "breaks", error, test }: Given = {}) {
  const place = test === undefined ? "" : `t${test}/`;
  return points.map((point): Finding => {
    const [request = "", failure] = point.split("=");
    const all = failureChanges([`${place}${request}`], failureNames, tests);
    const change = all.find(({ to }) => to === failure) ?? expect.fail(point);
    return { change, result, error, shownBy: change, shown: suite.run([change]) };
  });
}

const all = (request: string) => failureNames.map((name) => `${request}=${name}`);
const shown = (findings: readonly Finding[], tried: readonly FailureName[] = failureNames) =>
  findSuiteCauses(findings).map((cause) => ({
    text: causeText(cause, tried),
    advice: causeAdvice(cause, tried, 3),
  }));

describe("a cause of explore --faults", () => {
  it.each<[text: string, findings: readonly Finding[]]>([
    ["lost of rotate breaks your tests", findingsOf(["rotate#1=lost"])],
    ['lost of rotate breaks "t0" (t0.test.ts): no', findingsOf(["rotate#1=lost"], { test: 0, error: "no" })],
    [
      "lost of rotate breaks 2 tests with the same error: no",
      [0, 1].flatMap((test) => findingsOf(["rotate#1=lost"], { test, error: "no" })),
    ],
    [
      'reset, lost and cut of rotate break "t0" (t0.test.ts) with the same error: no',
      findingsOf(["rotate#1=cut", "rotate#1=lost", "rotate#1=reset"], { test: 0, error: "no" }),
    ],
    [
      'lost of rotate and get-or-create breaks "t0" (t0.test.ts) with the same error: no',
      findingsOf(["rotate#1=lost", "get-or-create#1=lost"], { test: 0, error: "no" }),
    ],
    [
      'lost of rotate, and all 7 failures of get-or-create break "t0" (t0.test.ts) with the same error: no',
      findingsOf(["rotate#1=lost", ...all("get-or-create#1")], { test: 0, error: "no" }),
    ],
    ["All 7 failures of rotate make your tests hang", findingsOf(all("rotate#1"), { result: "hangs" })],
    [
      'The program recovers from lost of rotate, but "t0" (t0.test.ts) fails: no',
      findingsOf(["rotate#1=lost"], { result: "recovers", test: 0, error: "no" }),
    ],
    [
      "The program recovers from lost of rotate, but 2 tests fail with the same error: no",
      [0, 1].flatMap((test) => findingsOf(["rotate#1=lost"], { result: "recovers", test, error: "no" })),
    ],
  ])("reads: %s", (text, findings) => {
    expect(shown(findings).map((cause) => cause.text)).toEqual([text]);
  });

  it.each<[advice: string, points: readonly string[], result?: Finding["result"]]>([
    ["The tests may assert the number or the time of requests.", ["rotate#1=lost"], "recovers"],
    [
      "The client still waited after 3 s: it may have no timeout, or a longer one (--silence).",
      ["rotate#1=silent"],
      "hangs",
    ],
    ["The run was ended by --run-timeout: the program may have no timeout.", ["rotate#1=cut"], "hangs"],
    ["The client probably does not retry after a lost response.", ["get-or-create#1=lost"]],
    [
      "The client probably does not retry after a 503, a 429 and a timeout.",
      ["rotate#1=unavailable", "rotate#1=throttled", "rotate#1=silent"],
    ],
    [
      "The client probably does not retry after a reset connection, broken JSON and half a response.",
      ["rotate#1=garbled", "rotate#1=cut", "rotate#1=reset"],
    ],
    ["The client probably does not retry.", all("rotate#1")],
  ])("has the advice: %s", (advice, points, result = "breaks") => {
    expect(shown(findingsOf(points, { test: 0, result })).map((cause) => cause.advice)).toEqual([advice]);
  });

  it("shows the run that has nothing else, or else one that shows the failure itself", () => {
    const [first = expect.fail(), second = expect.fail(), third = expect.fail()] = findingsOf(
      ["rotate#1=lost", "rotate#1=cut", "rotate#1=reset"],
      { test: 0 },
    );
    const byAnother = { ...first, shownBy: second.change };
    const together = { ...second, shown: suite.run([first.change, second.change]) };
    const example = (...findings: [Finding, ...Finding[]]) =>
      exampleOf({ result: "breaks", error: undefined, findings });
    expect(example(byAnother, together, third)).toBe(third);
    expect(example(byAnother, together)).toBe(together);
    expect(example(byAnother)).toBe(byAnother);
  });
});

describe("the causes of explore --faults", () => {
  it("are one for each result and error: hangs, breaks, recoveries, each with those of most failures first", () => {
    const findings = [
      findingsOf(["rotate#1=lost"], { test: 0, result: "recovers", error: "a" }),
      findingsOf(["rotate#2=lost"], { test: 0, error: "a" }),
      findingsOf(["rotate#1=cut", "rotate#2=cut"], { test: 1, error: "b" }),
      findingsOf(["rotate#3=lost"], { test: 0, result: "hangs" }),
    ].flat();
    expect(findSuiteCauses(findings).map((cause) => [cause.result, cause.findings.length])).toEqual([
      ["hangs", 1],
      ["breaks", 2],
      ["breaks", 1],
      ["recovers", 1],
    ]);
  });

  it("are none for what survives or is not certain", () => {
    const results = ["survives", "unconfirmed", "flaky", "not met"] as const;
    const findings = results.flatMap((result) => findingsOf(["rotate#1=lost"], { test: 0, result }));
    expect(findSuiteCauses(findings)).toEqual([]);
  });
});
