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
import type { Exploration, ExploreFlags, PlannedRun } from "./exploration.js";
import { checkOnly, type Found, isBreak, labelList, shownTests } from "./findings.js";

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
  const isKnown = (id: string) => first.known.has(id) && !first.decided.has(id);
  const needed = changes.filter(({ id }) => (all && !isKnown(id)) || first.decided.has(id));
  const ended = await exploration.carryOut<ChangedRun>((shown, running) => {
    const started = new Set([...running, ...shown.map(({ run }) => run)]);
    const waiting = needed.filter((run) => !started.has(run));
    return { next: waiting[0], left: waiting.length };
  });
  const findings = changes.flatMap((run) => {
    const shown = ended.find((one) => one.run === run);
    if (shown === undefined)
      return needed.includes(run) ? [] : { run, result: resultWithoutBreak(run, first) };
    const { exitCode, seen } = shown;
    const result = exitCode === 0 ? resultWithoutBreak(run, seen) : "breaks";
    return { run, result, evidence: exploration.evidence(shown, run), tests: seen.tests };
  });
  const broken = findings.filter(isBreak);
  const dependsOn = [...new Set(broken.map(({ run }) => run.id))];
  const ids = new Set(findings.map(({ run }) => run.id)).size;
  const left = needed.length - ended.length;
  const notes = {
    "not exercised": `no response depended on the assumption${all ? "" : ", so no run was needed"}`,
    pinned: "responses depended on the assumption only where a test sets it",
    known: "the profile has the value",
  };
  return {
    titles: ["assumption", "if it were", "result"],
    rows: findings.map(({ run, result, evidence }) => ({
      heads: [run.id, run.value],
      cells: [{ result, evidence }],
    })),
    byTest: broken.flatMap(({ run, tests = [] }) => {
      const failed = tests.filter(doesBreak);
      return failed.length === 0 ? [] : `${run.name} breaks ${labelList(failed)}`;
    }),
    conclusion: [
      `Your tests depend on ${dependsOn.length} of ${counted(ids, "assumption")}${notKnown(dependsOn.length)}.`,
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

/** What the profile has is not changed, so tests can only depend on what it lacks. */
function notKnown(count: number): string {
  if (count === 0) return "";
  return count === 1 ? "; it is not known" : `; none of the ${count} is known`;
}

const verifyAdvice =
  "To find out which values are true, check the real service: npx usergroup-mock verify --against <url> --api-token <token>";

/**
 * "not exercised": no response depended on the assumption, so passing proves nothing. "pinned": every response that
 * depended on it was made with a value that the tests themselves had set. "known": or with one of the profile.
 */
function resultWithoutBreak({ id }: ChangedRun, { decided, pinned, known }: RunSeen) {
  if (decided.has(id)) return "passes";
  if (known.has(id)) return "known";
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
  const names = [...assumptionIds, ...changes.map(({ name }) => name)];
  checkOnly(wanted, "assumption or alternative value", names);
  return changes.filter(
    ({ id, name }) => wanted.length === 0 || wanted.includes(id) || wanted.includes(name),
  );
}
