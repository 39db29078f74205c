import {
  type AssumptionId,
  assumptionIds,
  defaultAssumed,
  valuesOf,
  withAssumptions,
} from "../../contract/assumptions.js";
import { counted } from "../../foundation/grammar.js";
import type { RunSeen } from "../../run/read-seen.js";
import { doesBreak } from "../../run/test-results.js";
import type { EndedRun, Exploration, ExploreFlags, PlannedRun } from "./exploration.js";
import { checkOnly, type Evidence, type Found, isBreak, labelList, shownTests } from "./findings.js";

/** A run with one assumption changed. */
interface ChangedRun extends PlannedRun {
  readonly id: AssumptionId;
  readonly value: string;
}

interface ChangeFinding {
  readonly run: ChangedRun;
  readonly result: string;
  /** Missing, as `tests`, if no run was needed. */
  readonly evidence?: Evidence;
  readonly tests?: RunSeen["tests"];
  /** Which tests break or are flaky. */
  readonly line?: string;
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
  const triesOf = (run: ChangedRun, ended: ValueTries) => ended.filter((one) => one.run === run);
  const ended = await exploration.carryOut<ChangedRun>((shown, running) => {
    const left = needed.flatMap((run) => Array<ChangedRun>(runsLeft(triesOf(run, shown))).fill(run));
    return { next: left.find((run) => !running.includes(run)), left: left.length - running.length };
  });
  const isLeft = (run: ChangedRun) => runsLeft(triesOf(run, ended)) > 0;
  const findings = changes.flatMap((run): ChangeFinding | ChangeFinding[] => {
    if (!needed.includes(run)) return { run, result: resultWithoutBreak(run, first) };
    return isLeft(run) ? [] : judgeTries(run, triesOf(run, ended), exploration);
  });
  const broken = findings.filter(isBreak);
  const dependsOn = [...new Set(broken.map(({ run }) => run.id))];
  const ids = new Set(findings.map(({ run }) => run.id)).size;
  const left = needed.filter(isLeft).length;
  const notes = {
    flaky: "a test failed with it and passed when it was repeated",
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
    byTest: findings.flatMap(({ line }) => line ?? []),
    conclusion: [
      `Your tests depend on ${dependsOn.length} of ${counted(ids, "assumption")}${notKnown(dependsOn.length)}.`,
      ...(dependsOn.length > 0 ? [verifyAdvice] : []),
      ...Object.entries(notes).flatMap(([result, reason]) => {
        const count = findings.filter((finding) => finding.result === result).length;
        return count === 0 ? [] : [`${count} of ${counted(findings.length, "value")} ${result}: ${reason}.`];
      }),
      ...(left > 0 ? [`Interrupted before ${left} of ${counted(needed.length, "value")}.`] : []),
    ],
    legend: {
      passes: "your tests pass with this value",
      breaks: "your tests fail with it three times of three",
      ...notes,
    },
    json: {
      dependsOn,
      findings: findings.map(({ run: { id, value }, result, evidence, tests }) => {
        return { id, value, result, ...evidence, ...(tests && { tests: shownTests(tests) }) };
      }),
    },
  };
}

/** How often a value has to fail: once may be the fault of a flaky test. */
const failuresOfBreak = 3;

type ValueTries = readonly EndedRun<ChangedRun>[];

const hasPassed = ({ exitCode }: EndedRun) => exitCode === 0;

/** How many more runs a value needs, as far as is known. */
function runsLeft(tries: ValueTries): number {
  if (tries.length === 0) return 1;
  return tries.some(hasPassed) ? 0 : failuresOfBreak - tries.length;
}

/** A value breaks the tests if every run fails: where the tests are known, because of the same test. */
function judgeTries(run: ChangedRun, tries: ValueTries, exploration: Exploration): ChangeFinding[] {
  const failures = tries.filter((one) => !hasPassed(one));
  const failed = failures.map(({ seen }) => seen.tests.filter(doesBreak));
  const always = failed
    .flat()
    .filter((test) => failed.every((tests) => tests.some(({ id }) => id === test.id)));
  const isSteady = always.length > 0 || failed.some((tests) => tests.length === 0);
  return (failures.length > 0 ? failures : tries).slice(0, 1).map((shown) => {
    const evidence = exploration.evidence(shown, run);
    const found = { run, evidence, tests: shown.seen.tests };
    if (failures.length === 0) return { ...found, result: resultWithoutBreak(run, shown.seen) };
    if (failures.length === failuresOfBreak && isSteady) {
      return {
        ...found,
        result: "breaks",
        ...(always.length > 0 && { line: `${run.name} breaks ${labelList(always)}` }),
      };
    }
    const names = labelList(failed.flat()) || "your tests";
    const line = `${run.name} is flaky: ${names} failed and passed in ${tries.length} runs. Log: ${shown.log}`;
    return { ...found, result: "flaky", line };
  });
}

/** What the profile has is not changed, so tests can only depend on what it lacks. */
function notKnown(count: number): string {
  if (count === 0) return "";
  return count === 1 ? "; it is not known" : `; none of the ${count} is known`;
}

const verifyAdvice =
  "To find out which values are true, ask the real service: npx usergroup-mock verify --against <url> --api-token <token> --out profile.json. Then start the mock with --profile profile.json.";

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
  const base = withAssumptions(defaultAssumed, assumed, "set");
  const changes = assumptionIds.flatMap((id) => {
    const others = valuesOf(id).filter((value) => value !== base[id].value);
    return others.map((value) => ({ name: `${id}=${value}`, id, value, assume: { [id]: value } }));
  });
  const names = [...assumptionIds, ...changes.map(({ name }) => name)];
  checkOnly(wanted, "assumption or alternative value", names);
  return changes.filter(
    ({ id, name }) => wanted.length === 0 || wanted.includes(id) || wanted.includes(name),
  );
}
