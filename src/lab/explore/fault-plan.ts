import { counted } from "../../foundation/grammar.js";
import { sharesWorld, type TestResult } from "../../run/test-results.js";
import { isBreak } from "./evidence.js";
import type { PlannedRun, RunPlan, RunResult } from "./exploration.js";
import { type Point, spread } from "./points.js";
import { judgeRound, judgeSingle, planByFile, planRounds, testFailed, type Verdict } from "./rounds.js";

/** "round": a failure in most tests. "by file": at most one failure per test file. "single": one failure. */
type RunKind = "round" | "by file" | "single";

/** A run with a failure at one request or at several. */
export interface FaultRun extends PlannedRun {
  readonly kind: RunKind;
  readonly points: readonly Point[];
}

/** What is known of a point. */
export interface PointFinding {
  readonly point: Point;
  readonly result: Exclude<Verdict, "unknown">;
  /** Whether it broke in a round, and has to be tried again. */
  readonly isUnconfirmed: boolean;
  readonly run: FaultRun;
  readonly ended: RunResult;
  /** The test of the point; of a single run all tests. */
  readonly tests: readonly TestResult[];
}

export interface FaultPlanOptions {
  readonly maxRuns: number;
  readonly bail: boolean;
}

/**
 * Which failures to try in which runs, and what the runs have shown. First rounds; then what broke in them, file by
 * file; then one run for each point that cannot share one. What a round could not show is tried before the next round.
 */
export class FaultPlan implements RunPlan<FaultRun> {
  readonly #points: readonly Point[];
  readonly #options: FaultPlanOptions;
  /** How a point is to be tried next. The others are running, known, or left out. */
  readonly #waiting = new Map<Point, RunKind>();
  readonly #found = new Map<Point, PointFinding>();
  /** The ids of the tests that passed in the first run. */
  readonly #reliable: ReadonlySet<string>;
  /** The ids of the tests that take part in rounds. */
  readonly #inRounds: readonly string[];
  /** The ids of tests that influence others or are influenced: their failures are tried one at a time. */
  readonly #entangled = new Set<string>();
  /** The tests that failed without an injected failure, by their ids. */
  readonly disturbed = new Map<string, TestResult>();
  #nextRound = 0;
  #runs = 0;

  /** @param tests those of the first run */
  constructor(points: readonly Point[], tests: readonly TestResult[], options: FaultPlanOptions) {
    this.#points = points;
    this.#options = options;
    this.#reliable = new Set(tests.filter(({ result }) => result === "passed").map(({ id }) => id));
    // In a shared world, a late request of one test would count as a request of the next one.
    const ids = new Set(points.flatMap(({ test }) => (test && !sharesWorld(test) ? test.id : [])));
    // One test has no other one as its control.
    this.#inRounds = ids.size > 1 ? [...ids] : [];
    for (const point of points.filter((one) => this.#isInRounds(one))) {
      // If no timeout ends a test, the tests after it in its file would not run.
      const mayHang = point.injection.failure === "silent" && point.test?.timeoutMs === undefined;
      this.#waiting.set(point, mayHang ? "by file" : "round");
    }
    const single = points.filter((one) => !this.#isInRounds(one));
    for (const point of spread(single, Math.max(0, options.maxRuns - this.left()))) {
      this.#waiting.set(point, "single");
    }
  }

  left(): number {
    const planned = this.#rounds().length + this.#byFile().length + this.#waitingFor("single").length;
    return Math.min(planned, this.runsLeft);
  }

  get runsLeft(): number {
    return this.#options.maxRuns - this.#runs;
  }

  next(): FaultRun | undefined {
    const { bail } = this.#options;
    const mayStop = bail && this.findings().some((finding) => isBreak(finding) && !finding.isUnconfirmed);
    if (this.runsLeft <= 0 || mayStop) return undefined;
    const run = this.#choose(bail);
    if (run === undefined) return undefined;
    this.#runs++;
    for (const point of run.points) this.#waiting.delete(point);
    return run;
  }

  judge(run: FaultRun, ended: RunResult): string {
    const { kind, points } = run;
    const [point] = points;
    if (kind === "single" && point !== undefined) {
      const result = judgeSingle(ended, this.#reliable);
      this.#keep(run, point, result, ended);
      this.#findInfluence(point, ended);
      return result;
    }
    const { verdicts, disturbed } = judgeRound(points, ended, this.#reliable);
    for (const test of disturbed) this.#distrust(test, points);
    for (const [one, verdict] of verdicts) this.#learn(run, one, verdict, ended);
    const broken = [...verdicts.values()].filter((result) => isBreak({ result })).length;
    const soFar = this.findings().filter(isBreak).length;
    return `${broken} of ${counted(points.length, "failure")} ${broken === 1 ? "breaks" : "break"}, ${soFar} so far`;
  }

  /** In the order of the points. */
  findings(): PointFinding[] {
    return this.#points.flatMap((point) => this.#found.get(point) ?? []);
  }

  #choose(confirmsFirst: boolean): FaultRun | undefined {
    const [round] = this.#rounds();
    const [byFile] = this.#byFile();
    const single = this.#waitingFor("single");
    // Before more rounds, whose tests may influence each other too.
    const suspect = single.find((point) => this.#isInRounds(point));
    if (suspect !== undefined) return runOf("single", suspect.name, [suspect]);
    if (round !== undefined && !(confirmsFirst && byFile !== undefined)) {
      this.#nextRound = round.number + 1;
      return runOf("round", `round ${this.#runs + 1}`, round.points);
    }
    if (byFile !== undefined) return runOf("by file", `round ${this.#runs + 1} by file`, byFile);
    return single[0] && runOf("single", single[0].name, [single[0]]);
  }

  #learn(run: FaultRun, point: Point, verdict: Verdict, ended: RunResult): void {
    // While this run was running, another run has shown that its test is influenced.
    if (this.#waiting.get(point) === "single") return;
    const earlier = this.#found.get(point);
    if (verdict === "unknown") {
      this.#trySingly(point);
    } else if (earlier?.isUnconfirmed && !isBreak({ result: verdict })) {
      // It broke only together with others.
      for (const test of earlier.tests) this.#distrust(test, earlier.run.points);
    } else {
      this.#keep(run, point, verdict, ended);
    }
  }

  #keep(run: FaultRun, point: Point, result: PointFinding["result"], ended: RunResult): void {
    const isUnconfirmed = run.kind === "round" && isBreak({ result });
    const tests =
      run.kind === "single" ? ended.seen.tests : ended.seen.tests.filter(({ id }) => id === point.test?.id);
    this.#found.set(point, { point, result, isUnconfirmed, run, ended, tests });
    if (isUnconfirmed) this.#waiting.set(point, "by file");
  }

  /** A test failed in a round, but not because of the failure injected into it: every failure that could be the cause is tried again. */
  #distrust(disturbed: TestResult, inRound: readonly Point[]): void {
    this.disturbed.set(disturbed.id, disturbed);
    this.#entangle(disturbed.id);
    for (const point of inRound) this.#trySingly(point);
  }

  /** If the failure of one test makes others fail, only single runs show which failure does so. */
  #findInfluence({ test }: Point, { seen }: RunResult): void {
    if (test === undefined) return;
    for (const other of seen.tests.filter(testFailed)) {
      if (other.id === test.id || !this.#reliable.has(other.id)) continue;
      this.disturbed.set(other.id, other);
      this.#entangle(other.id);
      this.#entangle(test.id);
    }
  }

  #entangle(id: string): void {
    if (this.#entangled.has(id)) return;
    this.#entangled.add(id);
    for (const point of this.#points.filter(({ test }) => test?.id === id)) this.#trySingly(point);
  }

  #trySingly(point: Point): void {
    if (this.#found.get(point)?.run.kind === "single") return;
    this.#found.delete(point);
    this.#waiting.set(point, "single");
  }

  #isInRounds({ test }: Point): boolean {
    return test !== undefined && this.#inRounds.includes(test.id);
  }

  #rounds() {
    return planRounds(this.#waitingFor("round"), this.#inRounds, this.#nextRound);
  }

  #byFile() {
    return planByFile(this.#waitingFor("by file"));
  }

  #waitingFor(kind: RunKind): Point[] {
    return [...this.#waiting].flatMap(([point, waitsFor]) => (waitsFor === kind ? point : []));
  }
}

function runOf(kind: RunKind, name: string, points: readonly Point[]): FaultRun {
  const silent = points.filter(({ injection }) => injection.failure === "silent");
  return {
    kind,
    name,
    points,
    inject: points.map(({ injection }) => injection),
    // Tests of one file wait for their timeouts one after the other.
    extraMs: silent.reduce((sum, { test }) => sum + (test?.timeoutMs ?? 0), 0),
  };
}
