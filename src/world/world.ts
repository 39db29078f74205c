import { readFixtures } from "../contract/fixtures.js";
import type { Schemas } from "../contract/schemas.js";
import type { CheckedSchema } from "../contract/shipped-schemas.js";
import type {
  AssumptionList,
  Fault,
  FaultList,
  Fixture,
  GroupList,
  JournalEntry,
  JournalFilter,
  JournalPage,
  RequestBody,
  Snapshot,
  WaitRequest,
} from "../contract/types.js";
import { MockError } from "../foundation/mock-error.js";
import { type AssumptionValues, showAssumptions, withAssumptions } from "../service/assumptions.js";
import { buildSeed, type Seed } from "../service/seed.js";
import type { UserGroups } from "../service/user-groups.js";
import { Epoch } from "./epoch.js";
import { Events } from "./events.js";
import type { ArmedFault } from "./faults.js";
import { type Har, harOf } from "./har.js";
import type { Entry } from "./journal.js";
import { showEntry } from "./show-entry.js";

/** What every world of a server begins with. */
export interface WorldParts {
  readonly seed: Seed;
  readonly assumptions: AssumptionValues;
  readonly schemas: Schemas;
  readonly journalSize: number;
  readonly version: string;
}

interface Captured {
  readonly groups: UserGroups;
  readonly faults: readonly ArmedFault[];
  readonly assumptions: AssumptionValues;
  /** How much it keeps: see `maxKept`. */
  readonly weight: number;
}

/** A loop that forgets its snapshots should learn of it. */
const maxSnapshots = 1_000;

/** What they all may keep, in groups and tokens beyond the seed of the server; so many characters weigh like one. */
const maxKept = 1_000_000;
const charactersOfOne = 100;

/** One isolated copy of everything, and what a test can do to it: the admin API and `World` both end here. */
export class World {
  readonly name: string;
  readonly events = new Events();
  readonly #parts: WorldParts;
  readonly #snapshots = new Map<number, Captured>();
  #lastSnapshot = 0;
  #epoch: Epoch;

  constructor(name: string, parts: WorldParts) {
    this.name = name;
    this.#parts = parts;
    this.#epoch = this.#begin();
  }

  /** What a call that begins now is made in. */
  get epoch(): Epoch {
    return this.#epoch;
  }

  reset(): void {
    this.#epoch.end("the world was reset");
    this.#epoch = this.#begin();
    this.events.tell({ type: "change", what: "reset" });
  }

  /** The world is dropped, or the server stops. */
  end(reason: string): void {
    this.#epoch.end(reason);
    this.events.end();
  }

  state(): Fixture {
    return this.#epoch.groups.export();
  }

  /** Replaces teams and groups, or throws and changes nothing. A later reset still goes back to the seed. */
  load(fixture: unknown): void {
    const { schemas, seed } = this.#parts;
    // The schema inside looks at what was given; nothing is believed before.
    const reading = readFixtures([fixture as Fixture], schemas);
    this.#epoch.groups.restart(buildSeed(reading, seed.randomSeed));
    this.events.tell({ type: "change", what: "loaded" });
  }

  groups(): GroupList {
    return { groups: this.#epoch.groups.list() };
  }

  requests(filter: unknown): JournalPage {
    const checked = this.#check<JournalFilter>(
      "requests.query.json",
      filter,
      "This is no filter of the journal:",
    );
    return this.#epoch.journal.page(checked, (entry) => this.show(entry));
  }

  request(id: number): JournalEntry {
    return this.show(this.#entry(id));
  }

  /** What the journal shows of a body is JSON that was read; this is what was sent. */
  requestBody(id: number): RequestBody {
    return { text: this.#entry(id).text ?? null };
  }

  clearRequests(): void {
    this.#epoch.journal.clear();
    this.events.tell({ type: "change", what: "cleared" });
  }

  /** @param gone told when the one who waits has gone away */
  async waitForRequests(request: unknown, gone?: AbortSignal): Promise<JournalEntry[]> {
    const checked = this.#check<WaitRequest>("wait.request.json", request, "This cannot be waited for:");
    return (await this.#epoch.waits.wait(checked, gone)).map((entry) => this.show(entry));
  }

  har(baseUrl: string): Har {
    const { requests } = this.requests({});
    return harOf(requests, baseUrl, this.#parts.version);
  }

  armFault(fault: unknown): Fault {
    return this.#epoch.faults.arm(fault, this.#parts.schemas);
  }

  faults(): FaultList {
    return { faults: this.#epoch.faults.list() };
  }

  removeFault(id: number): void {
    this.#epoch.faults.remove(id);
  }

  clearFaults(): void {
    this.#epoch.faults.clear();
  }

  releaseFault(id: number): Fault {
    return this.#epoch.faults.release(id);
  }

  assumptions(): AssumptionList {
    return showAssumptions(this.#epoch.assumptions);
  }

  /** Decides some questions otherwise, or throws and changes nothing. A reset goes back to the server's values. */
  assume(choice: unknown): AssumptionList {
    if (typeof choice !== "object" || choice === null || Array.isArray(choice)) {
      throw new MockError(
        "invalid_assumption",
        'Assumptions are a JSON object of ids and values: {"old-token": "accepted"}.',
      );
    }
    this.#epoch.assumptions = withAssumptions(this.#epoch.assumptions, { ...choice });
    this.events.tell({ type: "change", what: "assumed" });
    return this.assumptions();
  }

  /** Keeps groups, faults and assumptions as they are now. It stays over a reset. */
  snapshot(): Snapshot {
    if (this.#snapshots.size >= maxSnapshots) {
      throw new MockError(
        "too_many_snapshots",
        `This world keeps ${maxSnapshots} snapshots. Forget some of them.`,
      );
    }
    const { groups, faults, assumptions } = this.#epoch;
    const armed = faults.capture();
    const characters = armed.reduce((sum, { size }) => sum + size, 0);
    const weight = groups.changesOf(this.#parts.seed) + characters / charactersOfOne;
    let kept = weight;
    for (const snapshot of this.#snapshots.values()) kept += snapshot.weight;
    if (kept > maxKept) {
      const message = "The snapshots of this world would keep too much. Forget some, or take them of less.";
      throw new MockError("too_many_snapshots", message);
    }
    const id = ++this.#lastSnapshot;
    this.#snapshots.set(id, { groups: groups.copy(), faults: armed, assumptions, weight });
    return { id };
  }

  restore(id: number): void {
    const { groups, faults, assumptions } = this.#snapshot(id);
    this.#epoch.groups.become(groups);
    this.#epoch.faults.restore(faults);
    this.#epoch.assumptions = assumptions;
    this.events.tell({ type: "change", what: "restored" });
  }

  forget(id: number): void {
    this.#snapshot(id);
    this.#snapshots.delete(id);
  }

  show(entry: Entry): JournalEntry {
    const { groups } = this.#epoch;
    return showEntry(entry, (apiToken) => groups.teamOf(apiToken) !== undefined);
  }

  #begin(): Epoch {
    return new Epoch({ ...this.#parts, world: this.name, events: this.events });
  }

  #entry(id: number): Entry {
    const entry = this.#epoch.journal.get(id);
    if (entry === undefined) {
      throw new MockError("unknown_request", `The journal of this world has no entry ${id}, or no longer.`);
    }
    return entry;
  }

  #snapshot(id: number): Captured {
    const captured = this.#snapshots.get(id);
    if (captured === undefined)
      throw new MockError("unknown_snapshot", `This world keeps no snapshot ${id}.`);
    return captured;
  }

  #check<T>(schema: CheckedSchema, given: unknown, refusal: string): T {
    const problems = this.#parts.schemas.shipped(schema, given);
    if (problems.length > 0) {
      const details = problems.map(({ path, message }) => ({ path, message }));
      throw new MockError("invalid_request", refusal, details);
    }
    // The schema has just said that it is one.
    return given as T;
  }
}
