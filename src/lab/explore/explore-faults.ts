import { MockError } from "../../fake/contract/mock-error.js";
import { counted } from "../../foundation/grammar.js";
import type { FailureName } from "../../run/injection.js";
import { type EndedRun, failureChanges } from "./changes.js";
import type { Exploration } from "./exploration.js";
import { type Cell, type Found, firstOf, labelList, showFinding, shownTests, testLabel } from "./findings.js";
import type { ChangeFinding, Result } from "./judge-runs.js";

/** Of a failure that was not tried. */
const missing: Cell = { result: "-" };

/** `usergroup-mock explore --faults -- <command>`: which single failures of the service does this code survive? */
export async function exploreFaults(
  exploration: Exploration,
  first: EndedRun,
  failures: readonly FailureName[],
): Promise<Found> {
  const { requests: made, withOwnFault, tests } = first.seen;
  const requests = made.filter((request) => exploration.flags.all || !withOwnFault.has(request));
  if (requests.length === 0)
    throw new MockError("nothing_found", made.length === 0 ? allRejected : allWithOwnFaults);
  const changes = failureChanges(requests, failures, tests);
  const { findings, flaky, influenced } = await exploration.carryOut(changes, first);
  const cells = new Map(
    findings.map((finding) => {
      const { name, of: call, to: failure } = finding.change;
      return [name, { call, failure, ...showFinding(finding, exploration.given) }];
    }),
  );
  const rows = requests.map((request) => ({
    heads: [request],
    cells: failures.map((failure) => cells.get(`${request}=${failure}`) ?? missing),
  }));
  const disturbed = tests.filter(({ id }) => influenced.has(id));
  const count = (wanted: Result) => findings.filter(({ result }) => result === wanted).length;
  const leftOut = made.length - requests.length;
  const left = changes.length - cells.size;
  const combinations = counted(changes.length, "combination");
  return {
    titles: ["request", ...failures],
    rows: rows.filter((row) => row.cells.some((cell) => cell !== missing)),
    lines: [
      ...testLines(findings),
      ...firstOf(Array.from(flaky, strayLine)),
      flaky.size > 0 && "Make what fails without a failure pass every time, then explore again.",
      influenced.size > 0 &&
        `Tests influence each other. Failed because of failures in other tests: ${labelList(disturbed)}.`,
      count("flaky") > 0 && `${count("flaky")} of ${combinations} flaky: ${resultMeanings.flaky}.`,
      count("not met") > 0 &&
        `${counted(count("not met"), "run")} did not make the request again, so the result is unknown.` +
          " Requests are named by world and group. Use the same names in every run.",
      leftOut > 0 &&
        `Left out: ${counted(leftOut, "request")} of tests that arm a fault or a hold themselves. Add --all to try them.`,
      left > 0 &&
        `Left out: ${left} of ${combinations}. ${exploration.isInterrupted ? "Interrupted." : "Raise --max-runs to try them."}`,
      `${combinations}: ${counted(requests.length, "request")} with ${counted(failures.length, "kind")} of failure each.`,
      summarize(count, tests.length > 0 ? "the program" : "your tests"),
    ].filter((line) => line !== false),
    legend: resultMeanings,
    json: {
      faults: rows.flatMap((row) =>
        row.cells.filter((cell) => cell !== missing).map(({ world, ...cell }) => cell),
      ),
      leftOut,
      flaky: [...flaky].flatMap(([id, { name: run, log, seen }]) =>
        shownTests(seen.tests.filter((test) => test.id === id)).map((test) => ({ ...test, run, log })),
      ),
      influenced: shownTests(disturbed),
    },
  };
}

const allRejected =
  "Requests reached a mock, but all of them were rejected, so no failure was tried. Make a test send a request that succeeds.";
const allWithOwnFaults =
  "All requests are those of tests that arm a fault or a hold themselves, so they were left out. Add --all to try them.";

/** For the legend of the page. */
const resultMeanings: Readonly<Record<Result, string>> = {
  survives: "your tests pass with this failure",
  recovers:
    "a test fails, but the program got through: a later request succeeded. The test may assert the number or the time of requests",
  breaks: "a test fails with this failure three times of three",
  hangs: "the run exceeded --run-timeout: the program may have no timeout",
  flaky:
    "a test failed once and passed when it was repeated, or it fails too often without a failure of the service",
  "not met": "the run did not make this request again",
};

function summarize(count: (wanted: Result) => number, program: string): string {
  const [survived, recovered] = [count("survives"), count("recovers")];
  const [broken, hanging] = [count("breaks"), count("hangs")];
  return [
    `Your tests pass with ${survived} of ${counted(survived + recovered + broken + hanging, "failure")}.`,
    recovered > 0 &&
      `The program recovered from ${recovered} of the others, but a test failed: it may assert the number or the time of requests.`,
    broken > 0 && `${broken} ${broken === 1 ? "breaks" : "break"} ${program}.`,
    hanging > 0 && `${hanging} ${hanging === 1 ? "makes" : "make"} it hang.`,
  ]
    .filter((line) => line !== false)
    .join(" ");
}

/** `rotates twice (rotate.test.ts) also failed without a failure of the service: bad luck, in run 3 … Log: …` */
function strayLine([id, shown]: readonly [id: string, shown: EndedRun]): string {
  const { name, exitCode, log, seen } = shown;
  const test = seen.tests.find((one) => one.id === id);
  const [what, error] = test ? [testLabel(test), `${errorOf(id, shown)}, `] : ["Your command", ""];
  return `${what} also failed without a failure of the service: ${error}in ${name} (exit code ${exitCode}). Log: ${log}`;
}

/** Which tests fail, and how. Breaks come first. */
function testLines(findings: readonly ChangeFinding[]): string[] {
  const lines = Object.entries(causes).flatMap(([cause, words]) =>
    findings
      .filter(({ result }) => result === cause)
      .flatMap(({ tests, shown }) =>
        tests.map((test) => `${words} ${testLabel(test)} fails: ${errorOf(test.id, shown)}`),
      ),
  );
  return firstOf(new Set(lines));
}

const causes = {
  hangs: "The program hangs:",
  breaks: "The program breaks:",
  recovers: "The program recovers, but",
};

function errorOf(id: string, shown: EndedRun | undefined): string {
  const error = shown?.seen.tests.find((test) => test.id === id)?.failure?.error;
  return (error?.message ?? "unknown error").replace(/\s+/g, " ").trim().slice(0, 200);
}
