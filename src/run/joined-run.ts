import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { dateNow } from "../foundation/clock.js";
import { asError } from "../foundation/coded-error.js";
import type { Operation } from "../generated/types.js";
import type { Epoch } from "../world/epoch.js";
import { TrackedFault } from "../world/faults/faults.js";
import type { Entry } from "../world/journal/journal.js";
import { showEntry, showTest } from "../world/journal/show-journal.js";
import {
  type Injection,
  injectedFailures,
  injectionText,
  type RequestName,
  requestNameText,
} from "./injection.js";
import { testAt } from "./report-test.js";
import {
  appendText,
  appendToRuns,
  inRunFolder,
  openRun,
  type RecordedRequest,
  type Run,
  type SeenLine,
} from "./run-folder.js";

/** A request into which a failure was injected. */
interface Injected {
  readonly injection: Injection;
  readonly name: RequestName;
  readonly epoch: string;
}

/** About how much a file of recorded requests has, in characters. */
const fileSize = 4_000_000;

/** A run, as a mock that belongs to it sees it: it obeys the instructions, and records what it saw. */
export class JoinedRun {
  readonly instructions: Run["instructions"];
  readonly #run: Run;
  /** Lines that are in the file already. */
  readonly #written = new Set<string>();
  readonly #counts = new Map<string, number>();
  readonly #injected: Injected[] = [];
  /** The failures from which the program has recovered if a request succeeds, by its epoch and id. */
  readonly #recoversFrom = new Map<string, readonly Injected[]>();
  /** How much of its requests this mock has recorded, in characters. */
  #recorded = 0;
  /** Of this mock among those of the run. */
  readonly #id = `${process.pid}-${randomBytes(6).toString("hex")}`;
  /** Where this mock listens. */
  mockUrl: string | undefined;

  constructor(run: Run) {
    this.#run = run;
    this.instructions = run.instructions;
  }

  /** A request is complete: records what decided its response. This process may be killed, so the request is recorded too. */
  completed(entry: Entry, epoch: Epoch): void {
    const { id, outcome, decisions } = entry;
    this.#writeOnce({});
    for (const { id, source } of decisions.made)
      this.#writeOnce({ [source === "profile" ? "known" : source === "pinned" ? "pinned" : "decided"]: id });
    if (epoch.faults.wasArmed) this.#writeOnce({ armed: this.#nameOf(epoch) });
    const earlier = this.#recoversFrom.get(`${this.#nameOf(epoch)} ${id}`) ?? [];
    if (outcome === "success")
      for (const { injection } of earlier) this.#writeOnce({ recovered: injectionText(injection) });
    const { reportsTo } = this.instructions;
    if (reportsTo.length === 0) return;
    const test = showTest({ epoch, state: "current" });
    const recorded = { url: this.mockUrl, test, entry: showEntry(entry), bodies: entry.bodies };
    const line = `${JSON.stringify(recorded satisfies RecordedRequest)}\n`;
    const n = String(Math.floor(this.#recorded / fileSize)).padStart(6, "0");
    appendText(reportsTo, `requests-${this.#id}.${n}.jsonl`, line);
    this.#recorded += line.length;
  }

  /** Records the report of this mock when it stops. @param pieces of its lines */
  recordReport(pieces: () => Iterable<string>): void {
    const { reportsTo } = this.instructions;
    if (reportsTo.length === 0) return;
    for (const piece of pieces()) appendText(reportsTo, `report-${this.#id}.jsonl`, piece);
  }

  /** The failure to inject into a request, if any. Counts the request across all processes of the run. */
  inject(
    operation: Operation,
    { id, group }: Pick<Entry, "id" | "group">,
    epoch: Pick<Epoch, "world" | "number">,
  ): TrackedFault | undefined {
    const { inject, learns } = this.instructions;
    if (inject.length === 0 && !learns) return undefined;
    const inWorld = { world: epoch.world, operation, group: group?.provided_id ?? "-" };
    const inEpoch = this.#nameOf(epoch);
    const test = testAt(this.#run, this.mockUrl, epoch.world);
    const name = { ...inWorld, world: test.id ?? epoch.world };
    // If its test has failed or is unknown, the request may be one of a hook that cleans up.
    const isLate = test.hasFailed ?? true;
    const earlier = isLate ? [] : this.#injected.filter((one) => one.epoch === inEpoch && isRetry(name, one));
    if (earlier.length > 0) this.#recoversFrom.set(`${inEpoch} ${id}`, earlier);
    return inRunFolder(() => {
      if (learns) {
        const text = requestNameText(name);
        const request = { at: dateNow(), name: text, occurrence: this.#count(text), epoch: inEpoch };
        this.#append({ request });
      }
      const injection = inject
        .filter(({ request }) => matches(request, inWorld) || matches(request, name))
        .find((one) => this.#count(`inject ${requestNameText(one.request)}`) === one.occurrence);
      if (injection === undefined) return undefined;
      const text = injectionText(injection);
      this.#injected.push({ injection, name, epoch: inEpoch });
      this.#append({ injected: text });
      return new TrackedFault(0, injectedFailures[injection.failure], `the injected failure ${text}`);
    });
  }

  #writeOnce(line: SeenLine): void {
    const key = JSON.stringify(line);
    if (this.#written.has(key)) return;
    this.#written.add(key);
    this.#append(line);
  }

  #append(line: SeenLine): void {
    appendToRuns(this.#run, `seen-${this.#id}.jsonl`, line);
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

  /** Names an epoch of this mock in the files of the run. */
  #nameOf({ world, number }: Pick<Epoch, "world" | "number">): string {
    return `${this.#id} ${world} ${number}`;
  }
}

/** The run that a mock of this process belongs to, if any. */
export function joinRun(env: NodeJS.ProcessEnv): JoinedRun | undefined {
  const run = openRun(env);
  return run && new JoinedRun(run);
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
  const hasEffect = "phase" in rule;
  const isSame = operation === name.operation || (hasEffect && operation === "get-or-create");
  return isSame && world === name.world && group === name.group;
}
