import type { Change, EndedRun } from "./changes.js";
import { groupBy } from "./group-by.js";
import type { Round } from "./plan-rounds.js";
import { RunEvidence, testCause } from "./run-evidence.js";
import { hasFailed, isAlone, type Turn } from "./turns.js";

/** "unconfirmed": a test failed, and was not tried again. */
export type Result = "survives" | "recovers" | "breaks" | "hangs" | "flaky" | "unconfirmed" | "not met";

/** What is known of a change. */
export interface Finding {
  readonly change: Change;
  readonly result: Result;
  /** The run that shows it, and the change in that run: this one, or another one with the same cause in the same test. */
  readonly shown: EndedRun;
  readonly shownBy: Change;
  /** Of the test that failed, if it is known. */
  readonly error?: string | undefined;
}

export interface Judged {
  /** In the order of the changes. A change of which nothing is known has none. */
  readonly findings: readonly Finding[];
  /** Tests that fail now and then, or because of failures in others, and a run that shows it. The command is "". */
  readonly flaky: ReadonlyMap<string, EndedRun>;
  /** Changes whose runs have shown nothing, because of the other changes in them: to be tried alone. */
  readonly unknown: readonly Change[];
  /** The runs that confirm what has failed. */
  readonly again: readonly Round[];
}

/** What the runs have shown of each change, and what to try again. */
export function judge(changes: readonly Change[], runs: readonly EndedRun[]): Judged {
  const evidence = new RunEvidence(runs);
  const findings = changes.map((change) => findingOf(change, evidence));
  return {
    findings: findings.filter((finding) => finding !== undefined),
    flaky: evidence.flaky,
    unknown: changes.filter((change) => isUnknown(evidence.turnsWith(change))),
    again: [...confirmingRuns(evidence), ...hangAlone(evidence)],
  };
}

function findingOf(change: Change, evidence: RunEvidence): Finding | undefined {
  const turns = evidence.turnsWith(change).filter(({ result }) => result !== "unknown");
  const last = (result: Turn["result"]) => turns.findLast((turn) => turn.result === result);
  const failed = turns.findLast(hasFailed);
  const decisive = last("hangs") ?? failed ?? last("not met") ?? last("survives");
  if (decisive === undefined) return undefined;
  const finding = { change, shown: decisive.run, shownBy: change, error: decisive.error };
  if (decisive !== failed) return { ...finding, result: decisive.result as Result };
  if (evidence.isChance(failed)) return { ...finding, result: "flaky" };
  if (!evidence.isConfirmed(failed)) return { ...finding, result: "unconfirmed" };
  const { run, change: shownBy = change } = evidence.repetitionOf(failed) ?? failed;
  return { ...finding, result: failed.result as Result, shown: run, shownBy };
}

/** Whether nothing is known, but would be if the change were alone in a run. */
function isUnknown(turns: readonly Turn[]): boolean {
  return turns.length > 0 && turns.every((turn) => turn.result === "unknown" && !isAlone(turn));
}

/** One run for each cause: every test that has shown it repeats one of its changes, and the others run as they are. */
function confirmingRuns(evidence: RunEvidence): Round[] {
  const open = evidence.failures.filter(
    (turn) => !evidence.isConfirmed(turn) && !evidence.isTriedOften(turn),
  );
  // The errors of a test may differ each time.
  const oncePerChange = new Map(open.map((turn) => [turn.change, turn])).values();
  const causes = groupBy(oncePerChange, (turn) =>
    evidence.isClearOnlyAlone(turn) ? turn.change : testCause(turn),
  );
  return Array.from(causes.values(), (turns) => {
    const ofTests = groupBy(turns, ({ test }) => test);
    return changesOf(Array.from(ofTests.values(), ([first]) => first));
  });
}

/** One hang is tried alone once, so that its log has nothing else. It may not hang then. */
function hangAlone(evidence: RunEvidence): Round[] {
  const hanging = evidence.turns.filter(({ result }) => result === "hangs");
  if (hanging.some(({ change }) => evidence.turnsWith(change).some(isAlone))) return [];
  return changesOf(hanging.slice(0, 1)).map((change) => [change]);
}

function changesOf(turns: readonly Turn[]): Change[] {
  return turns.map(({ change }) => change).filter((change) => change !== undefined);
}
