import { doesBreak, type RecordedTest, type TestResult } from "../../run/report-test.js";
import type { Change, EndedRun, Point } from "./changes.js";

/** What is known of a change. */
export interface ChangeFinding {
  readonly change: Change;
  readonly result: string;
  /** The tests with this result. */
  readonly tests?: readonly RecordedTest[];
  /** The run that shows it. Missing if no run was needed. */
  readonly shown?: EndedRun | undefined;
}

type PointFinding = Pick<ChangeFinding, "result" | "shown">;

/** A failure without a change: of a test, or of the command if no test is known to fail. */
export interface Stray {
  readonly test: TestResult | undefined;
  readonly shown: EndedRun;
}

/** What the runs that have ended show. */
export interface Judged {
  /** In the order of the changes. */
  readonly findings: readonly ChangeFinding[];
  /** The tests that failed without a change, by their ids. The whole command has the empty id. */
  readonly flaky: ReadonlyMap<string, Stray>;
  /** The tests that failed, each time, because of changes in other tests. */
  readonly influenced: ReadonlyMap<string, TestResult>;
}

/** What one run has shown of a point. "unknown": nothing, because another change of the run may be the cause. */
type Verdict = Exclude<Result, "flaky"> | "unknown";

/** What is known of a point. The result of a change is the first of these that one of its points has. */
const results = ["hangs", "breaks", "recovers", "flaky", "not met", "survives"] as const;

export type Result = (typeof results)[number];

/** How often a point has to fail, each time. Fewer failures may be those of a flaky test. */
const neededFailures = 3;

/** A test that fails where it should pass is judged if it passes at least so many times as often there. */
const passesPerStray = 2;

/** A test that fails so often where it should pass, and does not pass often enough, is no longer tried. */
const maxStrays = 3;

/** How often a run is repeated before a test that fails each time is reported as influenced by others. */
const neededRepetitions = 3;

/** The changes of a run without any. */
export const none: readonly Change[] = [];

/** The id of the test of a point. The whole command has the empty id. */
function ownerOf({ test }: Point): string {
  return test?.id ?? "";
}

/**
 * What the runs that have ended show of each change.
 * @param first the run without a change that came first
 */
export function judgeRuns(changes: readonly Change[], first: EndedRun, ended: readonly EndedRun[]) {
  const runs = ended.map(observe);
  const tries = collectTries(runs);
  const { checks, ...doubts } = findDoubts(first, runs);
  const { findings, isOpen } = findResults(changes, tries, doubts, runs);
  if (isOpen && checks.length === 0) checks.push(none);
  const unclear = changes.filter(({ points }) =>
    points.some((point) => tries.get(point)?.some(({ verdict }) => verdict === "unknown")),
  );
  return { ...doubts, findings, checks, unclear: new Set(unclear) };
}

type Observed = ReturnType<typeof observe>;

/** A run, the ids of the tests that had a change, and of the others whether they passed. */
function observe(shown: EndedRun) {
  const { changes } = shown.run;
  const { injected, tests } = shown.seen;
  const met = changes.filter(({ name, injection }) => injection === undefined || injected.has(name));
  const hit = new Set(met.flatMap(({ points }) => points.map(ownerOf)));
  const others = hit.has("") ? [] : tests.filter(({ id }) => !hit.has(id));
  const failed = others.filter(({ result }) => result === "failed" || result === "retried");
  const passes = new Map(failed.map(({ id }) => [id, false]));
  for (const { id, result } of others) if (result === "passed") passes.set(id, true);
  if (changes === none) passes.set("", shown.exitCode === 0);
  return { shown, changes, hit, passes, failed };
}

/**
 * A test that fails without a failure in it is flaky if it also fails in a run without any failure, or passes when the run is
 * repeated; otherwise it is influenced by other tests. `checks` are the changes of the runs that find out.
 */
function findDoubts(first: EndedRun, runs: readonly Observed[]) {
  const flaky = new Map<string, Stray>();
  const influenced = new Map<string, TestResult>();
  const checks: (readonly Change[])[] = [];
  const { tests } = first.seen;
  for (const test of tests) if (test.result === "retried") flaky.set(test.id, { test, shown: first });
  const passedFirst = new Set(tests.filter(({ result }) => result === "passed").map(({ id }) => id));
  const controls = runs.filter(({ changes }) => changes === none);
  const isInjected = runs.some(
    ({ shown, changes }) => shown.exitCode !== 0 && changes.some(({ injection }) => injection),
  );
  if (controls.length === 0 && isInjected) checks.push(none);
  for (const { changes, failed, shown } of [...controls, ...runs]) {
    const same = runs.filter((run) => run.changes === changes);
    for (const test of failed) {
      if (!passedFirst.has(test.id) || flaky.has(test.id) || influenced.has(test.id)) continue;
      const isAlways = same.every((run) => run.failed.some(({ id }) => id === test.id));
      if (changes === none || !isAlways) flaky.set(test.id, { test, shown });
      else if (same.length > neededRepetitions) influenced.set(test.id, test);
      else checks.push(changes);
    }
  }
  const unexplained = controls.find(({ shown }) => isUnexplained(shown));
  if (unexplained) flaky.set("", { test: undefined, shown: unexplained.shown });
  return { flaky, influenced, checks: checks.slice(0, 1) };
}

/** The runs with each point, and what each has shown of it. */
type Tries = ReturnType<typeof collectTries>;

/**
 * The tries of each point. A test that failed beside changes in other tests counts only if it has passed beside changes in
 * each of them, while it had none itself.
 */
function collectTries(runs: readonly Observed[]) {
  const passesBeside = (id: string, other: string) =>
    id === other || runs.some(({ hit, passes }) => hit.has(other) && passes.get(id));
  const tries = new Map<Point, { readonly verdict: Verdict; readonly shown: EndedRun }[]>();
  for (const { shown, changes } of runs) {
    for (const change of changes) {
      const others = changes.filter((one) => one !== change).flatMap(({ points }) => points.map(ownerOf));
      for (const point of change.points) {
        const found = judgePoint(change, point, shown);
        const isClear = !hasFailed(found) || others.every((other) => passesBeside(ownerOf(point), other));
        const tried = { verdict: isClear ? found : "unknown", shown } as const;
        tries.get(point)?.push(tried) ?? tries.set(point, [tried]);
      }
    }
  }
  return tries;
}

function hasFailed(verdict: string): boolean {
  return verdict === "breaks" || verdict === "recovers";
}

/** What one run has shown of one of its points. */
export function judgePoint({ injection, name }: Change, point: Point, shown: EndedRun): Verdict {
  const { hangs, seen } = shown;
  const isAlone = shown.run.changes.length === 1;
  const test = seen.tests.find(({ id }) => id === point.test?.id);
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
 * What is known of the changes, in their order. A point that failed, but not often enough, has to be tried again. `isOpen`:
 * more runs without a change decide whether a test that fails without one passes often enough.
 */
function findResults(
  changes: readonly Change[],
  tries: Tries,
  { flaky, influenced }: Omit<Judged, "findings">,
  runs: readonly Observed[],
) {
  const ids = new Set(["", ...changes.flatMap(({ points }) => points.map(ownerOf))]);
  const counts = new Map(Array.from(ids, (id) => [id, countStrays(id, runs, tries, influenced.has(id))]));
  let isOpen = false;
  const judge = (point: Point, { injection }: Change): PointFinding | undefined => {
    const found = conclude(tries.get(point) ?? []);
    const ofTest = [ownerOf(point), ...(flaky.has("") ? [""] : [])].flatMap((id) => counts.get(id) ?? []);
    const isSteady = ofTest.every(({ passes, strays }) => passes >= passesPerStray * strays);
    if (isSteady || (found && !hasFailed(found.result))) return found;
    if (ofTest.some(({ strays }) => strays >= maxStrays)) return { ...found, result: "flaky" };
    isOpen ||= found !== undefined && injection !== undefined;
    return found && { ...found, result: "flaky" };
  };
  const findings = changes.flatMap((change): ChangeFinding | [] => {
    const judged = change.points.map((point) => ({ test: point.test, found: judge(point, change) }));
    if (judged.some(({ found }) => found === undefined)) return [];
    const result = results.find((one) => judged.some(({ found }) => found?.result === one)) ?? "survives";
    const worst = judged.filter(({ found }) => found?.result === result);
    const tests = worst.flatMap(({ test }) => test ?? []);
    return { change, result, tests, shown: worst[0]?.found?.shown };
  });
  return { findings, isOpen };
}

/** What the tries of a point show, if they are enough. */
function conclude(tries: NonNullable<ReturnType<Tries["get"]>>): PointFinding | undefined {
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
function countStrays(id: string, runs: readonly Observed[], tries: Tries, isInfluenced: boolean) {
  // An influenced test fails because of others.
  const without = runs.map(({ passes }) => passes.get(id)).filter((passed) => passed || !isInfluenced);
  const survived = [...tries].flatMap(([point, ofPoint]) => {
    const verdicts = ownerOf(point) === id ? ofPoint.map(({ verdict }) => verdict) : [];
    return verdicts.includes("survives") ? verdicts : [];
  });
  const count = (passed: boolean) => without.filter((one) => one === passed).length;
  return {
    passes: count(true) + survived.filter((verdict) => verdict === "survives").length,
    strays: count(false) + survived.filter(hasFailed).length,
  };
}
