import {
  type AssumptionId,
  assumptionIds,
  defaultAssumptions,
  valuesOf,
  withAssumptions,
} from "../../contract/assumptions.js";
import { counted } from "../../foundation/grammar.js";
import type { RunSeen } from "../../run/read-seen.js";
import { doesBreak } from "../../run/test-results.js";
import type { Exploration, ExploreFlags, PlannedRun, Shown } from "./exploration.js";
import { breakLine, checkOnly, type Found, isBreak, shownTests } from "./findings.js";

/** A run with one assumption changed. */
interface ChangedRun extends PlannedRun {
  readonly id: AssumptionId;
  readonly value: string;
}

/** Finds the assumptions that tests depend on. */
export async function exploreAssumptions(
  exploration: Exploration,
  changes: readonly ChangedRun[],
  first: RunSeen,
  { all = false }: ExploreFlags,
): Promise<Found> {
  const needed = changes.filter(({ id }) => all || first.decided.has(id));
  const judge = ({ run, result: { exitCode, seen } }: Shown<ChangedRun>) =>
    exitCode === 0 ? resultWithoutBreak(run, seen) : "breaks";
  const shown = await exploration.carryOut<ChangedRun>((ended, running) => {
    const started = new Set([...running, ...ended.map(({ run }) => run)]);
    const waiting = needed.filter((run) => !started.has(run));
    return { next: waiting[0], left: waiting.length };
  }, judge);
  const findings = changes.flatMap((run) => {
    const one = shown.find((ended) => ended.run === run);
    if (one === undefined) return needed.includes(run) ? [] : { run, result: resultWithoutBreak(run, first) };
    const { tests } = one.result.seen;
    return { run, result: judge(one), evidence: exploration.evidence(one.result, run), tests };
  });
  const broken = findings.filter(isBreak);
  const dependsOn = [...new Set(broken.map(({ run }) => run.id))];
  const ids = new Set(findings.map(({ run }) => run.id)).size;
  const left = needed.length - shown.length;
  const notes = {
    "not exercised": `no response depended on the assumption${all ? "" : ", so no run was needed"}`,
    pinned: "responses depended on the assumption only where a test sets it",
  };
  return {
    titles: ["assumption", "if it were", "your tests"],
    rows: findings.map(({ run, result, evidence }) => {
      const label = result === "passes" ? "pass" : result;
      const shownAs = result === "breaks" ? `BREAK (exit code ${evidence?.exitCode})` : label;
      return { heads: [run.id, run.value], cells: [{ result, label: shownAs, evidence }] };
    }),
    byTest: broken.flatMap(({ run, tests = [] }) =>
      breakLine(run.name, tests.filter(doesBreak), first.tests.length),
    ),
    conclusion: [
      `Your tests depend on ${dependsOn.length} of ${counted(ids, "assumption")} that nobody has confirmed.`,
      ...(dependsOn.length > 0 ? [verifyAdvice] : []),
      ...Object.entries(notes).flatMap(([result, reason]) => {
        const count = findings.filter((finding) => finding.result === result).length;
        return count === 0 ? [] : [`${count} of ${counted(findings.length, "value")} ${result}: ${reason}.`];
      }),
      ...(left > 0 ? [`Interrupted before ${left} of ${counted(needed.length, "run")}.`] : []),
    ],
    legend: { passes: "your tests pass with this value", breaks: "your tests fail with it", ...notes },
    json: {
      dependsOn,
      findings: findings.map(({ run: { id, value }, result, evidence, tests }) => {
        return { id, value, result, ...evidence, ...(tests && { tests: shownTests(tests) }) };
      }),
    },
  };
}

const verifyAdvice =
  "To find out which values are true, check the real service: npx usergroup-mock verify --against <url> --api-token <token>";

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
  const changes = assumptionIds.flatMap((id) => {
    const others = valuesOf(id).filter((value) => value !== base[id]);
    return others.map((value) => ({ name: `${id}=${value}`, id, value, assume: { [id]: value } }));
  });
  const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
  const names = changes.flatMap(({ id, name }) => [id, name]);
  checkOnly(wanted, "assumption or alternative value", names);
  return changes.filter(({ id, name }) => isWanted(id) || isWanted(name));
}
