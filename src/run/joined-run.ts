import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Source } from "../fake/service/behaviour.js";
import { TrackedFault } from "../fake/world/faults/faults.js";
import type { Entry } from "../fake/world/journal/entry.js";
import { showEntry, showTest } from "../fake/world/journal/show-journal.js";
import type { ServedWorld } from "../fake/world/served-world.js";
import { dateNow } from "../foundation/clock.js";
import { crypto } from "../foundation/crypto.js";
import { asError } from "../foundation/located-problem.js";
import type { Operation } from "../generated/types.js";
import type { SeenLine } from "./begin-run.js";
import { failureRule, type Injection, injectionText, requestNameText } from "./injection.js";
import { KeptRecords } from "./kept-records.js";
import { nameFor } from "./name-for.js";
import { appendSeen, inRunFolder, type RecordedRequest, type Run } from "./run-folder.js";

/** A request into which a failure was injected. */
interface Injected {
  readonly injection: Injection;
  readonly entry: Entry;
  readonly world: ServedWorld;
}

/** The test of a framework entry that uses a world of this mock. */
export interface TestAtWorld {
  /** Does not change from run to run. No other test has it. */
  readonly id: string;
  /** Whether it has failed so far. */
  readonly hasFailed: () => boolean;
}

/** By the name of a world: the test that uses it. "ended": a request may be one of the next test. */
export type TestsInWorlds<Test extends TestAtWorld = TestAtWorld> = Map<string, Test | "ended">;

/** In which line of a run an assumption that decided a response is recorded, by the source of its value. */
const linesOfSources = {
  default: "decided",
  set: "decided",
  profile: "known",
  pinned: "pinned",
} as const satisfies Record<Source, keyof SeenLine>;

/** With which operations a program gets what a request has changed, if its response did not arrive. */
const recoveredAfterEffect: Readonly<Record<Operation, readonly Operation[]>> = {
  "get-or-create": ["get-or-create"],
  // It returns the new token.
  rotate: ["rotate", "get-or-create"],
};

/** A run, as a mock that belongs to it sees it: it obeys the instructions, and records what it saw. */
export class JoinedRun {
  readonly #run: Run;
  readonly #tests: TestsInWorlds;
  readonly #written = new Set<string>();
  readonly #counts = new Map<string, number>();
  readonly #injected: Injected[] = [];
  /** Of this mock among those of the run. */
  readonly #id = `${process.pid}-${crypto().randomBytes(6).toString("hex")}`;
  /** For the report, in the folders of the run and of the runs around it. Empty if there is no report. */
  readonly #kept: readonly KeptRecords[];
  /** Where this mock listens. */
  mockUrl: string | undefined;

  constructor(run: Run, tests: TestsInWorlds) {
    this.#run = run;
    this.#tests = tests;
    this.#kept = run.reports ? run.seenIn.map((folder) => new KeptRecords(folder, this.#id)) : [];
  }

  /** A request is complete: records what decided its response. This process may be killed, so the request is recorded too. */
  completed(entry: Entry, world: ServedWorld): void {
    this.#write({ reached: "the service" });
    for (const { id, source } of entry.decisions.made) this.#write({ [linesOfSources[source]]: id });
    if (world.faults.wasArmed) this.#write({ armed: this.#nameOf(world) });
    for (const one of this.#injected) {
      const name = injectionText(one.injection);
      const isSilent = one.entry === entry && one.injection.failure === "silent";
      if (isSilent && entry.abandonedIn === undefined) this.#write({ waited: name });
      if (one.world !== world || entry.outcome !== "success") continue;
      if (!isOneOf(recoveredBy(one.injection), entry, one.entry)) continue;
      // If its test has failed or is unknown, the request may be one of a hook that cleans up.
      const test = this.#tests.get(world.name);
      const isGood = test !== undefined && test !== "ended" && !test.hasFailed();
      if (isGood) this.#write({ recovered: name });
    }
    if (this.#kept.length === 0) return;
    const test = showTest({ journal: world.journal, state: "current" });
    const recorded = { url: this.mockUrl, test, entry: showEntry(entry), bodies: entry.bodies };
    const line = `${JSON.stringify(recorded satisfies RecordedRequest)}\n`;
    for (const kept of this.#kept) kept.addRequest(line);
  }

  /** Records the report of this mock when it stops. @param pieces of its lines */
  recordReport(pieces: () => Iterable<string>): void {
    for (const kept of this.#kept) kept.addReport(pieces());
  }

  /** The failure to inject into a request, if any. Counts the request across all processes of the run. */
  inject(operation: Operation, entry: Entry, world: ServedWorld): TrackedFault | undefined {
    const { inject, learns, silenceMs } = this.#run;
    if (inject.length === 0 && !learns) return undefined;
    const place = this.#placeOf(world);
    const group = entry.group?.provided_id ?? "-";
    return inRunFolder(() => {
      if (learns) {
        const name = requestNameText({ world: place, operation, group });
        const occurrence = this.#count(name);
        // An injection may name the world, whatever the place: then it counts all requests of the world.
        if (place !== world.name) this.#count(requestNameText({ world: world.name, operation, group }));
        this.#write({ request: { at: dateNow(), name, occurrence, epoch: this.#nameOf(world) } });
      }
      // A world or a group that is not named can be any. Each injection counts the request, also if another one gets it.
      const [injection] = inject
        .filter((one) => one.operation === operation)
        .filter((one) => [undefined, world.name, place].includes(one.world))
        .filter((one) => [undefined, group].includes(one.group))
        .filter((one) => this.#count(`inject ${requestNameText(one)}`) === one.occurrence);
      if (injection === undefined) return undefined;
      const text = injectionText(injection);
      this.#injected.push({ injection, entry, world });
      this.#write({ injected: text });
      const rule = failureRule(injection.failure, silenceMs);
      return new TrackedFault(0, rule, `the injected failure ${text}`);
    });
  }

  /** What the requests to a world are named by: its test, else its label, else its name. */
  #placeOf({ name, journal: { label } }: ServedWorld): string {
    const test = this.#tests.get(name);
    if (test === "ended") return name;
    if (test !== undefined) return test.id;
    return label === undefined ? name : nameFor(label);
  }

  /** Writes a line, unless it is in the file already. */
  #write(line: SeenLine): void {
    const key = JSON.stringify(line);
    if (this.#written.has(key)) return;
    this.#written.add(key);
    appendSeen(this.#run, line);
  }

  /** Counts across processes: the occurrence of a request is the first that no process has taken. */
  #count(key: string): number {
    const name = crypto().createHash("sha256").update(key).digest("hex").slice(0, 24);
    for (let occurrence = (this.#counts.get(key) ?? 0) + 1; ; occurrence++) {
      try {
        writeFileSync(join(this.#run.countsIn, `${name}.${occurrence}`), "", { flag: "wx" });
        this.#counts.set(key, occurrence);
        return occurrence;
      } catch (error) {
        if (asError(error).code !== "EEXIST") throw error;
      }
    }
  }

  /** Names a world of this mock, from one reset to the next, in the files of the run. */
  #nameOf({ name, journal: { epoch } }: ServedWorld): string {
    return `${this.#id} ${name} ${epoch}`;
  }
}

/** The operations that get a program the response that a failure prevented. */
function recoveredBy({ operation, failure }: Injection): readonly Operation[] {
  const { phase } = failureRule(failure);
  return phase === "after" ? recoveredAfterEffect[operation] : [operation];
}

/** Whether a later request has one of these operations, and is about the same group. */
function isOneOf(operations: readonly Operation[], later: Entry, { id, group }: Entry): boolean {
  const isWanted = operations.some((operation) => operation === later.operation);
  return later.id > id && isWanted && later.group?.provided_id === group?.provided_id;
}
