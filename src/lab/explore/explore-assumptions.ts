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
import type { RunSeen } from "../../run/run.js";
import type { TestResult } from "../../run/test-results.js";
import { type Evidence, evidenceOf, isBreak } from "./evidence.js";
import type { Exploration, ExploreFlags, Found, PlannedRun } from "./exploration.js";
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
  const known = new Map<ChangedRun, ValueFinding>();
  for (const run of changes) {
    if (!all && !first.decided.has(run.id)) known.set(run, { run, result: resultWithoutBreak(run, first) });
  }
  const waiting = changes.filter((run) => !known.has(run));
  const hasBreaks = () => [...known.values()].some(isBreak);
  await exploration.runAll<ChangedRun>({
    left: () => waiting.length,
    next: () => (bail && hasBreaks() ? undefined : waiting.shift()),
    judge: (run, { exitCode, durationMs, log, seen }) => {
      const result = exitCode === 0 ? resultWithoutBreak(run, seen) : "breaks";
      const evidence = { exitCode, durationMs, log, repeat: exploration.repeatLine(run) };
      known.set(run, { run, result, evidence, tests: seen.tests });
      return result;
    },
  });
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
  const noteLines = Object.entries(notes).flatMap(([result, reason]) => {
    const count = findings.filter((finding) => finding.result === result).length;
    return count === 0 ? [] : [`${count} of ${counted(findings.length, "value")} ${result}: ${reason}.`];
  });
  return {
    hasBreaks: broken.length > 0,
    matrix,
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
      ...noteLines,
      ...(left > 0
        ? [
            `${exploration.isInterrupted ? "Interrupted" : "Stopped"} before ${left} of ${counted(left + made, "run")}.`,
          ]
        : []),
    ],
  };
}

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
