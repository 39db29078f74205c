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
import { runVariable } from "../options/names.js";
import type { Decisions } from "../service/decisions.js";
import { type Injection, injectionText, type RequestName, requestNameText } from "./injection.js";
import { appendJsonLine, readJsonLines } from "./json-lines.js";
import { collectResults, sharesWorld, type TestLine, type TestResult } from "./test-results.js";

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

/** What the mocks of a run saw. */
export interface RunSeen {
  /** Whether any request to the service reached a mock. */
  readonly isReached: boolean;
  /** Assumptions that decided a response: with a value of the run, or with one that a test had set. */
  readonly decided: ReadonlySet<string>;
  readonly pinned: ReadonlySet<string>;
  /** The names of the requests in the order of their arrival: `rotate:acme#2`. */
  readonly requests: readonly string[];
  /** The failures that were injected: `rotate:acme#2=lost`. */
  readonly injected: ReadonlySet<string>;
  /** The results of the tests of our framework entries. */
  readonly tests: readonly TestResult[];
}

/** One line of a file that a mock writes about what it saw. */
interface SeenLine {
  readonly decided?: string;
  readonly pinned?: string;
  /** The name of a request without its occurrence, and when it arrived. */
  readonly request?: string;
  readonly occurrence?: number;
  readonly at?: number;
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
 * - `report-<mock>.json`: everything that a mock knows, written when it stops (`run-reports.ts`)
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
    const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-run-"));
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
      const reason = `${runVariable} refers to a run of exec or explore that has ended: ${asError(error).message}.`;
      throw new MockError("no_run", `${reason} Unset it, or start the mock within that command.`);
    }
  }

  /** A mock of this run has responded to a request. */
  responded({ decided, pinned }: Pick<Decisions, "decided" | "pinned">): void {
    this.#writeOnce({});
    for (const id of decided) this.#writeOnce(pinned.has(id) ? { pinned: id } : { decided: id });
  }

  /** Counts a request across all processes of the run. Returns the failure to inject into it, if any. */
  failureFor(inWorld: Required<RequestName>): Injection | undefined {
    const { inject, learns } = this.instructions;
    const inTest = { ...inWorld, world: this.#testIn(inWorld.world) ?? inWorld.world };
    try {
      if (learns) {
        const request = requestNameText(inTest);
        this.#append("seen", { at: dateNow(), request, occurrence: this.#count(request) });
      }
      return inject
        .filter(({ request }) => matches(request, inWorld) || matches(request, inTest))
        .find(
          (one) =>
            this.#count(`inject ${requestNameText(one.request)}`) === one.occurrence &&
            this.#create(injectedFile(one)),
        );
    } catch (error) {
      // The run has ended, and this process outlives it.
      if (asError(error).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /**
   * A test of a framework entry began or ended.
   * @param url of its world
   */
  recordTest(test: Omit<TestLine, "at">, url: string): void {
    this.#append("tests", { ...test, at: dateNow() } satisfies TestLine);
    if (!sharesWorld(test)) return;
    const file = this.#testFile(url, test.world);
    try {
      if (test.result === undefined) writeFileSync(file, test.id);
      else rmSync(file, { force: true });
    } catch {
      // The run has ended.
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
    // Two processes may write within a millisecond.
    const inOrder = lines.toSorted(
      (a, b) => (a.at ?? 0) - (b.at ?? 0) || (a.occurrence ?? 0) - (b.occurrence ?? 0),
    );
    return {
      isReached: lines.length > 0,
      decided: field("decided"),
      pinned: field("pinned"),
      requests: inOrder.flatMap(({ request, occurrence }) => (request ? `${request}#${occurrence}` : [])),
      injected: new Set(
        this.instructions.inject.filter((one) => files.includes(injectedFile(one))).map(injectionText),
      ),
      tests: collectResults(linesOf<TestLine>("tests-")),
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
    this.#append("seen", line);
  }

  #append(kind: "seen" | "tests", line: SeenLine | TestLine): void {
    for (const folder of [this.folder, ...this.instructions.outerRuns]) {
      appendJsonLine(join(folder, `${kind}-${this.id}.jsonl`), line);
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
    if (this.mockUrl === undefined) return undefined;
    try {
      return readFileSync(this.#testFile(this.mockUrl, world), "utf8");
    } catch {
      return undefined;
    }
  }

  /** By port: a program may use another name of this machine. */
  #testFile(url: string, world: string): string {
    return join(this.instructions.countsIn, `test-at-${new URL(url).port}-${world}`);
  }
}

function fileHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}

/** Exists once a failure has been injected. */
function injectedFile(injection: Injection): string {
  return `injected-${fileHash(injectionText(injection))}`;
}

function matches(wanted: RequestName, { world, operation, group }: RequestName): boolean {
  return (
    wanted.operation === operation && (wanted.world ?? world) === world && (wanted.group ?? group) === group
  );
}
