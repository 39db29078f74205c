import { createHash, randomBytes } from "node:crypto";
import {
  appendFileSync,
  closeSync,
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
import { MockError, thrown } from "../foundation/mock-error.js";
import type { AssumptionId } from "../service/assumptions.js";
import { type CallName, callNameText, type Injection } from "./injection.js";

/** Tells every process that a command starts which run it belongs to. */
export const runVariable = "USERGROUP_MOCK_RUN";

/** What every mock of a run obeys. */
export interface RunOrders {
  readonly assume: Readonly<Record<string, string>>;
  readonly inject: Injection | null;
  /** Whether every call is recorded by its name. */
  readonly learns: boolean;
  /** Whether mocks write down what a report shows. */
  readonly reports: boolean;
  /** The folders of the runs around this one: what its mocks see counts there too. */
  readonly around: readonly string[];
  /** The folder in which calls are counted: that of the run that gave the order. */
  readonly countsIn: string;
}

/** What `exec` and `explore` order. */
export type GivenOrders = Pick<RunOrders, "assume" | "inject" | "learns" | "reports">;

/** What the mocks of a run saw. */
export interface RunSeen {
  /** Whether any call of the service reached a mock. */
  readonly isReached: boolean;
  /** Assumptions that decided an answer, and those of them that a test had pinned. */
  readonly decided: ReadonlySet<string>;
  readonly pinned: ReadonlySet<string>;
  /** The names of the calls, in the order in which they came. */
  readonly calls: readonly string[];
  /** Whether the failure was injected. */
  readonly isInjected: boolean;
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
 * One run of a command, as a folder. Mocks in any process that the command starts read their orders from it and write
 * into it what they saw. Files, because a process may be killed, and because tools may intercept its HTTP.
 */
export class Run {
  readonly folder: string;
  readonly orders: RunOrders;
  /** What is written already: most calls of a run tell nothing new. */
  readonly #written = new Set<string>();
  readonly #counts = new Map<string, number>();
  /** Of this mock among those of the run. */
  readonly id = `${process.pid}-${randomBytes(6).toString("hex")}`;

  private constructor(folder: string, orders: RunOrders) {
    this.folder = folder;
    this.orders = orders;
  }

  /** Begins a run. Remove it when the command has ended. */
  static begin(given: GivenOrders, around: Run | undefined): Run {
    const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-run-"));
    const counts = given.inject === null && !given.learns ? around?.orders : undefined;
    const all: RunOrders = {
      assume: { ...around?.orders.assume, ...given.assume },
      inject: counts?.inject ?? given.inject,
      learns: counts?.learns ?? given.learns,
      reports: given.reports || (around?.orders.reports ?? false),
      around: around === undefined ? [] : [around.folder, ...around.orders.around],
      countsIn: counts?.countsIn ?? folder,
    };
    writeFileSync(join(folder, "orders.json"), JSON.stringify(all));
    return new Run(folder, all);
  }

  /** The run that this process belongs to, if any. */
  static join(env: NodeJS.ProcessEnv): Run | undefined {
    const folder = env[runVariable];
    if (folder === undefined || folder === "") return undefined;
    try {
      return new Run(folder, JSON.parse(readFileSync(join(folder, "orders.json"), "utf8")));
    } catch (error) {
      // A run that has ended cannot be obeyed: a process that outlives its command must not start another truth.
      const why = `${runVariable} names the run of an exec or explore that is over: ${thrown(error).message}.`;
      throw new MockError("no_run", `${why} Unset it, or start the mock within that command.`);
    }
  }

  /** A call of the service reached a mock of this run. */
  reached(): void {
    this.#write("reached", { reached: true });
  }

  /** An assumption decided an answer. */
  decided(id: AssumptionId, isPinned: boolean): void {
    this.#write(`${id} ${isPinned}`, isPinned ? { pinned: id } : { decided: id });
  }

  /** Whether the failure of this run is to happen to this call, which is counted across all processes. */
  isTarget(call: Required<CallName>): boolean {
    const { inject, learns } = this.orders;
    try {
      if (learns) {
        const name = callNameText(call);
        this.#write(undefined, { at: dateNow(), call: `${name}#${this.#count(name)}` });
      }
      if (inject === null || !matches(inject.call, call)) return false;
      if (this.#count(`inject ${callNameText(inject.call)}`) !== inject.n) return false;
      return this.#create("injected");
    } catch (error) {
      // The run is over, and this process outlives it.
      if (thrown(error).code === "ENOENT") return false;
      throw error;
    }
  }

  /** What the mocks saw. Read it when the command has ended. */
  seen(): RunSeen {
    const files = readdirSync(this.folder);
    const lines = files.filter((name) => name.startsWith("seen-")).flatMap((name) => this.#lines(name));
    const field = (name: "decided" | "pinned") => new Set(lines.flatMap((line) => line[name] ?? []));
    const byTime = lines.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
    return {
      isReached: lines.some(({ reached }) => reached),
      decided: field("decided"),
      pinned: field("pinned"),
      calls: inOrder(byTime.flatMap(({ call }) => call ?? [])),
      isInjected: files.includes("injected"),
    };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #lines(name: string): SeenLine[] {
    const text = readFileSync(join(this.folder, name), "utf8");
    // A process that was killed may have left half a line.
    return text.split("\n").flatMap((line): SeenLine[] => {
      try {
        return line === "" ? [] : [JSON.parse(line)];
      } catch {
        return [];
      }
    });
  }

  /** @param once a key: what has it is written once */
  #write(once: string | undefined, line: SeenLine): void {
    if (once !== undefined) {
      if (this.#written.has(once)) return;
      this.#written.add(once);
    }
    for (const folder of [this.folder, ...this.orders.around]) {
      try {
        appendFileSync(join(folder, `seen-${this.id}.jsonl`), `${JSON.stringify(line)}\n`);
      } catch {
        // The run around this one is over.
      }
    }
  }

  /** Counts across processes: the number of a call is the first that no process has taken. */
  #count(key: string): number {
    const name = createHash("sha256").update(key).digest("hex").slice(0, 24);
    let n = (this.#counts.get(key) ?? 0) + 1;
    while (!this.#create(`${name}.${n}`)) n++;
    this.#counts.set(key, n);
    return n;
  }

  /** Whether this process was the first to create that file. */
  #create(name: string): boolean {
    try {
      closeSync(openSync(join(this.orders.countsIn, name), "wx"));
      return true;
    } catch (error) {
      if (thrown(error).code === "EEXIST") return false;
      throw error;
    }
  }
}

/** Calls of two processes may come within a millisecond: `rotate#2` must not stand before `rotate#1`. */
function inOrder(calls: readonly string[]): string[] {
  const nameOf = (call: string) => call.slice(0, call.lastIndexOf("#"));
  const numberIn = (call: string) => Number(call.slice(call.lastIndexOf("#") + 1));
  const left = new Map(calls.map((call) => [nameOf(call), [] as string[]]));
  for (const call of calls.toSorted((a, b) => numberIn(b) - numberIn(a))) left.get(nameOf(call))?.push(call);
  return calls.map((call) => left.get(nameOf(call))?.pop() ?? call);
}

function matches(wanted: CallName, call: Required<CallName>): boolean {
  return (
    wanted.operation === call.operation &&
    (wanted.world === undefined || wanted.world === call.world) &&
    (wanted.group === undefined || wanted.group === call.group)
  );
}
