import { counted } from "../../foundation/grammar.js";
import type { FailureName } from "../../run/injection.js";
import { type Change, type EndedRun, isControl } from "./changes.js";
import type { Exploration } from "./exploration.js";
import { type Cell, type Found, type Section, shortPath, showFinding, shownTests } from "./findings.js";
import type { ChangeFinding, Result } from "./judge-runs.js";
import type { Plan } from "./plan-runs.js";
import { causeAdvice, causeText, findSuiteCauses } from "./suite-causes.js";
import { firstOf, labelList, requestLabel, testLabel } from "./test-label.js";

/** What `explore --faults` has tried. */
export interface TriedFailures {
  readonly titles: readonly string[];
  readonly requests: readonly string[];
  readonly failures: readonly FailureName[];
  /** Each failure at each request. */
  readonly changes: readonly Change[];
  readonly first: EndedRun;
}

/** Of a failure that was not tried. */
const missing: Cell = { result: "-" };

const apartTitle = "Requests of tests that arm a fault or a hold themselves:";

/** What was found, for a screen, a page and JSON. Keeps the logs that it names. */
export function describeFaults(tried: TriedFailures, plan: Plan, exploration: Exploration): Found {
  const { requests, failures, changes, first, titles } = tried;
  const { given, logs } = exploration;
  const { withOwnFault, tests } = first.seen;
  const cells = new Map(plan.findings.map((one) => [one.change, showFinding(one, given, logs)] as const));
  const makePart = (ofPart: readonly string[]) => {
    const findings = plan.findings.filter(({ change }) => ofPart.includes(change.of));
    const causes = findSuiteCauses(findings).map((cause) => ({
      text: causeText(cause, failures),
      advice: causeAdvice(cause, failures),
      example: cells.get(exampleOf(cause.findings).change) ?? missing,
    }));
    return { findings, causes, sections: layOutRequests(ofPart, changes, (change) => cells.get(change)) };
  };
  const main = makePart(requests.filter((request) => !withOwnFault.has(request)));
  const apart = makePart(requests.filter((request) => withOwnFault.has(request)));
  const program = tests.length > 0 ? "the program" : "your tests";
  const disturbed = tests.filter(({ id }) => plan.influenced.has(id));
  return {
    titles,
    parts: [main, { ...apart, title: apartTitle }].filter(({ sections }) => sections.length > 0),
    lines: [
      ...noteLines(tried, plan, exploration),
      `${counted(changes.length, "combination")}: ${counted(requests.length, "request")} with ${counted(failures.length, "kind")} of failure each.`,
      ...(apart.findings.length > 0
        ? [`Beside their own faults: ${summarize(apart.findings, program)}`]
        : []),
      summarize(main.findings, program),
    ],
    legend: resultMeanings,
    json: {
      faults: requests.flatMap((call) =>
        changes.flatMap((change) => {
          const cell = change.of === call ? cells.get(change) : undefined;
          return cell === undefined
            ? []
            : { call, failure: change.to, ...cell, ...(withOwnFault.has(call) && { ownFault: true }) };
        }),
      ),
      causes: [...main.causes, ...apart.causes].map(({ text, advice, example }) => {
        const { log, report, repeat } = example;
        return { text, advice, log, report, repeat };
      }),
      leftOut: first.seen.requests.length - requests.length,
      flaky: [...plan.flaky].flatMap(([id, run]) =>
        shownTests(run.seen.tests.filter((test) => test.id === id)).map((test) => ({
          ...test,
          run: run.name,
          log: logs.keepLog(run),
        })),
      ),
      influenced: shownTests(disturbed),
    },
  };
}

/** For the legend of the page. */
const resultMeanings: Readonly<Record<Result, string>> = {
  survives: "your tests pass with this failure",
  recovers:
    "a test fails, but the program got through: a later request succeeded. The test may assert the number or the time of requests",
  breaks: "a test fails with this failure, or one of the same cause, each time that it is tried",
  hangs: "the run exceeded --run-timeout: the program may have no timeout",
  unconfirmed: "a test failed with this failure once, and it was not tried again",
  flaky:
    "a test failed once and passed when it was repeated, or it fails too often without a failure of the service",
  "not met": "the run did not make this request again",
};

/** A row for each request that was tried, below the title of its test. */
export function layOutRequests(
  requests: readonly string[],
  changes: readonly Change[],
  cellOf: (change: Change) => Cell | undefined,
): Section[] {
  const sections = new Map<string, { title?: string; rows: { heads: string[]; cells: Cell[] }[] }>();
  for (const request of requests) {
    const ofRequest = changes.filter(({ of }) => of === request);
    const cells = ofRequest.map((change) => cellOf(change) ?? missing);
    if (cells.every((cell) => cell === missing)) continue;
    const [change] = ofRequest;
    const [test] = change?.tests ?? [];
    const id = test?.id ?? "";
    const section = sections.get(id) ?? { ...(test && { title: testLabel(test) }), rows: [] };
    section.rows.push({ heads: [change === undefined ? request : requestLabel(change)], cells });
    sections.set(id, section);
  }
  return [...sections.values()];
}

/** The finding whose own run shows it, if there is one: then the log has its name. */
function exampleOf(findings: readonly [ChangeFinding, ...ChangeFinding[]]): ChangeFinding {
  return findings.find(({ change, shownBy }) => change === shownBy) ?? findings[0];
}

/** What is not certain, and what was not tried. */
function noteLines(
  { requests, changes, first }: TriedFailures,
  plan: Plan,
  exploration: Exploration,
): string[] {
  const count = (wanted: Result) => countResults(plan.findings, wanted);
  const combinations = counted(changes.length, "combination");
  const withoutFinding = changes.length - plan.findings.length;
  const reason = exploration.isInterrupted ? "Interrupted." : "Raise --max-runs to try them.";
  const leftOut = first.seen.requests.length - requests.length;
  const disturbed = first.seen.tests.filter(({ id }) => plan.influenced.has(id));
  const strays = Array.from(plan.flaky, ([id, run]) => strayLine(id, run, exploration.logs.keepLog(run)));
  return [
    ...firstOf(strays),
    strays.length > 0 && "Make what fails without a failure pass every time, then explore again.",
    disturbed.length > 0 &&
      `Tests influence each other. Failed because of failures in other tests: ${labelList(disturbed)}.`,
    count("flaky") > 0 && `${count("flaky")} of ${combinations} flaky: ${resultMeanings.flaky}.`,
    count("not met") > 0 &&
      `${counted(count("not met"), "run")} did not make the request again, so the result is unknown.` +
        " Requests are named by world and group. Use the same names in every run.",
    leftOut > 0 &&
      `Left out: ${counted(leftOut, "request")} of tests that arm a fault or a hold themselves. Add --all to try them.`,
    withoutFinding > 0 && `Left out: ${withoutFinding} of ${combinations}. ${reason}`,
    count("unconfirmed") > 0 &&
      `fails?: failed once, and not tried again: ${count("unconfirmed")} of ${combinations}. ${reason}`,
  ].filter((line) => line !== false);
}

function countResults(findings: readonly ChangeFinding[], wanted: Result): number {
  return findings.filter(({ result }) => result === wanted).length;
}

function summarize(findings: readonly ChangeFinding[], program: string): string {
  const survived = countResults(findings, "survives");
  const recovered = countResults(findings, "recovers");
  const broken = countResults(findings, "breaks");
  const hanging = countResults(findings, "hangs");
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

/** `rotates twice (rotate.test.ts) also failed without a failure of the service: bad luck, in a run … Log: …` */
function strayLine(id: string, run: EndedRun, log: string): string {
  const test = run.seen.tests.find((one) => one.id === id);
  const error = test?.failure?.error?.message.replace(/\s+/g, " ").trim().slice(0, 200) ?? "unknown error";
  const what = test === undefined ? "Your command" : testLabel(test);
  const how = test === undefined ? "" : `${error}, `;
  const where = isControl(run) ? "in a run without a failure" : "in a run with failures in other tests";
  return `${what} also failed without a failure of the service: ${how}${where} (exit code ${run.exitCode}). Log: ${shortPath(log)}`;
}
