import { createHash, randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dateNow } from "../foundation/clock.js";
import { asError, MockError } from "../foundation/mock-error.js";
import { runVariable } from "../options/names.js";
import type { Decisions } from "../service/decisions.js";
import { type Injection, injectionText, type RequestName, requestNameText } from "./injection.js";
import { appendJsonLine, noteUnwritten } from "./json-lines.js";
import type { ArrivedRequest } from "./recoveries.js";
import { temporaryFolder, unwritable } from "./temporary-folder.js";
import { sharesWorld, type TestLine } from "./test-results.js";

const instructionsFile = "instructions.json";

/** What every mock of a run does. */
export interface RunInstructions {
  readonly assume: Readonly<Record<string, string>>;
  /** Failures, each at another request. */
  readonly inject: readonly Injection[];
  /** Options that a mock takes if it does not set them itself. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether the name of every request is recorded. */
  readonly learns: boolean;
  /** The folders of the runs that write a report: mocks record there what they see. */
  readonly reportsTo: readonly string[];
  /** The folders of the runs that this run is nested in, the nearest first. They see what its mocks see. */
  readonly outerRuns: readonly string[];
  /** The folder in which requests are counted: that of the run with the `inject` or `learns` that applies. */
  readonly countsIn: string;
}

/** What `exec` and `explore` ask for. */
export interface GivenInstructions extends Pick<RunInstructions, "assume" | "inject" | "learns"> {
  /** Whether mocks record what a report shows. */
  readonly reports: boolean;
}

/** One line of a file that a mock writes about what it saw. */
export interface SeenLine {
  readonly decided?: string;
  readonly pinned?: string;
  readonly arrived?: ArrivedRequest;
  /** An epoch in which a fault or a hold was armed: its world and number. */
  readonly armed?: string;
}

/**
 * One run of a command, as a folder. Mocks in any process that the command starts read their instructions from it and
 * write into it what they saw. Files, because a process may be killed, and because tools may intercept its HTTP.
 *
 * - `instructions.json`: a `RunInstructions`, written before the command starts
 * - `seen-<mock>.jsonl`: what a mock of this run or of a nested run saw, a `SeenLine` each
 * - `<hash of a request's name>.<occurrence>`: empty; some process has counted that request
 * - `injected-<hash of an injection>`: empty; that failure has been injected
 * - `tests-<process>.jsonl`: tests of our framework entries that began or ended, a `TestLine` each
 * - `test-at-<port>-<world>`: the id of the test that is using this world, if tests share the world
 * - `report-<mock>.jsonl`: the requests of a mock of this run or of a nested run, each written with its response
 * - `unwritten`: empty; a mock could not write what it saw
 * - `report-<mock>.json`: everything that a mock knows, written when it stops (`lab/collect-reports.ts`)
 */
export class Run {
  readonly folder: string;
  readonly instructions: RunInstructions;
  /** Lines that are in the file already. */
  readonly #written = new Set<string>();
  readonly #counts = new Map<string, number>();
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
  static begin(
    given: GivenInstructions,
    outer: Run | undefined,
    options: RunInstructions["options"] = {},
  ): Run {
    const folder = temporaryFolder("usergroup-mock-run-");
    // A nested run that injects and learns nothing is part of the outer run.
    const isPart = outer !== undefined && given.inject.length === 0 && !given.learns;
    const { inject, learns, countsIn } = isPart ? outer.instructions : { ...given, countsIn: folder };
    const instructions: RunInstructions = {
      assume: { ...outer?.instructions.assume, ...given.assume },
      inject,
      learns,
      countsIn,
      options,
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
   * @param armedIn the world and the number of its epoch, if a fault or a hold was armed in it
   */
  responded({ decided, pinned }: Pick<Decisions, "decided" | "pinned">, armedIn?: string): void {
    this.#writeOnce({});
    for (const id of decided) this.#writeOnce(pinned.has(id) ? { pinned: id } : { decided: id });
    if (armedIn !== undefined) this.#writeOnce({ armed: armedIn });
  }

  /**
   * Counts a request across all processes of the run. Returns the failure to inject into it, if any.
   * @param n the epoch in which it arrived
   * @param id of its journal entry
   */
  failureFor(inWorld: Required<RequestName>, n: number, id: number): Injection | undefined {
    const { inject, learns } = this.instructions;
    const { world } = inWorld;
    const name = { ...inWorld, world: this.#testIn(world) ?? world };
    try {
      const occurrence = learns ? this.#count(requestNameText(name)) : 0;
      const injection = inject
        .filter(({ request }) => matches(request, inWorld) || matches(request, name))
        .find(
          (one) =>
            this.#count(`inject ${requestNameText(one.request)}`) === one.occurrence &&
            this.#create(injectedFile(one)),
        );
      const isLate = runningTests().get(this.#place(this.mockUrl, world))?.() ?? true;
      const injected = injection && injectionText(injection);
      const arrived = {
        at: dateNow(),
        name,
        occurrence,
        world,
        n,
        id,
        isLate,
        ...(injected && { injected }),
      };
      this.#append("seen", { arrived });
      return injection;
    } catch (error) {
      noteUnwritten(this.folder, error);
      return undefined;
    }
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
    try {
      if (test.result === undefined) writeFileSync(file, test.id);
      else rmSync(file, { force: true });
    } catch (error) {
      noteUnwritten(this.folder, error);
    }
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
    const name = fileHash(key);
    let occurrence = (this.#counts.get(key) ?? 0) + 1;
    while (!this.#create(`${name}.${occurrence}`)) occurrence++;
    this.#counts.set(key, occurrence);
    return occurrence;
  }

  /** Whether this process was the first to create that file. */
  #create(name: string): boolean {
    try {
      closeSync(openSync(join(this.instructions.countsIn, name), "wx"));
      return true;
    } catch (error) {
      if (asError(error).code === "EEXIST") return false;
      throw error;
    }
  }

  /** The id of the test that is using a shared world of this mock. */
  #testIn(world: string): string | undefined {
    try {
      return readFileSync(join(this.instructions.countsIn, this.#place(this.mockUrl, world)), "utf8");
    } catch {
      return undefined;
    }
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

function fileHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}

/** Exists once a failure has been injected. */
export function injectedFile(injection: Injection): string {
  return `injected-${fileHash(injectionText(injection))}`;
}

function matches(wanted: RequestName, { world, operation, group }: RequestName): boolean {
  return (
    wanted.operation === operation && (wanted.world ?? world) === world && (wanted.group ?? group) === group
  );
}
