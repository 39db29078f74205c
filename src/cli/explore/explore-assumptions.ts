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
import { cellOf, matrixLines } from "./matrix.js";
import { breakLine, shownTests } from "./test-words.js";

/** A run with one assumption changed. */
export interface ChangedRun extends PlannedRun {
  readonly id: AssumptionId;
  readonly value: string;
  readonly assume: Readonly<Record<string, string>>;
  /** The other changed assumptions without which this one decides nothing. */
  readonly with?: Readonly<Record<string, string>>;
}

/** What is known of one value of one assumption. */
interface ValueFinding {
  readonly run: ChangedRun;
  readonly result: "passes" | "breaks" | "pinned" | "not exercised";
  /** Missing where no run was needed. */
  readonly evidence?: Evidence;
  /** What became of the tests of our framework entries. */
  readonly tests?: readonly TestResult[];
}

/** Finds the assumptions that tests depend on. */
export async function exploreAssumptions(
  exploration: Exploration,
  changes: readonly ChangedRun[],
  first: RunSeen,
  { json, bail, all = false }: FlagsOf<"explore">,
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
      const withoutRun = [...known.values()].filter((one) => one.evidence === undefined);
      for (const more of exitCode === 0 ? followUps(run, seen, withoutRun) : []) {
        known.delete(more.name);
        waiting.push(more);
      }
      return result;
    },
  });
  const findings = changes.flatMap(({ name }) => known.get(name) ?? []);
  const dependsOn = [...new Set(findings.filter(isBreak).map(({ run }) => run.id))];
  const matrix = {
    titles: ["assumption", "if it were", "your tests"],
    rows: findings.map((finding) => {
      const { run, result, evidence } = finding;
      const log = evidence && { log: evidence.log };
      return { heads: [run.id, run.value], cells: [cellOf(result, labelOf(finding), log)] };
    }),
  };
  const brokenTests = findings.filter(isBreak).flatMap(({ run, tests = [] }) => {
    const changed = Object.entries(run.assume).map((pair) => pair.join("="));
    return breakLine(changed.join(" with "), tests, first.tests.length);
  });
  const ids = new Set(findings.map(({ run }) => run.id)).size;
  const conclusion = `Your tests depend on ${dependsOn.length} of ${ids} assumptions that nobody has confirmed.`;
  const found = (text: string) => ({
    text,
    hasBreaks: hasBreaks(),
    matrix,
    summary: [conclusion, ...brokenTests],
  });
  if (json) {
    const listed = findings.map(({ run, result, evidence, tests }) => ({
      id: run.id,
      value: run.value,
      ...(run.with && { with: run.with }),
      result,
      ...evidence,
      ...(tests && { tests: shownTests(tests) }),
    }));
    return found(JSON.stringify({ dependsOn, findings: listed }, undefined, 2));
  }
  const count = (wanted: string) => findings.filter(({ result }) => result === wanted).length;
  const made = findings.filter(({ evidence }) => evidence !== undefined).length;
  const left = changes.length - findings.length;
  const notes: readonly [count: number, note: string][] = [
    [
      count("not exercised"),
      `values were not exercised: no response depended on them${all ? "" : ", so they need no run"}.`,
    ],
    [count("pinned"), "values were met only where a test sets the assumption itself."],
  ];
  const lines = [
    ...matrixLines(matrix),
    "",
    ...(brokenTests.length > 0 ? [...brokenTests, ""] : []),
    ...(await evidenceOf(findings.filter(isBreak).flatMap(({ evidence }) => evidence ?? []))),
    conclusion,
    ...notes.flatMap(([values, note]) => (values > 0 ? [`${values} of ${findings.length} ${note}`] : [])),
    ...(left > 0
      ? [
          `${exploration.isInterrupted ? "Interrupted" : "Stopped"}: ${left} of ${left + made} runs were left out.`,
        ]
      : []),
  ];
  return found(lines.join("\n"));
}

function labelOf({ run, result, evidence }: ValueFinding): string {
  const labels = { breaks: `BREAK (exit code ${evidence?.exitCode})`, passes: "pass" } as const;
  const label = result === "breaks" || result === "passes" ? labels[result] : result;
  const others = Object.entries(run.with ?? {}).map((pair) => pair.join("="));
  return others.length === 0 ? label : `${label} with ${others.join(", ")}`;
}

/**
 * "not exercised": no response depended on the assumption, so passing proves nothing. "pinned": every response that
 * depended on it was made with a value that the tests themselves had set.
 */
function resultWithoutBreak({ id }: ChangedRun, { decided, pinned }: RunSeen) {
  if (decided.has(id)) return "passes";
  return pinned.has(id) ? "pinned" : "not exercised";
}

/**
 * The runs that a run without a break gives reason for: with its change, the tests took another path, on which further
 * assumptions decide.
 * @param withoutRun findings that needed no run so far
 */
export function followUps(
  run: ChangedRun,
  { decided }: Pick<RunSeen, "decided">,
  withoutRun: readonly { readonly run: ChangedRun }[],
): ChangedRun[] {
  return withoutRun
    .filter(({ run: { id } }) => decided.has(id))
    .map(({ run: change }) => ({ ...change, assume: { ...run.assume, ...change.assume }, with: run.assume }));
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
