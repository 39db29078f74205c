import { hint } from "../../foundation/nearest.js";
import { type FailureName, failureNames, type Injection, parseInjection } from "../../run/injection.js";
import type { FlagsOf } from "../commands.js";
import { refuseFlag } from "../refuse-flag.js";
import { columns } from "../terminal.js";
import { type Evidence, evidenceOf, isBreak } from "./evidence.js";
import type { Exploration, Found, PlannedRun, RunResult } from "./exploration.js";

/** A run with a failure at a call that the first run has made. */
interface FaultRun extends PlannedRun {
  /** `rotate:acme#2` */
  readonly call: string;
  readonly inject: readonly [Injection];
}

interface FaultFinding extends Evidence {
  readonly run: FaultRun;
  readonly result: keyof typeof labels;
}

export const defaultMaxRuns = 200;

const labels = { survives: "survives", breaks: "BREAKS", hangs: "HANGS", "not met": "not met" } as const;

/**
 * `usergroup-mock explore --faults -- <command>`: which single failures of the service does this code survive? Returns
 * what to print. Undefined, with words on standard error, when there is nothing to try.
 * @param calls those that the first run has made
 */
export async function exploreFaults(
  exploration: Exploration,
  calls: readonly string[],
  failures: readonly FailureName[],
  { json, bail, maxRuns = defaultMaxRuns }: FlagsOf<"explore">,
): Promise<Found | undefined> {
  if (calls.length === 0) {
    exploration.progress.clear();
    process.stderr.write(
      "Calls reached a mock, but all of them were refused: no failure can be put in their place.\n",
    );
    return undefined;
  }
  const all = planOf(calls, failures);
  const waiting = [...spread(all, maxRuns)];
  const found = new Map<FaultRun, FaultFinding>();
  const hasBreaks = () => [...found.values()].some(isBreak);
  await exploration.runAll<FaultRun>({
    left: () => waiting.length,
    next: () => (bail && hasBreaks() ? undefined : waiting.shift()),
    judge: (run, ended) => {
      const { exitCode, durationMs, log } = ended;
      const result = judgeFault(ended);
      found.set(run, { run, result, exitCode, durationMs, log, repeat: exploration.repeatLine(run) });
      return result;
    },
  });
  const findings = all.flatMap((run) => found.get(run) ?? []);
  if (json) {
    const faults = findings.map(({ run, ...evidence }) => ({
      call: run.call,
      failure: run.inject[0].failure,
      ...evidence,
    }));
    return { text: JSON.stringify({ faults }, undefined, 2), hasBreaks: hasBreaks() };
  }
  const cells = new Map(findings.map(({ run, result }) => [run.name, labels[result]]));
  const rows = calls
    .map((call) => [call, ...failures.map((failure) => cells.get(`${call}=${failure}`) ?? "-")])
    .filter(([, ...results]) => results.some((cell) => cell !== "-"));
  const count = (result: keyof typeof labels) => findings.filter((one) => one.result === result).length;
  const left = all.length - findings.length;
  const leftOut = `${left} of ${all.length} points were left out`;
  const lines = [
    ...columns([["call", ...failures], ...rows]),
    "",
    ...(await evidenceOf(findings.filter(isBreak))),
    ...(count("not met") > 0
      ? [
          `${count("not met")} runs did not make the call again: nothing is known of them.`,
          "Calls are named by world and group, so give both the same names in every run.",
        ]
      : []),
    ...(left > 0
      ? [exploration.isInterrupted ? `Interrupted: ${leftOut}.` : `${leftOut}; raise --max-runs to try them.`]
      : []),
    `Your code survives ${count("survives")} of ${findings.length - count("not met")} failures, of ${all.length} points:` +
      ` ${calls.length} calls and ${failures.length} failures.`,
  ];
  return { text: lines.join("\n"), hasBreaks: hasBreaks() };
}

/** "hangs": it had to be ended. "not met": the call did not come, so nothing is known. */
function judgeFault({ exitCode, hangs, seen }: RunResult) {
  if (seen.injected.size === 0) return "not met";
  if (hangs) return "hangs";
  return exitCode === 0 ? "survives" : "breaks";
}

export function wantedFailures(wanted: readonly string[]): readonly FailureName[] {
  const unknown = wanted.find((name) => !failureNames.some((known) => known === name));
  if (unknown !== undefined) {
    refuseFlag(`--only ${unknown}: there is no failure ${unknown}${hint(unknown, failureNames)}`);
  }
  return wanted.length === 0 ? failureNames : failureNames.filter((name) => wanted.includes(name));
}

/** A run for each call and each failure. */
export function planOf(calls: readonly string[], failures: readonly FailureName[]): FaultRun[] {
  return calls.flatMap((call) =>
    failures.map((failure) => {
      const name = `${call}=${failure}`;
      return { name, call, inject: [parseInjection(name)] };
    }),
  );
}

/** At most so many runs, spread over all operations and failures, and within these over all calls. */
export function spread<Run extends FaultRun>(plan: readonly Run[], most: number): readonly Run[] {
  if (plan.length <= most) return plan;
  const kinds = new Map<string, Run[]>();
  for (const run of plan) {
    const kind = `${run.inject[0].call.operation}=${run.inject[0].failure}`;
    kinds.get(kind)?.push(run) ?? kinds.set(kind, [run]);
  }
  // Equal shares. What a small kind does not need is left for the larger ones.
  const bySize = [...kinds.values()].sort((a, b) => a.length - b.length);
  let left = most;
  const chosen = bySize.flatMap((runs, index) => {
    const share = Math.min(runs.length, Math.floor(left / (bySize.length - index)));
    left -= share;
    // Each kind begins at another call.
    const at = (nth: number) => Math.floor(((nth + index / bySize.length) * runs.length) / share);
    return Array.from({ length: share }, (_, nth) => runs[at(nth)]);
  });
  const wanted = new Set(chosen);
  return plan.filter((run) => wanted.has(run));
}
