import { MockError } from "../../foundation/mock-error.js";
import { hint } from "../../foundation/nearest.js";
import {
  type AssumptionId,
  type AssumptionValues,
  assumptionIds,
  defaultAssumptions,
  valuesOf,
  withAssumptions,
} from "../../service/assumptions.js";
import { refuseFlag } from "../refuse-flag.js";
import { columns, print } from "../terminal.js";
import {
  couldNotLook,
  type Evidence,
  Exploration,
  type ExploreFlags,
  evidenceOf,
  isBreak,
  type PlannedRun,
} from "./exploration.js";
import { exploreFaults } from "./explore-faults.js";

/** The result of a run with one assumption changed. */
interface Finding {
  readonly id: AssumptionId;
  readonly value: string;
  /**
   * "not exercised": no answer depended on the assumption, so passing proves nothing. "pinned": every answer that
   * depended on it was made with a value that the tests themselves had set.
   */
  readonly result: "passes" | "breaks" | "not exercised" | "pinned";
}

/** `usergroup-mock explore -- <command>`. Returns the exit code. */
export async function explore(
  serverFlags: Readonly<Record<string, unknown>>,
  flags: ExploreFlags,
  argv: readonly string[],
): Promise<number> {
  if (!flags.faults && flags.maxRuns !== undefined) refuseFlag("--max-runs goes with --faults");
  const exploration = await Exploration.create({ serverFlags, argv }, flags);
  try {
    return await (flags.faults ? exploreFaults(exploration, flags) : exploreAssumptions(exploration, flags));
  } catch (error) {
    exploration.clearProgress();
    if (!(error instanceof MockError) || error.code !== "no_command") throw error;
    process.stderr.write(`usergroup-mock: ${error.message}\n`);
    return couldNotLook;
  }
}

/** Finds the assumptions that tests depend on. */
async function exploreAssumptions(exploration: Exploration, flags: ExploreFlags): Promise<number> {
  const base = withAssumptions(defaultAssumptions, exploration.settings.assume);
  const changes = listChanges(base, flags.only ?? []);
  const first = await exploration.first(false, changes.length);
  if (first === undefined) return exploration.end(false) || couldNotLook;
  const plan = changes.map((changed): PlannedRun<Finding> => {
    const [id, value] = changed;
    return {
      name: `${id}=${value}`,
      changed,
      judge({ exitCode, seen }) {
        const passes = seen.decided.has(id) ? "passes" : seen.pinned.has(id) ? "pinned" : "not exercised";
        return { id, value, result: exitCode === 0 ? passes : "breaks" };
      },
    };
  });
  const findings = await exploration.runAll(plan);
  exploration.clearProgress();
  const dependsOn = [...new Set(findings.filter(isBreak).map(({ id }) => id))];
  print(
    flags.json
      ? JSON.stringify({ dependsOn, findings }, undefined, 2)
      : findingsTable(findings, dependsOn, changes.length, exploration.isInterrupted),
  );
  return exploration.end(dependsOn.length > 0);
}

/** Every other value of every assumption, or of those in `only`. */
function listChanges(base: AssumptionValues, only: readonly string[]): [AssumptionId, string][] {
  const wanted = only.flatMap((item) => item.split(","));
  for (const item of wanted) {
    const [id = "", value] = item.split("=");
    if (!assumptionIds.some((known) => known === id)) {
      refuseFlag(`--only ${item}: there is no assumption ${id}${hint(id, assumptionIds)}`);
    }
    const others = valuesOf(id as AssumptionId).filter((other) => other !== base[id as AssumptionId]);
    if (value !== undefined && !others.includes(value)) {
      refuseFlag(`--only ${item}: ${value} is not an alternative value of ${id}; use ${others.join(" or ")}`);
    }
  }
  const isWanted = (id: string, value: string) =>
    wanted.length === 0 || wanted.includes(id) || wanted.includes(`${id}=${value}`);
  return assumptionIds.flatMap((id) =>
    valuesOf(id)
      .filter((value) => value !== base[id] && isWanted(id, value))
      .map((value): [AssumptionId, string] => [id, value]),
  );
}

function findingsTable(
  findings: readonly (Finding & Evidence)[],
  dependsOn: readonly string[],
  wanted: number,
  isInterrupted: boolean,
): string {
  const lines = findings.map(({ id, value, result, exitCode }) => {
    const labels = { breaks: `BREAK (exit code ${exitCode})`, passes: "pass" } as const;
    return [id, value, result === "breaks" || result === "passes" ? labels[result] : result];
  });
  const ids = new Set(findings.map(({ id }) => id)).size;
  const unexercised = findings.filter(({ result }) => result === "not exercised").length;
  const pinned = findings.filter(({ result }) => result === "pinned").length;
  const left = wanted - findings.length;
  return [
    ...columns([["assumption", "if it were", "your tests"], ...lines]),
    "",
    ...evidenceOf(findings.filter(isBreak)),
    `Your tests depend on ${dependsOn.length} of ${ids} assumptions that nobody has confirmed.`,
    ...(unexercised > 0
      ? [`${unexercised} of ${findings.length} runs did not exercise the assumption: they prove nothing.`]
      : []),
    ...(pinned > 0
      ? [`${pinned} of ${findings.length} runs met the assumption only where a test sets it itself.`]
      : []),
    ...(left > 0
      ? [`${isInterrupted ? "Interrupted" : "Stopped"}: ${left} of ${wanted} runs were left out.`]
      : []),
  ].join("\n");
}
