import { counted } from "../../foundation/grammar.js";
import { hint } from "../../foundation/nearest.js";
import type { RunSeen } from "../../run/run.js";
import type { TestResult } from "../../run/test-results.js";
import {
  type AssumptionId,
  assumptionIds,
  defaultAssumptions,
  valuesOf,
  withAssumptions,
} from "../../service/assumptions.js";
import type { FlagsOf } from "../commands.js";
import { refuseFlag } from "../refuse-flag.js";
import { type Evidence, evidenceOf, isBreak } from "./evidence.js";
import type { Exploration, Found, PlannedRun } from "./exploration.js";
import { matrixLines } from "./matrix.js";
import { breakLine, shownTests } from "./results-by-test.js";

/** A run with one assumption changed. */
export interface ChangedRun extends PlannedRun {
  readonly id: AssumptionId;
  readonly value: string;
  /** Also has the other assumptions without whose change this one decides nothing. */
  readonly assume: Readonly<Record<string, string>>;
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
  { bail, all = false }: FlagsOf<"explore">,
): Promise<Found> {
  const waiting = changes.filter(({ id }) => all || first.decided.has(id));
  const known = new Map<string, ValueFinding>();
  for (const run of changes) {
    if (!waiting.includes(run)) known.set(run.name, { run, result: resultWithoutBreak(run, first) });
  }
  const hasBreaks = () => [...known.values()].some(isBreak);
  await exploration.runAll<ChangedRun>({
    left: () => waiting.length,
    next: () => (bail && hasBreaks() ? undefined : waiting.shift()),
    judge: (run, { exitCode, durationMs, log, seen }) => {
      const result = exitCode === 0 ? resultWithoutBreak(run, seen) : "breaks";
      const evidence = { exitCode, durationMs, log, repeat: exploration.repeatLine(run) };
      known.set(run.name, { run, result, evidence, tests: seen.tests });
      if (exitCode !== 0) return result;
      // With this change, the tests may have taken another path, on which further assumptions decide.
      for (const { run: more, evidence: earlier } of known.values()) {
        if (earlier !== undefined || !seen.decided.has(more.id)) continue;
        known.delete(more.name);
        waiting.push({ ...more, assume: { ...run.assume, ...more.assume } });
      }
      return result;
    },
  });
  const findings = changes.flatMap(({ name }) => known.get(name) ?? []);
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
  const brokenTests = broken.flatMap(({ run, tests = [] }) =>
    breakLine(pairsOf(run.assume).join(" with "), tests, first.tests.length),
  );
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
        ...(Object.keys(othersOf(run)).length > 0 && { with: othersOf(run) }),
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

function labelOf({ run, result, evidence }: ValueFinding): string {
  const labels = { breaks: `BREAK (exit code ${evidence?.exitCode})`, passes: "pass" } as const;
  const label = result === "breaks" || result === "passes" ? labels[result] : result;
  const others = pairsOf(othersOf(run));
  return others.length === 0 ? label : `${label} with ${others.join(", ")}`;
}

/** The other assumptions that a run changes. */
function othersOf({ id, assume: { [id]: _, ...others } }: ChangedRun): Readonly<Record<string, string>> {
  return others;
}

function pairsOf(assumed: Readonly<Record<string, string>>): string[] {
  return Object.entries(assumed).map((pair) => pair.join("="));
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
      refuseFlag(`--only ${item}: there is no assumption ${word}${hint(word, assumptionIds)}`);
    }
    if (value !== undefined && !othersOf(id).includes(value)) {
      const others = othersOf(id).join(" or ");
      refuseFlag(`--only ${item}: ${value} is not an alternative value of ${id}; use ${others}`);
    }
  }
  return assumptionIds
    .flatMap((id) =>
      othersOf(id).map((value) => ({ name: `${id}=${value}`, id, value, assume: { [id]: value } })),
    )
    .filter(({ name, id }) => wanted.length === 0 || wanted.includes(id) || wanted.includes(name));
}
