import { checkFixture } from "../contract/fixtures.js";
import type { Schemas } from "../contract/schemas.js";
import { MockError, type MockErrorCode } from "../foundation/mock-error.js";
import type {
  AssumptionRequest,
  GroupDetail,
  JournalEntry,
  NewGroup,
  ResetRequest,
  Snapshot,
} from "../generated/types.js";
import { withAssumptions } from "../service/assumptions.js";
import type { Failure } from "../service/failures.js";
import { buildSeed, mappingProblems, sizeOfGroup, sizeOfGroups } from "./build-seed.js";
import { Epoch, type EpochParts } from "./epoch.js";
import { Events } from "./events.js";
import type { History, LeftOfWorld, PastEpoch, RecordedEpoch } from "./journal/history.js";
import type { Entry } from "./journal/journal.js";
import { leftOf } from "./journal/report.js";
import { showEntry } from "./journal/show-entry.js";
import { Snapshots } from "./snapshots.js";

/** What every world of a server starts with. */
export interface WorldParts extends Omit<EpochParts, "world" | "number" | "label" | "events"> {
  readonly schemas: Schemas;
  readonly version: string;
  /** Throws when all worlds together keep too much. */
  readonly assertRoom: () => void;
  readonly history: History;
}

/** A world as the server holds it: one isolated copy of everything, and what a test can change in it. */
export class HostedWorld {
  readonly name: string;
  readonly events = new Events();
  readonly snapshots: Snapshots;
  /** Whether the server knows it: nobody has called a world that was only looked at, or that was dropped. */
  readonly isAlive: boolean;
  readonly #parts: WorldParts;
  #epoch: Epoch;

  constructor(name: string, parts: WorldParts, isAlive = true) {
    this.name = name;
    this.#parts = parts;
    this.isAlive = isAlive;
    this.snapshots = new Snapshots(parts.bounds);
    this.#epoch = this.#begin();
  }

  /** About what it takes beyond the seed. */
  get bytes(): number {
    const { groups, faults, journal } = this.#epoch;
    return groups.bytes + faults.characters + journal.bytes + this.snapshots.bytes;
  }

  /** The epoch of calls that begin now. */
  get epoch(): Epoch {
    return this.#epoch;
  }

  /** Begins a new epoch from the seed. The journal of the old one stays in the history. */
  reset({ label }: ResetRequest = {}): void {
    this.#close("the world was reset");
    this.#epoch = this.#begin(label);
    this.events.emit({ type: "change", what: "reset" });
  }

  /** The world is dropped, or the server stops. */
  end(reason: string): void {
    this.snapshots.clear();
    this.#close(reason, leftOf(this.#epoch, this.#parts.assumptions));
    this.#parts.history.dropped(this.name);
    this.events.end();
  }

  /** Calls that are under way end in the history. */
  #close(reason: string, left?: LeftOfWorld): void {
    this.#epoch.end(reason);
    this.#parts.history.add(this.name, this.#epoch, left);
  }

  #begin(label?: string): Epoch {
    const number = this.#parts.history.nextNumber(this.name);
    return new Epoch({ ...this.#parts, world: this.name, events: this.events, number, label });
  }

  /** The earlier epochs, newest first. The last one of a server that was stopped is not earlier. */
  get past(): readonly PastEpoch[] {
    return this.#parts.history.of(this.name).filter(({ number }) => number !== this.#epoch.number);
  }

  pastEpoch(number: number): PastEpoch {
    const past = this.past.find((epoch) => epoch.number === number);
    if (past !== undefined) return past;
    const why =
      number === this.#epoch.number ? "goes on; its journal is /__admin/requests" : "is not in the history";
    throw new MockError("unknown_epoch", `Epoch ${number} ${why}.`);
  }

  /** @param epoch the number of an earlier epoch, or of this one */
  entry(id: number, epoch = this.#epoch.number): Entry {
    const { journal }: RecordedEpoch = epoch === this.#epoch.number ? this.#epoch : this.pastEpoch(epoch);
    const entry = journal.get(id);
    if (entry !== undefined) return entry;
    throw new MockError("unknown_request", `The journal of this world has no entry ${id}, or no longer.`);
  }

  show(entry: Entry): JournalEntry {
    return showEntry(entry, this.#epoch.isListed);
  }

  clearRequests(): void {
    this.#epoch.journal.clear();
    this.events.emit({ type: "change", what: "cleared" });
  }

  /** Replaces teams and groups, or throws and changes nothing. A later reset still goes back to the seed. */
  load(fixture: unknown): void {
    const { schemas, seed, assertRoom } = this.#parts;
    assertRoom();
    const reading = checkFixture(fixture, schemas);
    const loaded = buildSeed(reading, seed.randomSeed, this.#epoch.assumptions);
    const { groups } = this.#epoch;
    const bytes = sizeOfGroups(reading);
    this.#assertRoomFor(bytes - groups.bytes);
    groups.replaceSeed(loaded, bytes);
    this.events.emit({ type: "change", what: "loaded" });
  }

  /** Adds one group, or throws and changes nothing. */
  addGroup(given: NewGroup): GroupDetail {
    const { groups, assumptions } = this.#epoch;
    const { team_id = groups.firstTeam, provided_id, token, mapping } = given;
    const refuse = (code: MockErrorCode, path: string, message: string) => {
      throw new MockError(code, "This group cannot be added:", [{ path, message }]);
    };
    for (const { path, message } of mappingProblems(mapping, assumptions))
      refuse("invalid_group", path, message);
    if (!groups.seed.teams.some((team) => team.team_id === team_id))
      refuse("invalid_group", "/team_id", `there is no team ${team_id} in this world`);
    if (groups.get(team_id, provided_id) !== undefined)
      refuse("group_exists", "/provided_id", `team ${team_id} has this group already`);
    if (token !== undefined && groups.withToken(token) !== undefined)
      refuse("group_exists", "/token", "is the token of another group, or was");
    const bytes = sizeOfGroup(given);
    this.#assertRoomFor(bytes);
    groups.bytes += bytes;
    const added = groups.add({ ...given, team_id });
    this.events.emit({ type: "change", what: "added" });
    return { ...added, seeded: false };
  }

  #assertRoomFor(bytes: number): void {
    const failure: Failure | undefined = this.#epoch.refusal(bytes);
    if (failure !== undefined) throw new MockError("too_many_bytes", failure.message);
  }

  /** Changes some assumptions, or throws and changes nothing. A reset goes back to the server's values. */
  assume(choice: AssumptionRequest): void {
    this.#epoch.assumptions = withAssumptions(this.#epoch.assumptions, choice);
    this.#epoch.pinned = new Set([...this.#epoch.pinned, ...Object.keys(choice)]);
    this.events.emit({ type: "change", what: "assumed" });
  }

  /** Keeps groups, faults and assumptions as they are now. */
  takeSnapshot(): Snapshot {
    this.#parts.assertRoom();
    return this.snapshots.take(this.#epoch);
  }

  restore(id: number): void {
    this.snapshots.restore(id, this.#epoch);
    this.events.emit({ type: "change", what: "restored" });
  }
}
