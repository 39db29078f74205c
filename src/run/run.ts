import { createHash, randomBytes } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dateNow } from "../foundation/clock.js";
import { asError, MockError } from "../foundation/mock-error.js";
import { runVariable } from "../options/names.js";
import type { Entry } from "../world/journal/journal.js";
import {
  type Injection,
  injectedFailures,
  injectionText,
  type RequestName,
  requestNameText,
} from "./injection.js";
import {
  appendJsonLine,
  appendText,
  type GivenInstructions,
  inRunFolder,
  instructionsFile,
  type RunInstructions,
  type SeenLine,
  temporaryFolder,
  unwritable,
} from "./run-folder.js";
import { sharesWorld, type TestLine } from "./test-results.js";

/** A request into which a failure was injected. */
interface Injected {
  readonly injection: Injection;
  readonly name: RequestName;
  readonly epoch: string;
}

/** What a run has to know of a response. */
type Responded = Pick<Entry, "id" | "outcome" | "decisions">;

/**
 * One run of a command, as a folder. Mocks in any process that the command starts read their instructions from it and
 * write into it what they saw. Files, because a process may be killed, and because tools may intercept its HTTP.
 * `run-folder.ts` lists its files.
 */
export class Run {
  readonly folder: string;
  readonly instructions: RunInstructions;
  /** Lines that are in the file already. */
  readonly #written = new Set<string>();
  readonly #counts = new Map<string, number>();
  readonly #injected: Injected[] = [];
  /** The failures from which the program has recovered if a request succeeds, by its epoch and id. */
  readonly #recoversFrom = new Map<string, readonly Injected[]>();
  /** Of this mock among those of the run. */
  readonly id = `${process.pid}-${randomBytes(6).toString("hex")}`;
  /** Where this mock listens, if this process has started one. */
  mockUrl: string | undefined;

  private constructor(folder: string, instructions: RunInstructions) {
    this.folder = folder;
    this.instructions = instructions;
  }

  /**
   * Begins a run. Remove it when the command has ended.
   * @param outer the run that it is nested in
   */
  static begin(given: GivenInstructions, outer: Run | undefined): Run {
    const folder = temporaryFolder("usergroup-mock-run-");
    // A nested run that injects and learns nothing is part of the outer run.
    const isPart = outer !== undefined && given.inject.length === 0 && !given.learns;
    const { inject, learns, countsIn } = isPart ? outer.instructions : { ...given, countsIn: folder };
    const instructions: RunInstructions = {
      assume: { ...outer?.instructions.assume, ...given.assume },
      tried: given.tried ?? outer?.instructions.tried ?? [],
      inject,
      learns,
      countsIn,
      options: given.options ?? {},
      reportsTo: [...(given.reports ? [folder] : []), ...(outer?.instructions.reportsTo ?? [])],
      outerRuns: outer === undefined ? [] : [outer.folder, ...outer.instructions.outerRuns],
    };
    try {
      writeFileSync(join(folder, instructionsFile), JSON.stringify(instructions));
    } catch (error) {
      throw unwritable(folder, asError(error).message);
    }
    return new Run(folder, instructions);
  }

  /** The run that this process belongs to, if any. */
  static join(env: NodeJS.ProcessEnv): Run | undefined {
    const folder = env[runVariable];
    if (folder === undefined || folder === "") return undefined;
    try {
      return new Run(folder, JSON.parse(readFileSync(join(folder, instructionsFile), "utf8")));
    } catch (error) {
      // A process that outlives its command must not run with other settings.
      const reason = `${runVariable} refers to a run of exec or explore that has ended: ${asError(error).message}.`;
      throw new MockError("no_run", `${reason} Unset it, or start the mock within that command.`);
    }
  }

  /**
   * A mock of this run has responded to a request.
   * @param n the epoch in which it arrived
   * @param isArmed whether a fault or a hold was armed in that epoch
   */
  responded({ id, outcome, decisions }: Responded, world: string, n: number, isArmed: boolean): void {
    const epoch = this.#epoch(world, n);
    this.#writeOnce({});
    for (const one of decisions.decided) {
      this.#writeOnce(decisions.isPinned(one) ? { pinned: one } : { decided: one });
    }
    for (const one of decisions.known) this.#writeOnce({ known: one });
    if (isArmed) this.#writeOnce({ armed: epoch });
    if (outcome !== "success") return;
    for (const { injection } of this.#recoversFrom.get(`${epoch} ${id}`) ?? []) {
      this.#writeOnce({ recovered: injectionText(injection) });
    }
  }

  /**
   * Counts a request across all processes of the run. Returns the failure to inject into it, if any.
   * @param n the epoch in which it arrived
   * @param id of its journal entry
   */
  failureFor(inWorld: Required<RequestName>, n: number, id: number): Injection | undefined {
    const { inject, learns } = this.instructions;
    const epoch = this.#epoch(inWorld.world, n);
    const place = this.#place(this.mockUrl, inWorld.world);
    const name = { ...inWorld, world: this.#testAt(place) ?? inWorld.world };
    // If its test has failed or is unknown, the request may be one of a hook that cleans up.
    const isLate = runningTests().get(place)?.() ?? true;
    const earlier = isLate ? [] : this.#injected.filter((one) => one.epoch === epoch && isRetry(name, one));
    if (earlier.length > 0) this.#recoversFrom.set(`${epoch} ${id}`, earlier);
    return inRunFolder(() => {
      if (learns) {
        const text = requestNameText(name);
        this.#append("seen", {
          request: { at: dateNow(), name: text, occurrence: this.#count(text), epoch },
        });
      }
      const injection = inject
        .filter(({ request }) => matches(request, inWorld) || matches(request, name))
        .find((one) => this.#count(`inject ${requestNameText(one.request)}`) === one.occurrence);
      if (injection === undefined) return undefined;
      this.#injected.push({ injection, name, epoch });
      this.#append("seen", { injected: injectionText(injection) });
      return injection;
    });
  }

  /**
   * A test of a framework entry began or ended.
   * @param url of its world
   * @param hasFailed whether the test has failed so far. Unknown if the mock is in another process
   */
  recordTest(test: Omit<TestLine, "at">, url: string, hasFailed = () => false): void {
    this.#append("tests", { ...test, at: dateNow() } satisfies TestLine);
    const place = this.#place(url, test.world);
    if (test.result === undefined) runningTests().set(place, hasFailed);
    else runningTests().delete(place);
    if (!sharesWorld(test)) return;
    const file = join(this.instructions.countsIn, place);
    inRunFolder(() => {
      if (test.result === undefined) writeFileSync(file, test.id);
      else rmSync(file, { force: true });
    });
  }

  /** Records a request together with its response: this process may be killed. */
  recordRequest(read: () => object): void {
    for (const folder of this.instructions.reportsTo)
      appendJsonLine(folder, `requests-${this.id}.jsonl`, read());
  }

  /** Records the report of this mock when it stops. @param pieces of its lines */
  recordReport(pieces: () => Iterable<string>): void {
    const { reportsTo } = this.instructions;
    if (reportsTo.length === 0) return;
    for (const piece of pieces())
      for (const folder of reportsTo) appendText(folder, `report-${this.id}.jsonl`, piece);
  }

  remove(): void {
    // A process that outlives the command may write into the folder meanwhile.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #writeOnce(line: SeenLine): void {
    const key = JSON.stringify(line);
    if (this.#written.has(key)) return;
    this.#written.add(key);
    this.#append("seen", line);
  }

  #append(kind: "seen" | "tests", line: SeenLine | TestLine): void {
    for (const folder of [this.folder, ...this.instructions.outerRuns]) {
      appendJsonLine(folder, `${kind}-${this.id}.jsonl`, line);
    }
  }

  /** Counts across processes: the occurrence of a request is the first that no process has taken. */
  #count(key: string): number {
    const name = createHash("sha256").update(key).digest("hex").slice(0, 24);
    for (let occurrence = (this.#counts.get(key) ?? 0) + 1; ; occurrence++) {
      try {
        writeFileSync(join(this.instructions.countsIn, `${name}.${occurrence}`), "", { flag: "wx" });
        this.#counts.set(key, occurrence);
        return occurrence;
      } catch (error) {
        if (asError(error).code !== "EEXIST") throw error;
      }
    }
  }

  /** The id of the test that is using a shared world. */
  #testAt(place: string): string | undefined {
    return inRunFolder(() => readFileSync(join(this.instructions.countsIn, place), "utf8"));
  }

  /** Names an epoch of a world of this mock. */
  #epoch(world: string, n: number): string {
    return `${this.id} ${world} ${n}`;
  }

  /** Names a world of a mock. By port: a program may use another name of this machine. */
  #place(url: string | undefined, world: string): string {
    return `test-at-${url && new URL(url).port}-${world}`;
  }
}

/**
 * Whether the tests that run in this process have failed, by the places of their worlds. Global, because a mock and the
 * entry of a framework are separate bundles.
 */
function runningTests(): Map<string, () => boolean> {
  const key = Symbol.for("usergroup-mock running tests");
  const tests: Map<string, () => boolean> = Reflect.get(globalThis, key) ?? new Map();
  Reflect.set(globalThis, key, tests);
  return tests;
}

function matches(wanted: RequestName, { world, operation, group }: RequestName): boolean {
  return (
    wanted.operation === operation && (wanted.world ?? world) === world && (wanted.group ?? group) === group
  );
}

/**
 * Whether a later request about the same group gets the response that a failure prevented: one of the same operation. After
 * a rotation whose response did not arrive, get-or-create returns the new token, so it counts too.
 */
function isRetry({ world, operation, group }: RequestName, { injection, name }: Injected): boolean {
  const rule = injectedFailures[injection.failure];
  const hasEffect = typeof rule === "object" && "phase" in rule;
  const isSame = operation === name.operation || (hasEffect && operation === "get-or-create");
  return isSame && world === name.world && group === name.group;
}
