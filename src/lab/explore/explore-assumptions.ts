import { counted } from "../../foundation/grammar.js";
import type { RunSeen } from "../../run/begin-run.js";
import { assumptionsIn, type OtherValue } from "./assumption-values.js";
import type { Change, EndedRun } from "./changes.js";
import type { Exploration } from "./exploration.js";
import { type Cell, type Found, isBreak, type SumWords, shortPath, showFinding, sumUp } from "./findings.js";
import { judgeValues, type ValueFinding } from "./judge-values.js";
import { eachAlone } from "./plan-rounds.js";
import { labelList } from "./test-label.js";

/** A value, and what is known of it. */
interface ValueRow {
  readonly change: Change;
  readonly result: ValueResult;
  /** Missing if no run was needed, or none was made. */
  readonly finding?: ValueFinding | undefined;
}

type ValueResult = ValueFinding["result"] | "not exercised" | "pinned" | "known" | "not tried";

/** Finds the assumptions that tests depend on. @param values that the assumptions do not have */
export async function exploreAssumptions(
  exploration: Exploration,
  first: EndedRun,
  values: readonly OtherValue[],
): Promise<Found> {
  const decided = assumptionsIn(first.seen.decided);
  const { all = false } = exploration.flags;
  const needed = values.filter(({ of, isKnown }) => !isKnown && (all || decided.has(of)));
  const ids = new Set(needed.map(({ of }) => of)).size;
  exploration.announce(
    `${counted(needed.length, "value")} of ${counted(ids, "assumption")}`,
    1 + needed.length,
    0,
  );
  const findings = await tryValues(needed, exploration);
  const rows = values.map((change): ValueRow => {
    const finding = findings.find((one) => one.change === change);
    if (finding !== undefined) return { change, finding, result: resultOf(finding) };
    return { change, result: needed.includes(change) ? "not tried" : whyNoRun(change, first.seen) };
  });
  return describeValues(rows, exploration);
}

/** Every value once, then again what has failed. */
export async function tryValues(
  values: readonly Change[],
  runs: Pick<Exploration, "make" | "ended">,
): Promise<readonly ValueFinding[]> {
  let isGoingOn = await runs.make(eachAlone(values));
  for (;;) {
    const { findings, again } = judgeValues(values, runs.ended);
    if (!isGoingOn || again.length === 0) return findings;
    isGoingOn = await runs.make(again);
  }
}

/** That tests pass proves something only if responses depended on the assumption. */
function resultOf({ change: { of: id }, result, shown }: ValueFinding): ValueResult {
  return result === "passes" && !assumptionsIn(shown.seen.decided).has(id) ? "not exercised" : result;
}

function whyNoRun({ of: id, isKnown }: OtherValue, { pinned, known }: RunSeen): ValueResult {
  if (isKnown || assumptionsIn(known).has(id)) return "known";
  return assumptionsIn(pinned).has(id) ? "pinned" : "not exercised";
}

function describeValues(rows: readonly ValueRow[], exploration: Exploration): Found {
  const cells = new Map(rows.map((row) => [row.change, cellOf(row, exploration)]));
  const cellFor = ({ change, result }: ValueRow): Cell => cells.get(change) ?? { result };
  const tried = rows.filter(({ result }) => result !== "not tried");
  const broken = tried.filter(isBreak);
  const dependsOn = [...new Set(broken.map(({ change }) => change.of))];
  const results = rows.map(({ result }) => result);
  const sum = sumUp(counted(rows.length, "value"), results, valueSumWords, exploration);
  return {
    causes: broken.map((row) => ({ text: breakText(row), advice: "", example: cellFor(row) })),
    titles: ["assumption", "if it were", "result"],
    sections: [
      { rows: tried.map((row) => ({ heads: [row.change.of, row.change.to], cells: [cellFor(row)] })) },
    ],
    lines: [
      ...tried.filter(({ result }) => result === "flaky").map((row) => flakyValueLine(row, cellFor(row))),
      dependenceLine(dependsOn.length, new Set(tried.map(({ change }) => change.of)).size),
      ...(dependsOn.length > 0 ? [verifyAdvice] : []),
      sum.line,
    ],
    hasBreak: broken.length > 0,
    json: {
      dependsOn,
      findings: tried.map((row) => ({ id: row.change.of, value: row.change.to, ...cellFor(row) })),
      ...sum.json,
    },
  };
}

function cellOf({ result, finding }: ValueRow, exploration: Exploration): Cell {
  return finding === undefined ? { result } : showFinding({ ...finding, result }, exploration);
}

const valueSumWords: SumWords<ValueResult> = {
  passes: ["passes", "passed"],
  breaks: ["breaks", "broke"],
  hangs: ["hangs", "hung"],
  flaky: ["flaky", "flaky"],
  unconfirmed: ["unconfirmed", "failed, not tried again"],
  "not exercised": ["notExercised", "not exercised (no response depended on the assumption)"],
  pinned: ["pinned", "pinned (responses depended on the assumption only where a test sets it)"],
  known: ["known", "known (the profile has the value)"],
  "not tried": ["notTried", "NOT TRIED"],
};

/** `Your tests depend on 3 of 20 assumptions; none of the 3 is known.` What the profile has is not changed. */
function dependenceLine(count: number, all: number): string {
  const unknown = count === 1 ? "; it is not known" : `; none of the ${count} is known`;
  return `Your tests depend on ${count} of ${counted(all, "assumption")}${count > 0 ? unknown : ""}.`;
}

/** `created-status=201 breaks creates a group (a.test.ts): expected 201 to be 200` */
function breakText({ change, finding }: ValueRow): string {
  const { tests = [], error } = finding ?? {};
  const end = error === undefined || tests.length > 1 ? "" : `: ${error}`;
  return `${change.name} breaks ${labelList(tests) || "your tests"}${end}`;
}

function flakyValueLine({ change, finding }: ValueRow, { log = "" }: Cell): string {
  const tests = labelList(finding?.tests ?? []) || "your tests";
  return `${change.name} is flaky: ${tests} failed and passed. Log: ${shortPath(log)}`;
}

const verifyAdvice =
  "To find out which values are true, ask the real service: npx usergroup-mock verify --against <url> --api-token <token> --out profile.json. Then start the mock with --profile profile.json.";
