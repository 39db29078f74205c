import { checkFixture } from "../contract/fixtures.js";
import { type Schemas, validOr } from "../contract/schemas.js";
import { MockError } from "../foundation/mock-error.js";
import type {
  AssumptionList,
  Fault,
  FaultList,
  Fixture,
  GroupDetail,
  GroupList,
  Har,
  HistoryList,
  JournalEntry,
  JournalFilter,
  JournalPage,
  RequestBody,
  Snapshot,
} from "../generated/types.js";
import { type AssumptionValues, showAssumptions, withAssumptions } from "../service/assumptions.js";
import type { Failure } from "../service/failures.js";
import type { GroupStore } from "../store/group-store.js";
import type { Seed } from "../store/seed.js";
import { checkNewGroup } from "./add-group.js";
import { type Bounds, megabytes } from "./bounds.js";
import { buildSeed, sizeOfGroup, sizeOfGroups } from "./build-seed.js";
import { Epoch } from "./epoch.js";
import { Events } from "./events.js";
import type { CapturedFaults } from "./faults/faults.js";
import { harOf } from "./journal/har.js";
import { type History, type PastEpoch, showPast } from "./journal/history.js";
import type { Entry } from "./journal/journal.js";
import { showEntry } from "./journal/show-entry.js";

/** What every world of a server starts with. */
export interface WorldParts {
  readonly seed: Seed;
  readonly assumptions: AssumptionValues;
  /** Assumptions that the test which started the server has set itself. */
  readonly pinned: ReadonlySet<string>;
  readonly schemas: Schemas;
  readonly journalSize: number;
  readonly version: string;
  readonly bounds: Bounds;
  /** Throws when all worlds together keep too much. */
  readonly assertRoom: () => void;
  readonly history: History;
}

interface Captured {
  readonly groups: GroupStore;
  readonly faults: CapturedFaults;
  readonly assumptions: AssumptionValues;
  readonly pinned: ReadonlySet<string>;
  readonly groupBytes: number;
  /** About what all of it takes, in bytes. */
  readonly bytes: number;
}

const example = '{"old-token": "accepted"}';

/** Longer than the name of any test. */
const maxLabelLength = 1_000;

/** About what an empty snapshot takes. */
const emptySnapshotBytes = 1_000;

/** A world as the server holds it: one isolated copy of everything, and what a test can do to it. */
export class HostedWorld {
  readonly name: string;
  readonly events = new Events();
  readonly #parts: WorldParts;
  readonly #snapshots = new Map<number, Captured>();
  #lastSnapshot = 0;
  readonly #isAlive: boolean;
  #epoch: Epoch;

  constructor(name: string, parts: WorldParts, isAlive = true) {
    this.name = name;
    this.#parts = parts;
    this.#isAlive = isAlive;
    this.#epoch = this.#begin();
  }

  /** Whether the server knows it: nobody has called a world that was only looked at, or that was dropped. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** About what it takes beyond the seed. */
  get bytes(): number {
    const { groupBytes, faults, journal } = this.#epoch;
    return groupBytes + faults.characters + journal.bytes + this.#snapshotBytes;
  }

  get #snapshotBytes(): number {
    let sum = 0;
    for (const { bytes } of this.#snapshots.values()) sum += bytes;
    return sum;
  }

  /** The epoch of calls that begin now. */
  get epoch(): Epoch {
    return this.#epoch;
  }

  /** Begins a new epoch from the seed. The journal of the old one stays in the history. */
  reset(request: unknown): void {
    const parsed = this.#parts.schemas.parse("reset.request.json", request);
    const { label } = validOr(parsed, "invalid_request", "This reset cannot be done:");
    if (label !== undefined && label.length > maxLabelLength) {
      const problem = { path: "/label", message: `must be at most ${maxLabelLength} characters` };
      throw new MockError("invalid_request", "This reset cannot be done:", [problem]);
    }
    this.#close("the world was reset");
    this.#epoch = this.#begin(label);
    this.events.emit({ type: "change", what: "reset" });
  }

  /** The world is dropped, or the server stops. */
  end(reason: string): void {
    this.#snapshots.clear();
    this.#close(reason);
    this.#parts.history.dropped(this.name);
    this.events.end();
  }

  /** Calls that are under way end in the history. */
  #close(reason: string): void {
    this.#epoch.end(reason);
    this.#parts.history.add(this.name, this.#epoch);
  }

  /** The earlier epochs, newest first. */
  get past(): readonly PastEpoch[] {
    return this.#parts.history.of(this.name);
  }

  history(): HistoryList {
    return { history: this.past.map(showPast) };
  }

  /** The journal of an earlier epoch. */
  pastRequests(epoch: number, filter: unknown): JournalPage {
    const { journal, isListed } = this.#past(epoch);
    return journal.page(this.#filter(filter), epoch, (entry) => showEntry(entry, isListed));
  }

  #past(number: number): PastEpoch {
    const past = this.past.find((epoch) => epoch.number === number);
    if (past !== undefined) return past;
    const why =
      number === this.#epoch.number ? "goes on; its journal is /__admin/requests" : "is not in the history";
    throw new MockError("unknown_epoch", `Epoch ${number} ${why}.`);
  }

  state(): Fixture {
    return this.#epoch.groups.export();
  }

  /** Replaces teams and groups, or throws and changes nothing. A later reset still goes back to the seed. */
  load(fixture: unknown): void {
    const { schemas, seed, assertRoom } = this.#parts;
    const epoch = this.#epoch;
    assertRoom();
    const reading = checkFixture(fixture, schemas);
    const loaded = buildSeed(reading, seed.randomSeed);
    const bytes = sizeOfGroups(reading);
    refuse(epoch.refusal(bytes - epoch.groupBytes));
    epoch.groupBytes = bytes;
    epoch.groups.replaceSeed(loaded);
    this.events.emit({ type: "change", what: "loaded" });
  }

  groups(): GroupList {
    return { groups: this.#epoch.groups.list() };
  }

  /** Adds one group, or throws and changes nothing. */
  addGroup(request: unknown): GroupDetail {
    const { groups } = this.#epoch;
    const group = checkNewGroup(request, groups, this.#parts.schemas);
    const bytes = sizeOfGroup(group);
    refuse(this.#epoch.refusal(bytes));
    this.#epoch.groupBytes += bytes;
    const added = groups.add(group);
    this.events.emit({ type: "change", what: "added" });
    return { ...added, seeded: false };
  }

  requests(filter: unknown): JournalPage {
    const { journal, number } = this.#epoch;
    return journal.page(this.#filter(filter), number, (entry) => this.show(entry));
  }

  #filter(filter: unknown): JournalFilter {
    const parsed = this.#parts.schemas.parse("requests.query.json", filter);
    return validOr(parsed, "invalid_request", "This is no filter of the journal:");
  }

  request(id: number): JournalEntry {
    return this.show(this.#entry(id));
  }

  /** Both bodies as text, where an entry has them as parsed JSON. */
  requestBody(id: number, query: unknown): RequestBody {
    const parsed = this.#parts.schemas.parse("request-body.query.json", query);
    const { epoch } = validOr(parsed, "invalid_request", "There is no such body:");
    const isPast = epoch !== undefined && epoch !== this.#epoch.number;
    return this.#entry(id, isPast ? this.#past(epoch).journal : this.#epoch.journal).bodies;
  }

  clearRequests(): void {
    this.#epoch.journal.clear();
    this.events.emit({ type: "change", what: "cleared" });
  }

  /** @param gone aborted when the caller has gone away */
  async waitForRequests(request: unknown, gone?: AbortSignal): Promise<JournalEntry[]> {
    const parsed = this.#parts.schemas.parse("wait.request.json", request);
    const checked = validOr(parsed, "invalid_request", "This cannot be waited for:");
    return (await this.#epoch.waits.wait(checked, gone)).map((entry) => this.show(entry));
  }

  har(baseUrl: string): Har {
    const calls = [...this.#epoch.journal].map((entry) => ({ entry, shown: this.show(entry) }));
    return harOf(calls, baseUrl, this.#parts.version);
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

  /** Changes some assumptions, or throws and changes nothing. A reset goes back to the server's values. */
  assume(choice: unknown): AssumptionList {
    const parsed = this.#parts.schemas.parse("assumptions.request.json", choice);
    const checked = validOr(
      parsed,
      "invalid_assumption",
      `Assumptions are ids and values, as in ${example}:`,
    );
    this.#epoch.assumptions = withAssumptions(this.#epoch.assumptions, checked);
    this.#epoch.pinned = new Set([...this.#epoch.pinned, ...Object.keys(checked)]);
    this.events.emit({ type: "change", what: "assumed" });
    return this.assumptions();
  }

  /** Keeps groups, faults and assumptions as they are now. A reset does not remove it. */
  snapshot(): Snapshot {
    const { bounds, assertRoom } = this.#parts;
    const { groups, faults, assumptions, pinned, groupBytes } = this.#epoch;
    const bytes = emptySnapshotBytes + groupBytes + faults.characters;
    const exceeded =
      (this.#snapshots.size >= bounds.snapshots && `${bounds.snapshots}`) ||
      (this.#snapshotBytes + bytes > bounds.snapshotBytes && `${megabytes(bounds.snapshotBytes)} of`);
    if (exceeded) {
      const message = `A world may keep ${exceeded} snapshots. Forget some of them.`;
      throw new MockError("too_many_snapshots", message);
    }
    assertRoom();
    const id = ++this.#lastSnapshot;
    const captured = { groups: groups.copy(), faults: faults.capture(), assumptions, pinned };
    this.#snapshots.set(id, { ...captured, groupBytes, bytes });
    return { id };
  }

  restore(id: number): void {
    const { groups, faults, assumptions, pinned, groupBytes } = this.#snapshot(id);
    this.#epoch.groupBytes = groupBytes;
    this.#epoch.groups.copyFrom(groups);
    this.#epoch.faults.restore(faults);
    this.#epoch.assumptions = assumptions;
    this.#epoch.pinned = pinned;
    this.events.emit({ type: "change", what: "restored" });
  }

  forget(id: number): void {
    this.#snapshot(id);
    this.#snapshots.delete(id);
  }

  show(entry: Entry): JournalEntry {
    const { groups } = this.#epoch;
    return showEntry(entry, (apiToken) => groups.teamOf(apiToken) !== undefined);
  }

  #begin(label?: string): Epoch {
    const number = this.#parts.history.nextNumber(this.name);
    return new Epoch({ ...this.#parts, world: this.name, events: this.events, number, label });
  }

  #entry(id: number, journal = this.#epoch.journal): Entry {
    const entry = journal.get(id);
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
}

function refuse(failure: Failure | undefined): void {
  if (failure !== undefined) throw new MockError("too_many_bytes", failure.message);
}
