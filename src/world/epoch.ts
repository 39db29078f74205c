import { randomBytes } from "node:crypto";
import { dateNow } from "../foundation/clock.js";
import { MockError } from "../foundation/mock-error.js";
import type { Effect } from "../generated/types.js";
import type { AssumptionValues } from "../service/assumptions.js";
import type { Failure } from "../service/failures.js";
import { GroupStore } from "../store/group-store.js";
import type { Seed } from "../store/seed.js";
import { type Bounds, megabytes } from "./bounds.js";
import type { Events } from "./events.js";
import { Faults } from "./faults/faults.js";
import { noteDisconnect } from "./faults/request-notes.js";
import { type Entry, Journal } from "./journal/journal.js";
import type { Delivered, PlannedResponse } from "./planned-response.js";
import { Waits } from "./waits.js";

export interface EpochParts {
  readonly world: string;
  readonly number: number;
  readonly label: string | undefined;
  readonly seed: Seed;
  readonly assumptions: AssumptionValues;
  /** Assumptions that the test which started the server has set itself. */
  readonly pinned: ReadonlySet<string>;
  readonly journalSize: number;
  readonly events: Events;
  readonly bounds: Bounds;
}

/** About what a group and a rotated token take, in bytes. */
const [groupBytes, tokenBytes] = [600, 300];

/**
 * A world from one reset to the next. A call belongs to the epoch in which it began: if the world is reset meanwhile,
 * the call ends in the old epoch, and only the history shows it.
 */
export class Epoch {
  readonly number: number;
  readonly label: string | undefined;
  readonly startedAt = dateNow();
  readonly groups: GroupStore;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly waits: Waits;
  assumptions: AssumptionValues;
  /** Assumptions that a test has set itself. */
  pinned: ReadonlySet<string>;
  /** Unique: event ids of one epoch mean nothing in another. */
  readonly id = randomBytes(4).toString("hex");
  /** Why it ended; undefined while it goes on. */
  endedBy: string | undefined;
  readonly #bounds: Bounds;
  /** Whether the state lists an API token: others are masked. */
  readonly isListed = (apiToken: string): boolean => this.groups.teamOf(apiToken) !== undefined;

  constructor({ world, number, label, seed, assumptions, pinned, journalSize, events, bounds }: EpochParts) {
    this.number = number;
    this.label = label;
    this.#bounds = bounds;
    this.groups = new GroupStore(world, seed);
    this.faults = new Faults(seed.randomSeed, bounds, (fault) => events.emit({ type: "fault", fault }));
    const closed = (entry: Entry) => {
      this.waits.look(entry);
      events.emit({ type: "request", entry });
    };
    this.journal = new Journal(journalSize, closed, bounds.journalCharacters);
    this.waits = new Waits(this.journal, bounds);
    this.assumptions = assumptions;
    this.pinned = pinned;
  }

  /** Why the groups may not grow by so many bytes, if so. */
  refusal(bytes = 0): Failure | undefined {
    const { groupBytes } = this.#bounds;
    if (this.groups.bytes + bytes <= groupBytes) return undefined;
    const message = `The groups of one world may take ${megabytes(groupBytes)}. Reset the world, or load less.`;
    return { code: "payload_too_large", message };
  }

  /** Counts what a request has added to the groups. */
  countEffect(effect: Effect, bodySize: number): void {
    if (effect === "created" || effect === "updated") this.groups.bytes += groupBytes + bodySize;
    if (effect === "rotated") this.groups.bytes += tokenBytes;
  }

  /** Throws when the world was reset or dropped, or the server stopped, while a call was on its way. */
  assertOpen(): void {
    if (this.endedBy === undefined) return;
    const message = `Nothing was done: ${this.endedBy} while this call was on its way. Call again.`;
    throw new MockError("aborted", message);
  }

  /**
   * Completes the journal entry of a call, with what its caller could get.
   * @param isCut the connection was ended by a stop of the server, not by the caller
   */
  complete(entry: Entry, answer: PlannedResponse | undefined, delivered: Delivered, isCut: boolean): void {
    if (delivered.delivery !== "caller-left") {
      this.journal.close(entry, answer, delivered);
    } else if (isCut) {
      entry.note("the mock was stopped before the whole answer was sent");
      const delivery = delivered.headers === undefined ? "none" : "cut";
      this.journal.close(entry, answer, { ...delivered, delivery });
    } else {
      noteDisconnect(entry, delivered);
      this.journal.close(entry, answer, delivered);
    }
  }

  /** Aborts held calls and waits. */
  end(reason: string): void {
    this.endedBy = reason;
    this.journal.release();
    this.faults.abort(reason);
    this.waits.abort(reason);
  }
}
