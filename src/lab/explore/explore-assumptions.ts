import {
  type AssumptionId,
  assumptionIds,
  defaultAssumptions,
  valuesOf,
  withAssumptions,
} from "../../contract/assumptions.js";
import { counted } from "../../foundation/grammar.js";
import { hint } from "../../foundation/nearest.js";
import { rejectFlag } from "../../options/reject-flag.js";
import type { RunSeen } from "../../run/read-seen.js";
import type { TestResult } from "../../run/test-results.js";
import { type Evidence, evidenceOf, isBreak } from "./evidence.js";
import type { Exploration, ExploreFlags, Found, PlannedRun, Shown } from "./exploration.js";
import { matrixLines } from "./matrix.js";
import { breakLine, shownTests } from "./results-by-test.js";

/** A run with one assumption changed. */
export interface ChangedRun extends PlannedRun {
  readonly id: AssumptionId;
  readonly value: string;
}

/** What is known of one value of one assumption. */
interface ValueFinding {
  readonly run: ChangedRun;
  readonly result: "passes" | "breaks" | "pinned" | "not exercised";
  /** Missing if no run was needed. */
  readonly evidence?: Evidence;
  /** The results of the tests of our framework entries. */
  readonly tests?: readonly TestResult[];
}

/** Finds the assumptions that tests depend on. */
export async function exploreAssumptions(
  exploration: Exploration,
  changes: readonly ChangedRun[],
  first: RunSeen,
  { bail, all = false }: ExploreFlags,
): Promise<Found> {
  const isNeeded = ({ id }: ChangedRun) => all || first.decided.has(id);
  const judge = ({ run, result: { exitCode, seen } }: Shown<ChangedRun>) =>
    exitCode === 0 ? resultWithoutBreak(run, seen) : "breaks";
  const shown = await exploration.carryOut<ChangedRun>((ended, running) => {
    const isStarted = (run: ChangedRun) => running.includes(run) || ended.some((one) => one.run === run);
    const waiting = changes.filter((run) => isNeeded(run) && !isStarted(run));
    const isDone = bail && ended.some((one) => judge(one) === "breaks");
    return { next: isDone ? undefined : waiting[0], left: waiting.length };
  }, judge);
  const known = new Map<ChangedRun, ValueFinding>();
  for (const run of changes.filter((one) => !isNeeded(one))) {
    known.set(run, { run, result: resultWithoutBreak(run, first) });
  }
  for (const one of shown) {
    const { exitCode, durationMs, log, seen } = one.result;
    const evidence = { exitCode, durationMs, log, repeat: exploration.repeatLine(one.run) };
    known.set(one.run, { run: one.run, result: judge(one), evidence, tests: seen.tests });
  }
  const findings = changes.flatMap((run) => known.get(run) ?? []);
  const broken = findings.filter(isBreak);
  const dependsOn = [...new Set(broken.map(({ run }) => run.id))];
  const matrix = {
    titles: ["assumption", "if it were", "your tests"],
    rows: findings.map((finding) => {
      const { run, result, evidence } = finding;
      const log = evidence && { log: evidence.log, repeat: evidence.repeat };
      return { heads: [run.id, run.value], cells: [{ result, label: labelOf(finding), ...log }] };
    }),
  };
  const brokenTests = broken.flatMap(({ run, tests = [] }) => breakLine(run.name, tests, first.tests.length));
  const ids = new Set(findings.map(({ run }) => run.id)).size;
  const conclusion = `Your tests depend on ${dependsOn.length} of ${counted(ids, "assumption")} that nobody has confirmed.`;
  const made = findings.filter(({ evidence }) => evidence !== undefined).length;
  const left = changes.length - findings.length;
  const notes = {
    "not exercised": `no response depended on the assumption${all ? "" : ", so no run was needed"}`,
    pinned: "responses depended on the assumption only where a test sets it",
  };
  const legend = { passes: "your tests pass with this value", breaks: "your tests fail with it", ...notes };
  const noteLines = Object.entries(notes).flatMap(([result, reason]) => {
    const count = findings.filter((finding) => finding.result === result).length;
    return count === 0 ? [] : [`${count} of ${counted(findings.length, "value")} ${result}: ${reason}.`];
  });
  return {
    hasBreaks: broken.length > 0,
    matrix,
    legend,
    summary: [conclusion, ...brokenTests],
    json: {
      dependsOn,
      findings: findings.map(({ run, result, evidence, tests }) => ({
        id: run.id,
        value: run.value,
        result,
        ...evidence,
        ...(tests && { tests: shownTests(tests) }),
      })),
    },
    lines: [
      ...matrixLines(matrix),
      "",
      ...(brokenTests.length > 0 ? [...brokenTests, ""] : []),
      ...evidenceOf(broken.flatMap(({ evidence }) => evidence ?? [])),
      conclusion,
      ...(dependsOn.length > 0 ? [verifyAdvice] : []),
      ...noteLines,
      ...(left > 0
        ? [
            `${exploration.isInterrupted ? "Interrupted" : "Stopped"} before ${left} of ${counted(left + made, "run")}.`,
          ]
        : []),
    ],
  };
}

const verifyAdvice =
  "To find out which values are true, check the real service: npx usergroup-mock verify --against <url> --api-token <token>";

function labelOf({ result, evidence }: ValueFinding): string {
  if (result === "passes") return "pass";
  return result === "breaks" ? `BREAK (exit code ${evidence?.exitCode})` : result;
}

/**
 * "not exercised": no response depended on the assumption, so passing proves nothing. "pinned": every response that
 * depended on it was made with a value that the tests themselves had set.
 */
function resultWithoutBreak({ id }: ChangedRun, { decided, pinned }: RunSeen) {
  if (decided.has(id)) return "passes";
  return pinned.has(id) ? "pinned" : "not exercised";
}

/** A run for every other value of every assumption, or of those that are wanted: ids and id=value pairs. */
export function listChanges(
  assumed: Readonly<Record<string, string>>,
  wanted: readonly string[],
): ChangedRun[] {
  const base = withAssumptions(defaultAssumptions, assumed);
  const othersOf = (id: AssumptionId) => valuesOf(id).filter((value) => value !== base[id]);
  for (const item of wanted) {
    const [word = "", value] = item.split("=");
    const id = assumptionIds.find((known) => known === word);
    if (id === undefined) {
      rejectFlag(`--only ${item}: there is no assumption ${word}${hint(word, assumptionIds)}`);
    }
    if (value !== undefined && !othersOf(id).includes(value)) {
      const others = othersOf(id).join(" or ");
      rejectFlag(`--only ${item}: ${value} is not an alternative value of ${id}; use ${others}`);
    }
  }
  return assumptionIds
    .flatMap((id) =>
      othersOf(id).map((value) => ({ name: `${id}=${value}`, id, value, assume: { [id]: value } })),
    )
    .filter(({ name, id }) => wanted.length === 0 || wanted.includes(id) || wanted.includes(name));
}
