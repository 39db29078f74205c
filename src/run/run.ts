import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dateNow } from "../foundation/clock.js";
import { asError, MockError } from "../foundation/mock-error.js";
import type { AssumptionId } from "../service/assumptions.js";
import { type Injection, injectionText, type RequestName, requestNameText } from "./injection.js";
import { appendJsonLine, readJsonLines } from "./json-lines.js";
import { resultsOf, type TestLine, type TestResult } from "./test-results.js";

const instructionsFile = "instructions.json";

/** Tells every process that a command starts which run it belongs to. */
export const runVariable = "USERGROUP_MOCK_RUN";

/** What every mock of a run does. */
export interface RunInstructions {
  readonly assume: Readonly<Record<string, string>>;
  /** Failures, each at a call of its own. */
  readonly inject: readonly Injection[];
  /** Options that a mock takes if it does not set them itself. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether every call is recorded by its name. */
  readonly learns: boolean;
  /** The folders of the runs that write a report: mocks record there what they see. */
  readonly reportsTo: readonly string[];
  /** The folders of the runs that this run is nested in, the nearest first. What its mocks see counts there too. */
  readonly outerRuns: readonly string[];
  /** The folder in which calls are counted: that of the run with the `inject` or `learns` that applies. */
  readonly countsIn: string;
}

/** What `exec` and `explore` ask for. */
export interface GivenInstructions extends Pick<RunInstructions, "assume" | "inject" | "learns"> {
  /** Whether mocks record what a report shows. */
  readonly reports: boolean;
}

/** What the mocks of a run saw. */
export interface RunSeen {
  /** Whether any call of the service reached a mock. */
  readonly isReached: boolean;
  /** Assumptions that decided an answer, and those of them that a test had pinned. */
  readonly decided: ReadonlySet<string>;
  readonly pinned: ReadonlySet<string>;
  /** The names of the calls, in the order in which they came. */
  readonly calls: readonly string[];
  /** The failures that were injected: `rotate:acme#2=lost`. */
  readonly injected: ReadonlySet<string>;
  /** What became of the tests of our framework entries. */
  readonly tests: readonly TestResult[];
}

/** One line of a file that a mock writes about what it saw. */
interface SeenLine {
  readonly at?: number;
  readonly reached?: true;
  readonly decided?: string;
  readonly pinned?: string;
  readonly call?: string;
}

/**
 * One run of a command, as a folder. Mocks in any process that the command starts read their instructions from it and
 * write into it what they saw. Files, because a process may be killed, and because tools may intercept its HTTP.
 *
 * - `instructions.json`: a `RunInstructions`, written before the command starts
 * - `seen-<mock>.jsonl`: what a mock of this run or of a nested run saw, a `SeenLine` each
 * - `<hash of a call's name>.<occurrence>`: empty; some process has counted that call
 * - `injected-<hash of an injection>`: empty; that failure has been injected
 * - `tests-<process>.jsonl`: tests of our framework entries that began or ended, a `TestLine` each
 * - `report-<mock>.jsonl`: the requests of a mock of this run or of a nested run, each written when it is answered
 * - `report-<mock>.data`, `report-<mock>.json`: everything that a mock knows, written when it stops (`run-reports.ts`)
 */
export class Run {
  readonly folder: string;
  readonly instructions: RunInstructions;
  /** What is written already: most calls of a run add nothing. */
  readonly #written = new Set<string>();
  readonly #counts = new Map<string, number>();
  /** Of this mock among those of the run. */
  readonly id = `${process.pid}-${randomBytes(6).toString("hex")}`;

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
    const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-run-"));
    // A nested run that asks for no failure and learns nothing takes part in what the outer run does.
    const takesPart = outer !== undefined && given.inject.length === 0 && !given.learns;
    const { inject, learns, countsIn } = takesPart ? outer.instructions : { ...given, countsIn: folder };
    const instructions: RunInstructions = {
      assume: { ...outer?.instructions.assume, ...given.assume },
      inject,
      learns,
      countsIn,
      options,
      reportsTo: [...(given.reports ? [folder] : []), ...(outer?.instructions.reportsTo ?? [])],
      outerRuns: outer === undefined ? [] : [outer.folder, ...outer.instructions.outerRuns],
    };
    writeFileSync(join(folder, instructionsFile), JSON.stringify(instructions));
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
      const why = `${runVariable} names the run of an exec or explore that is over: ${asError(error).message}.`;
      throw new MockError("no_run", `${why} Unset it, or start the mock within that command.`);
    }
  }

  /** A call of the service reached a mock of this run. */
  reached(): void {
    this.#writeOnce({ reached: true });
  }

  /** An assumption decided an answer. */
  decided(id: AssumptionId, isPinned: boolean): void {
    this.#writeOnce(isPinned ? { pinned: id } : { decided: id });
  }

  /** Counts a request across all processes of the run. Returns the failure that is to happen to it, if any. */
  failureFor(call: Required<RequestName>): Injection | undefined {
    const { inject, learns } = this.instructions;
    const name = requestNameText(call);
    try {
      if (learns) this.#write({ at: dateNow(), call: `${name}#${this.#count(name)}` });
      return inject
        .filter((one) => matches(one.call, call))
        .find(
          (one) =>
            this.#count(`inject ${requestNameText(one.call)}`) === one.occurrence &&
            this.#create(injectedFile(one)),
        );
    } catch (error) {
      // The run is over, and this process outlives it.
      if (asError(error).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** A test of a framework entry began or ended. */
  recordTest(test: Omit<TestLine, "at">): void {
    const line: TestLine = { ...test, at: dateNow() };
    for (const folder of [this.folder, ...this.instructions.outerRuns]) {
      appendJsonLine(join(folder, `tests-${this.id}.jsonl`), line);
    }
  }

  /** What the mocks saw: nothing, if the command has removed the folder. Read it when the command has ended. */
  seen(): RunSeen {
    const files = existsSync(this.folder) ? readdirSync(this.folder) : [];
    const linesOf = <Line>(kind: string) =>
      files
        .filter((name) => name.startsWith(kind))
        .flatMap((name) => readJsonLines<Line>(join(this.folder, name)).lines);
    const lines = linesOf<SeenLine>("seen-");
    const field = (name: "decided" | "pinned") => new Set(lines.flatMap((line) => line[name] ?? []));
    const byTime = lines.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
    return {
      isReached: lines.some(({ reached }) => reached),
      decided: field("decided"),
      pinned: field("pinned"),
      calls: inOrder(byTime.flatMap(({ call }) => call ?? [])),
      injected: new Set(
        this.instructions.inject.filter((one) => files.includes(injectedFile(one))).map(injectionText),
      ),
      tests: resultsOf(linesOf<TestLine>("tests-")),
    };
  }

  remove(): void {
    // A process that outlives the command may write into the folder meanwhile.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #writeOnce(line: SeenLine): void {
    const key = JSON.stringify(line);
    if (this.#written.has(key)) return;
    this.#written.add(key);
    this.#write(line);
  }

  #write(line: SeenLine): void {
    for (const folder of [this.folder, ...this.instructions.outerRuns]) {
      appendJsonLine(join(folder, `seen-${this.id}.jsonl`), line);
    }
  }

  /** Counts across processes: the number of a call is the first that no process has taken. */
  #count(key: string): number {
    const name = fileNameOf(key);
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
}

function fileNameOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}

/** The file that says that a failure has been injected. */
function injectedFile(injection: Injection): string {
  return `injected-${fileNameOf(injectionText(injection))}`;
}

/** Calls of two processes may come within a millisecond: `rotate#2` must not stand before `rotate#1`. */
function inOrder(calls: readonly string[]): string[] {
  const nameOf = (call: string) => call.slice(0, call.lastIndexOf("#"));
  const numberIn = (call: string) => Number(call.slice(call.lastIndexOf("#") + 1));
  const left = new Map(calls.map((call) => [nameOf(call), [] as string[]]));
  for (const call of calls.toSorted((a, b) => numberIn(b) - numberIn(a))) left.get(nameOf(call))?.push(call);
  return calls.map((call) => left.get(nameOf(call))?.pop() ?? call);
}

function matches(wanted: RequestName, call: Required<RequestName>): boolean {
  return (
    wanted.operation === call.operation &&
    (wanted.world === undefined || wanted.world === call.world) &&
    (wanted.group === undefined || wanted.group === call.group)
  );
}
