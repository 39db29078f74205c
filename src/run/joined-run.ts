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
import type { SeenLine } from "./begin-run.js";
import {
  type Injection,
  injectedFailures,
  injectionText,
  type RequestName,
  requestNameText,
} from "./injection.js";
import { testAt } from "./report-test.js";
import { appendSeen, appendText, inRunFolder, type RecordedRequest, type Run } from "./run-folder.js";

/** A request into which a failure was injected. */
interface Injected {
  readonly injection: Injection;
  readonly entry: Entry;
  readonly epoch: Epoch;
}

/** About how much a file of recorded requests has, in characters. */
const fileSize = 4_000_000;

/** A run, as a mock that belongs to it sees it: it obeys the instructions, and records what it saw. */
export class JoinedRun {
  readonly #run: Run;
  /** Lines that are in the file already. */
  readonly #written = new Set<string>();
  readonly #counts = new Map<string, number>();
  readonly #injected: Injected[] = [];
  /** How much of its requests this mock has recorded, in characters. */
  #recorded = 0;
  /** Of this mock among those of the run. */
  readonly #id = `${process.pid}-${randomBytes(6).toString("hex")}`;
  /** Where this mock listens. */
  mockUrl: string | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  /** A request is complete: records what decided its response. This process may be killed, so the request is recorded too. */
  completed(entry: Entry, epoch: Epoch): void {
    this.#write({ reached: "the service" });
    for (const { id, source } of entry.decisions.made)
      this.#write({ [source === "profile" ? "known" : source === "pinned" ? "pinned" : "decided"]: id });
    if (epoch.faults.wasArmed) this.#write({ armed: this.#nameOf(epoch) });
    for (const one of this.#injected) {
      if (one.epoch !== epoch || !getsThrough(entry, one)) continue;
      // If its test has failed or is unknown, the request may be one of a hook that cleans up.
      const { hasFailed = true } = testAt(this.#run, this.mockUrl, epoch.world);
      if (!hasFailed) this.#write({ recovered: injectionText(one.injection) });
    }
    const { reportsTo } = this.#run;
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
    const { reportsTo } = this.#run;
    if (reportsTo.length === 0) return;
    for (const piece of pieces()) appendText(reportsTo, `report-${this.#id}.jsonl`, piece);
  }

  /** The failure to inject into a request, if any. Counts the request across all processes of the run. */
  inject(operation: Operation, entry: Entry, epoch: Epoch): TrackedFault | undefined {
    const { inject, learns } = this.#run;
    if (inject.length === 0 && !learns) return undefined;
    const inWorld = { world: epoch.world, operation, group: entry.group?.provided_id ?? "-" };
    const name = { ...inWorld, world: testAt(this.#run, this.mockUrl, epoch.world).id ?? epoch.world };
    return inRunFolder(() => {
      if (learns) {
        const text = requestNameText(name);
        const occurrence = this.#count(text);
        this.#write({ request: { at: dateNow(), name: text, occurrence, epoch: this.#nameOf(epoch) } });
      }
      const injection = inject
        .filter((one) => matches(one, inWorld) || matches(one, name))
        .find((one) => this.#count(`inject ${requestNameText(one)}`) === one.occurrence);
      if (injection === undefined) return undefined;
      const text = injectionText(injection);
      this.#injected.push({ injection, entry, epoch });
      this.#write({ injected: text });
      return new TrackedFault(0, injectedFailures[injection.failure], `the injected failure ${text}`);
    });
  }

  #write(line: SeenLine): void {
    const key = JSON.stringify(line);
    if (this.#written.has(key)) return;
    this.#written.add(key);
    appendSeen(this.#run, line);
  }

  /** Counts across processes: the occurrence of a request is the first that no process has taken. */
  #count(key: string): number {
    const name = createHash("sha256").update(key).digest("hex").slice(0, 24);
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

  /** Names an epoch of this mock in the files of the run. */
  #nameOf({ world, number }: Epoch): string {
    return `${this.#id} ${world} ${number}`;
  }
}

function matches(wanted: RequestName, { world, operation, group }: RequestName): boolean {
  return (
    wanted.operation === operation && (wanted.world ?? world) === world && (wanted.group ?? group) === group
  );
}

/**
 * Whether a later request about the same group got the response that a failure prevented: one of the same operation. After
 * a rotation whose response did not arrive, get-or-create returns the new token, so it counts too.
 */
function getsThrough(later: Entry, { injection, entry }: Injected): boolean {
  const hasEffect = "phase" in injectedFailures[injection.failure];
  const isSame = later.operation === entry.operation || (hasEffect && later.operation === "get-or-create");
  const isOfGroup = later.group?.provided_id === entry.group?.provided_id;
  return later.outcome === "success" && later.id > entry.id && isSame && isOfGroup;
}
