import { MockError } from "../../foundation/mock-error.js";
import { hint } from "../../foundation/nearest.js";
import {
  type AssumptionId,
  assumptionIds,
  defaultAssumptions,
  valuesOf,
  withAssumptions,
} from "../../service/assumptions.js";
import type { FlagsOf } from "../commands.js";
import { refuseFlag } from "../refuse-flag.js";
import { type GivenCommand, readCommand } from "../run-command.js";
import { columns, print, printFailure } from "../terminal.js";
import { evidenceOf } from "./evidence.js";
import { Exploration, isBreak, type PlannedRun, type RunResult } from "./exploration.js";
import { exploreFaults, wantedFailures } from "./explore-faults.js";

/** `usergroup-mock explore -- <command>`. Returns the exit code. */
export async function explore(given: GivenCommand, flags: FlagsOf<"explore">): Promise<number> {
  const { faults = false, only = [], maxRuns } = flags;
  if (!faults && maxRuns !== undefined) refuseFlag("--max-runs goes with --faults");
  const { command, settings } = await readCommand("explore", given);
  const wanted = only.flatMap((item) => item.split(","));
  const failures = faults ? wantedFailures(wanted) : [];
  const changes = faults ? [] : listChanges(settings.assume, wanted);
  const exploration = new Exploration(given, command, settings, flags, changes.length);
  try {
    const first = await exploration.first(faults);
    if (first === undefined) return exploration.end(false);
    const found = faults
      ? await exploreFaults(exploration, first.seen.calls, failures, flags)
      : await exploreAssumptions(exploration, changes, flags);
    if (found !== undefined) print(found);
    return exploration.end(found !== undefined);
  } catch (error) {
    exploration.progress.clear();
    if (!(error instanceof MockError) || error.code !== "no_command") throw error;
    printFailure(error);
    return exploration.end(false);
  }
}

/** A run with one assumption changed. */
interface ChangedRun extends PlannedRun {
  readonly id: AssumptionId;
  readonly value: string;
}

/** Finds the assumptions that tests depend on. Returns what to print. */
async function exploreAssumptions(
  exploration: Exploration,
  plan: readonly ChangedRun[],
  { json }: FlagsOf<"explore">,
): Promise<string> {
  const findings = await exploration.runAll(plan, judgeAssumption);
  exploration.progress.clear();
  const broken = findings.filter(isBreak);
  const dependsOn = [...new Set(broken.map(({ run }) => run.id))];
  if (json) {
    const listed = findings.map(({ run: { id, value }, ...evidence }) => ({ id, value, ...evidence }));
    return JSON.stringify({ dependsOn, findings: listed }, undefined, 2);
  }
  const rows = findings.map(({ run: { id, value }, result, exitCode }) => {
    const labels = { breaks: `BREAK (exit code ${exitCode})`, passes: "pass" } as const;
    return [id, value, result === "breaks" || result === "passes" ? labels[result] : result];
  });
  const ids = new Set(findings.map(({ run }) => run.id)).size;
  const count = (wanted: string) => findings.filter(({ result }) => result === wanted).length;
  const left = plan.length - findings.length;
  const notes: readonly [count: number, note: string][] = [
    [count("not exercised"), "runs did not exercise the assumption: they prove nothing."],
    [count("pinned"), "runs met the assumption only where a test sets it itself."],
  ];
  return [
    ...columns([["assumption", "if it were", "your tests"], ...rows]),
    "",
    ...(await evidenceOf(broken)),
    `Your tests depend on ${dependsOn.length} of ${ids} assumptions that nobody has confirmed.`,
    ...notes.flatMap(([runs, note]) => (runs > 0 ? [`${runs} of ${findings.length} ${note}`] : [])),
    ...(left > 0
      ? [
          `${exploration.isInterrupted ? "Interrupted" : "Stopped"}: ${left} of ${plan.length} runs were left out.`,
        ]
      : []),
  ].join("\n");
}

/**
 * "not exercised": no response depended on the assumption, so passing proves nothing. "pinned": every response that
 * depended on it was made with a value that the tests themselves had set.
 */
function judgeAssumption({ id }: ChangedRun, { exitCode, seen }: RunResult) {
  if (exitCode !== 0) return "breaks";
  if (seen.decided.has(id)) return "passes";
  return seen.pinned.has(id) ? "pinned" : "not exercised";
}

/** A run for every other value of every assumption, or of those that are wanted: ids and id=value pairs. */
function listChanges(assumed: Readonly<Record<string, string>>, wanted: readonly string[]): ChangedRun[] {
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
