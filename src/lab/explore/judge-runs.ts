import { doesBreak, type RecordedTest } from "../../run/report-test.js";
import { type Change, type EndedRun, ownersOf } from "./changes.js";

/** What is known of a change. */
export interface ChangeFinding {
  readonly change: Change;
  readonly result: string;
  /** The tests with this result. */
  readonly tests: readonly RecordedTest[];
  /** The run that shows it. Missing if no run was needed. */
  readonly shown?: EndedRun | undefined;
}

/** What the runs that have ended show. */
export interface Judged {
  /** In the order of the changes. */
  readonly findings: readonly ChangeFinding[];
  /** The ids of the tests that failed without a change, and the run that shows it. The whole command has the empty id. */
  readonly flaky: ReadonlyMap<string, EndedRun>;
  /** The ids of the tests that failed, each time, because of changes in other tests. */
  readonly influenced: ReadonlySet<string>;
}

/** What is known of a test with a change. The result of a change is the first of these that one of its tests has. */
const results = ["hangs", "breaks", "recovers", "flaky", "not met", "survives"] as const;

export type Result = (typeof results)[number];

/** What one run has shown of a test. "unknown": nothing, because a change in another test may be the cause. */
type Verdict = Exclude<Result, "flaky"> | "unknown";

interface Observation {
  readonly verdict: Verdict;
  /** The change that concerned the test, if any. */
  readonly change: Change | undefined;
  readonly shown: EndedRun;
  /** The ids of all tests that a change of the run has reached. */
  readonly reached: ReadonlySet<string>;
}

/** How many failures of a test decide: fewer may be chance. */
const neededFailures = 3;

/** A test that fails where it should pass is judged if it passes at least so many times as often there. */
const passesPerStray = 2;

/** The changes of a run without any. */
const none: readonly Change[] = [];

/**
 * What the runs that have ended show of each change. A change without a finding has to be tried again, alone if it is
 * `unclear`. `check` are the changes of a run that finds out whether a test is flaky.
 * @param first the run without a change that came first
 */
export function judgeRuns(changes: readonly Change[], first: EndedRun, runs: readonly EndedRun[]) {
  const observed = observe(runs);
  const { flaky, influenced, check } = findDoubts(first, runs, observed);
  let isOpen = false;
  const judge = (id: string, change: Change): Pick<ChangeFinding, "result" | "shown"> | undefined => {
    const found = conclude((observed.get(id) ?? []).filter((one) => one.change === change));
    const counts = [id, ...(flaky.has("") ? [""] : [])].map((one) =>
      countStrays(observed.get(one) ?? [], influenced.has(one)),
    );
    const isSteady = counts.every(({ passes, strays }) => passes >= passesPerStray * strays);
    if (isSteady || (found && !hasFailed(found.result))) return found;
    const isHopeless = counts.some(({ strays }) => strays >= neededFailures);
    if (found === undefined && !isHopeless) return undefined;
    // More runs without a change may show that the test passes often enough.
    isOpen ||= !isHopeless;
    return { ...found, result: "flaky" };
  };
  const findings = changes.flatMap((change): ChangeFinding | [] => {
    const judged = ownersOf(change).map((id) => ({ id, found: judge(id, change) }));
    if (judged.some(({ found }) => found === undefined)) return [];
    const result = results.find((one) => judged.some(({ found }) => found?.result === one)) ?? "survives";
    const worst = judged.filter(({ found }) => found?.result === result);
    const tests = change.tests.filter((test) => worst.some(({ id }) => id === test.id));
    return { change, result, tests, shown: worst[0]?.found?.shown };
  });
  const unknown = [...observed.values()].flat().filter(({ verdict }) => verdict === "unknown");
  const unclear = new Set(unknown.map(({ change }) => change));
  const isFailing = runs.some(({ exitCode }) => exitCode !== 0);
  const isControlled = runs.some((run) => run.changes === none);
  // Values of assumptions are only compared with each other.
  const needsControl = changes.some(({ injection }) => injection) && (isOpen || (isFailing && !isControlled));
  return { findings, flaky, influenced, unclear, check: needsControl ? none : check };
}

/** What the runs have shown of each test, by its id. The whole command has the empty id. */
function observe(runs: readonly EndedRun[]): ReadonlyMap<string, readonly Observation[]> {
  const observed = new Map<string, Observation[]>();
  for (const shown of runs) {
    const { changes, exitCode, seen } = shown;
    const met = changes.filter(({ name, injection }) => injection === undefined || seen.injected.has(name));
    const reached = new Set(met.flatMap(ownersOf));
    const add = (id: string, verdict: Verdict, change?: Change) => {
      const one = { verdict, change, shown, reached };
      observed.get(id)?.push(one) ?? observed.set(id, [one]);
    };
    for (const change of changes)
      for (const id of ownersOf(change)) add(id, judgeTest(id, change, shown), change);
    for (const { id, result } of reached.has("") ? [] : seen.tests) {
      if (reached.has(id) || result === "skipped" || result === "unfinished") continue;
      add(id, result === "passed" ? "survives" : "breaks");
    }
    if (changes === none) add("", exitCode === 0 ? "survives" : "breaks");
  }
  return new Map(Array.from(observed, ([id, ofTest]) => [id, ofTest.map((one) => clarify(one, id, ofTest))]));
}

/**
 * A test that failed beside changes in other tests counts only if it has passed beside changes in each of them, while it had
 * none itself.
 */
function clarify(one: Observation, id: string, ofTest: readonly Observation[]): Observation {
  if (one.change === undefined || !hasFailed(one.verdict)) return one;
  const passes = ofTest.filter(({ change, verdict }) => change === undefined && verdict === "survives");
  const others = one.shown.changes.filter((change) => change !== one.change).flatMap(ownersOf);
  const isClear = others.every((other) => other === id || passes.some(({ reached }) => reached.has(other)));
  return isClear ? one : { ...one, verdict: "unknown" };
}

function hasFailed(verdict: string): boolean {
  return verdict === "breaks" || verdict === "recovers";
}

/** What one run has shown of a test with one of its changes. */
export function judgeTest(id: string, { injection, name }: Change, shown: EndedRun): Verdict {
  const { hangs, seen, changes } = shown;
  const isAlone = changes.length === 1;
  const test = seen.tests.find((one) => one.id === id);
  const hasEnded = test !== undefined && test.result !== "unfinished" && !isUnexplained(shown);
  if (!isAlone && !hasEnded) return "unknown";
  if (injection && !seen.injected.has(name))
    return isAlone || test?.result === "passed" ? "not met" : "unknown";
  if (injection && isAlone && hangs) return "hangs";
  const isBroken = test === undefined ? seen.tests.some(doesBreak) : doesBreak(test);
  if (!isBroken && !isUnexplained(shown)) return "survives";
  return test !== undefined && seen.recovered.has(name) ? "recovers" : "breaks";
}

/** Whether something else than a test has failed, such as a promise without a handler. */
function isUnexplained({ exitCode, seen }: EndedRun): boolean {
  return exitCode !== 0 && !seen.tests.some(doesBreak);
}

/**
 * A test that fails without a change in it is flaky if it also fails in a run without any change, or passes when the run is
 * repeated; otherwise it is influenced by other tests. `check` are the changes of the run to repeat.
 */
function findDoubts(first: EndedRun, runs: readonly EndedRun[], observed: ReturnType<typeof observe>) {
  const flaky = new Map<string, EndedRun>();
  const influenced = new Set<string>();
  let check: readonly Change[] | undefined;
  for (const { id, result } of first.seen.tests) {
    if (result === "retried") flaky.set(id, first);
    if (result !== "passed") continue;
    const failed = (observed.get(id) ?? [])
      .filter(({ change, verdict }) => change === undefined && verdict === "breaks")
      .map(({ shown }) => shown);
    const repeated = ({ changes }: EndedRun) => runs.filter((run) => run.changes === changes);
    const stray =
      failed.find(({ changes }) => changes === none) ??
      failed.find((shown) => !repeated(shown).every((run) => failed.includes(run)));
    if (stray !== undefined) flaky.set(id, stray);
    else if (failed.some((shown) => repeated(shown).length >= neededFailures)) influenced.add(id);
    else check ??= failed[0]?.changes;
  }
  const unexplained = runs.find((run) => run.changes === none && isUnexplained(run));
  if (unexplained !== undefined) flaky.set("", unexplained);
  return { flaky, influenced, check };
}

/** What the runs of a test with a change show, if they are enough. */
function conclude(tries: readonly Observation[]) {
  const find = (verdict: Exclude<Verdict, "unknown">) => {
    const shown = tries.findLast((one) => one.verdict === verdict)?.shown;
    return shown && { result: verdict, shown };
  };
  const certain = find("hangs") ?? find("not met");
  const passed = find("survives");
  const failed = find("breaks") ?? find("recovers");
  if (certain !== undefined || failed === undefined) return certain ?? passed;
  if (passed !== undefined) return { ...failed, result: "flaky" };
  return tries.filter(({ verdict }) => hasFailed(verdict)).length < neededFailures ? undefined : failed;
}

/** How often a test passed and failed without a change, or with one that it has also survived. */
function countStrays(ofTest: readonly Observation[], isInfluenced: boolean) {
  const passed = ofTest.filter(({ verdict }) => verdict === "survives");
  const survived = new Set([undefined, ...passed.map(({ change }) => change)]);
  const strays = ofTest.filter(({ change, verdict }) => hasFailed(verdict) && survived.has(change));
  // An influenced test fails because of others.
  const counted = strays.filter(({ change }) => change !== undefined || !isInfluenced);
  return { passes: passed.length, strays: counted.length };
}
