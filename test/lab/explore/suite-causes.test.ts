import { describe, expect, it } from "vitest";
import { failureChanges } from "../../../src/lab/explore/changes.js";
import type { ChangeFinding } from "../../../src/lab/explore/judge-runs.js";
import { causeAdvice, causeText, findSuiteCauses } from "../../../src/lab/explore/suite-causes.js";
import { failureNames } from "../../../src/run/injection.js";
import { ModelSuite, modelTests } from "./suite-model.js";

const suite = new ModelSuite(modelTests(2, 1));
const { first: tests } = suite;

interface Given {
  readonly result?: string;
  readonly error?: string;
  /** The number of the test that the failures break. Missing: nothing is known of the tests. */
  readonly test?: number;
  /** Whether the service performed the requests whose responses were lost. */
  readonly tookEffect?: boolean;
}

/** A finding for each failure of a request: `rotate#1=lost`. */
function findingsOf(points: readonly string[], { result = "breaks", error, test, tookEffect }: Given = {}) {
  const ofTest = test === undefined ? [] : [tests[test] ?? expect.fail("there is no such test")];
  return points.map((point): ChangeFinding => {
    const [request = "", failure] = point.split("=");
    const place = test === undefined ? "" : `t${test}/`;
    const all = failureChanges([`${place}${request}`], failureNames, ofTest);
    const change = all.find(({ to }) => to === failure) ?? expect.fail(point);
    const run = suite.run([change]);
    const seen = { ...run.seen, tookEffect: new Set(tookEffect ? [change.name] : []) };
    return { change, result, tests: ofTest, error, shownBy: change, shown: { ...run, seen } };
  });
}

const all = (request: string) => failureNames.map((name) => `${request}=${name}`);

const shown = (findings: readonly ChangeFinding[], tried: readonly string[] = failureNames) =>
  findSuiteCauses(findings).map((cause) => ({
    text: causeText(cause, tried),
    advice: causeAdvice(cause, tried),
  }));

describe("a cause of explore --faults", () => {
  it.each<[text: string, findings: readonly ChangeFinding[]]>([
    ["lost of rotate breaks your tests", findingsOf(["rotate#1=lost"])],
    ['lost of rotate breaks "t0" (0.test.ts): no', findingsOf(["rotate#1=lost"], { test: 0, error: "no" })],
    [
      "lost of rotate breaks 2 tests with the same error: no",
      [0, 1].flatMap((test) => findingsOf(["rotate#1=lost"], { test, error: "no" })),
    ],
    [
      'reset, lost and cut of rotate break "t0" (0.test.ts) with the same error: no',
      findingsOf(["rotate#1=cut", "rotate#1=lost", "rotate#1=reset"], { test: 0, error: "no" }),
    ],
    [
      'lost of rotate and get-or-create breaks "t0" (0.test.ts) with the same error: no',
      findingsOf(["rotate#1=lost", "get-or-create#1=lost"], { test: 0, error: "no" }),
    ],
    [
      'lost of rotate, and all 7 failures of get-or-create break "t0" (0.test.ts) with the same error: no',
      findingsOf(["rotate#1=lost", ...all("get-or-create#1")], { test: 0, error: "no" }),
    ],
    ["All 7 failures of rotate make your tests hang", findingsOf(all("rotate#1"), { result: "hangs" })],
    [
      'silent of rotate makes "t1" (0.test.ts) hang',
      findingsOf(["rotate#1=silent"], { result: "hangs", test: 1 }),
    ],
    [
      'The program recovers from lost of rotate, but "t0" (0.test.ts) fails: no',
      findingsOf(["rotate#1=lost"], { result: "recovers", test: 0, error: "no" }),
    ],
    [
      "The program recovers from lost of rotate, but 2 tests fail with the same error: no",
      [0, 1].flatMap((test) => findingsOf(["rotate#1=lost"], { result: "recovers", test, error: "no" })),
    ],
  ])("reads: %s", (text, findings) => {
    expect(shown(findings).map((cause) => cause.text)).toEqual([text]);
  });

  it.each<[advice: string, points: readonly string[], given: Given]>([
    ["The program may have no timeout.", ["rotate#1=silent"], { result: "hangs", test: 0 }],
    [
      "The tests may assert the number or the time of requests.",
      ["rotate#1=lost"],
      { result: "recovers", test: 0 },
    ],
    ["", ["rotate#1=lost"], {}],
    [
      "The token was rotated, but the program does not have the new one: look the group up to get it.",
      ["rotate#1=lost", "rotate#1=garbled", "rotate#1=cut"],
      { test: 0, tookEffect: true },
    ],
    [
      "The client does not retry after a lost response, broken JSON and half a response.",
      ["rotate#1=lost", "rotate#1=garbled", "rotate#1=cut"],
      { test: 0, tookEffect: false },
    ],
    [
      "The client does not retry after a reset connection and a lost response.",
      ["rotate#1=lost", "rotate#1=reset"],
      { test: 0 },
    ],
    [
      "The client does not retry after a reset connection. After a lost response, the token was rotated, but the program does not have the new one: look the group up to get it.",
      ["rotate#1=lost", "rotate#1=reset"],
      { test: 0, tookEffect: true },
    ],
    ["The client does not retry after a lost response.", ["get-or-create#1=lost"], { test: 0 }],
    [
      "The client does not retry after a lost response.",
      ["get-or-create#1=lost", "rotate#1=lost"],
      { test: 0 },
    ],
    ["The client does not retry.", all("rotate#1"), { test: 0 }],
    [
      "The client waits too long, or does not retry after a timeout.",
      ["get-or-create#1=silent"],
      { test: 0 },
    ],
    [
      "The client does not retry after a 503, a 429 and a timeout.",
      ["rotate#1=unavailable", "rotate#1=throttled", "rotate#1=silent"],
      { test: 0 },
    ],
    [
      "The client does not retry after broken JSON and half a response.",
      ["get-or-create#1=garbled", "get-or-create#1=cut"],
      { test: 0 },
    ],
  ])("has the advice: %s", (advice, points, given) => {
    expect(shown(findingsOf(points, given)).map((cause) => cause.advice)).toEqual([advice]);
  });

  it("names the failure if only one was tried", () => {
    expect(shown(findingsOf(["rotate#1=reset"], { test: 0 }), ["reset"])).toEqual([
      {
        text: 'reset of rotate breaks "t0" (0.test.ts)',
        advice: "The client does not retry after a reset connection.",
      },
    ]);
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
    const results = ["survives", "unconfirmed", "flaky", "not met"];
    const findings = results.flatMap((result) => findingsOf(["rotate#1=lost"], { test: 0, result }));
    expect(findSuiteCauses(findings)).toEqual([]);
  });

  it("count a failure once, and a test once, however many requests it breaks", () => {
    const findings = findingsOf(["rotate#1=lost", "rotate#2=lost"], { test: 0, error: "no" });
    expect(shown(findings, ["reset", "lost"]).map(({ text }) => text)).toEqual([
      'lost of rotate breaks "t0" (0.test.ts) with the same error: no',
    ]);
  });
});
