import { operationIds } from "../../contract/operations.js";
import { hint } from "../../foundation/nearest.js";
import { type FailureName, failureNames, type Injection, parseInjection } from "../../run/injection.js";
import { countOf } from "../count-of.js";
import { refuseFlag } from "../refuse-flag.js";
import { columns, print } from "../terminal.js";
import {
  couldNotLook,
  type Evidence,
  type Exploration,
  type ExploreFlags,
  evidenceOf,
  isBreak,
  type PlannedRun,
} from "./exploration.js";

/** The result of a run with one failure at one call. */
interface FaultFinding {
  /** `rotate:acme#2` */
  readonly call: string;
  readonly failure: FailureName;
  /** "hangs": it had to be ended. "not met": the call did not come, so nothing is known. */
  readonly result: "survives" | "breaks" | "hangs" | "not met";
}

/** A failure at a call that the first run has made. */
interface Point {
  readonly call: string;
  readonly injection: Injection;
}

const defaultMaxRuns = "200";

/** `usergroup-mock explore --faults -- <command>`: which single failures of the service does this code survive? */
export async function exploreFaults(exploration: Exploration, flags: ExploreFlags): Promise<number> {
  const maxRuns = countOf("--max-runs", flags.maxRuns ?? defaultMaxRuns, 100_000);
  const failures = wantedFailures(flags.only ?? []);
  const first = await exploration.first(true);
  if (first === undefined) return exploration.end(false) || couldNotLook;
  const { calls } = first.seen;
  if (calls.length === 0) {
    exploration.clearProgress();
    process.stderr.write(
      "Calls reached a mock, but all of them were refused: no failure can be put in their place.\n",
    );
    return exploration.end(false) || couldNotLook;
  }
  const all = calls.flatMap((call) =>
    failures.map((failure): Point => ({ call, injection: parseInjection(`${call}=${failure}`) })),
  );
  const points = spread(all, maxRuns);
  const plan = points.map(({ call, injection }): PlannedRun<FaultFinding> => {
    const { failure } = injection;
    return {
      name: `${call}=${failure}`,
      inject: injection,
      judge({ exitCode, hangs, seen }) {
        const survived = exitCode === 0 ? "survives" : "breaks";
        return { call, failure, result: seen.isInjected ? (hangs ? "hangs" : survived) : "not met" };
      },
    };
  });
  const findings = await exploration.runAll(plan);
  exploration.clearProgress();
  const isInterrupted = exploration.isInterrupted;
  print(
    flags.json
      ? JSON.stringify({ faults: findings }, undefined, 2)
      : faultsTable(findings, { calls, failures, all: all.length, isInterrupted }),
  );
  return exploration.end(findings.some(isBreak));
}

function wantedFailures(only: readonly string[]): readonly FailureName[] {
  const wanted = only.flatMap((item) => item.split(","));
  for (const name of wanted) {
    if (failureNames.some((known) => known === name)) continue;
    refuseFlag(`--only ${name}: there is no failure ${name}${hint(name, failureNames)}`);
  }
  return wanted.length === 0 ? failureNames : failureNames.filter((name) => wanted.includes(name));
}

/** At most so many points, spread over all operations and failures, and within these over all calls. */
export function spread(points: readonly Point[], most: number): Point[] {
  if (points.length <= most) return [...points];
  const buckets = operationIds.flatMap((operation) =>
    failureNames.map((failure) =>
      points.filter(
        ({ injection }) => injection.call.operation === operation && injection.failure === failure,
      ),
    ),
  );
  const chosen = new Set<Point>();
  const left = buckets.filter((bucket) => bucket.length > 0);
  for (let share = 1; chosen.size < most; share++) {
    for (const bucket of left) {
      if (chosen.size >= most) break;
      // The n-th of `share` evenly spaced calls, for every n: the first ones are taken already.
      const at = Math.floor(((share * 0.618) % 1) * bucket.length);
      const point = bucket
        .slice(at)
        .concat(bucket)
        .find((one) => !chosen.has(one));
      if (point !== undefined) chosen.add(point);
    }
  }
  return points.filter((point) => chosen.has(point));
}

interface Extent {
  readonly calls: readonly string[];
  readonly failures: readonly FailureName[];
  /** How many points there are. */
  readonly all: number;
  readonly isInterrupted: boolean;
}

const labels = { survives: "survives", breaks: "BREAKS", hangs: "HANGS", "not met": "not met" } as const;

function faultsTable(
  findings: readonly (FaultFinding & Evidence)[],
  { calls, failures, all, isInterrupted }: Extent,
): string {
  const cell = (call: string, failure: FailureName) => {
    const found = findings.find((one) => one.call === call && one.failure === failure);
    return found === undefined ? "-" : labels[found.result];
  };
  const tried = calls.filter((call) => findings.some((one) => one.call === call));
  const rows = tried.map((call) => [call, ...failures.map((failure) => cell(call, failure))]);
  const count = (result: FaultFinding["result"]) => findings.filter((one) => one.result === result).length;
  const met = findings.length - count("not met");
  const left = all - findings.length;
  return [
    ...columns([["call", ...failures], ...rows]),
    "",
    ...evidenceOf(findings.filter(isBreak)),
    ...(count("not met") > 0
      ? [
          `${count("not met")} runs did not make the call again: nothing is known of them.`,
          "Calls are named by world and group, so give both the same names in every run.",
        ]
      : []),
    ...(left > 0
      ? [
          `${isInterrupted ? "Interrupted: " : ""}${left} of ${all} points were left out${isInterrupted ? "" : "; raise --max-runs to try them"}.`,
        ]
      : []),
    `Your code survives ${count("survives")} of ${met} failures, of ${all} points: ${calls.length} calls and ${failures.length} failures.`,
  ].join("\n");
}
