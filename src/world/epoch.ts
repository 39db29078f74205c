import { randomBytes } from "node:crypto";
import { dateNow } from "../foundation/clock.js";
import { MockError } from "../foundation/mock-error.js";
import type { AssumptionValues } from "../service/assumptions.js";
import { GroupStore } from "../store/group-store.js";
import type { Seed } from "../store/seed.js";
import type { Answer, Delivered } from "./answer.js";
import { type Budget, noRoom } from "./budget.js";
import type { Events } from "./events.js";
import { noteCallerLeft } from "./faults/call-notes.js";
import { Faults } from "./faults/faults.js";
import { type Entry, Journal } from "./journal/journal.js";
import { Waits } from "./waits.js";

export interface EpochParts {
  readonly world: string;
  /** Its number. */
  readonly n: number;
  readonly label: string | undefined;
  readonly seed: Seed;
  readonly assumptions: AssumptionValues;
  readonly pinned: ReadonlySet<string>;
  readonly journalSize: number;
  readonly events: Events;
  readonly budget: Budget;
}

/**
 * A world from one reset to the next. A call belongs to the epoch in which it began: if the world is reset meanwhile,
 * the call ends in the old epoch, and only the history shows it.
 */
export class Epoch {
  readonly n: number;
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
  readonly #budget: Budget;
  #kept = 0;

  constructor({ world, n, label, seed, assumptions, pinned, journalSize, events, budget }: EpochParts) {
    this.n = n;
    this.label = label;
    this.#budget = budget;
    this.groups = new GroupStore(world, seed);
    this.faults = new Faults(seed.randomSeed, budget, (fault) => events.emit({ type: "fault", fault }));
    this.journal = new Journal(journalSize, budget, (entry) => {
      this.waits.look(entry);
      events.emit({ type: "request", entry });
    });
    this.waits = new Waits(this.journal, budget);
    this.assumptions = assumptions;
    this.pinned = pinned;
  }

  /** How many bytes it keeps beyond the seed, about. */
  get kept(): number {
    return this.#kept;
  }

  /** Whether there is room for so many more bytes; if so, it is taken. What an ended epoch keeps is gone soon. */
  keep(bytes: number): boolean {
    if (this.endedBy !== undefined) return true;
    if (!this.#budget.take(bytes)) return false;
    this.#kept += bytes;
    return true;
  }

  /** The same for something that replaces all that is kept. Throws when there is no room. */
  keepInstead(bytes: number): void {
    const before = this.#kept;
    if (!this.keep(bytes)) throw new MockError("too_many_bytes", noRoom);
    this.#budget.give(before);
    this.#kept = bytes;
  }

  /** Throws when the world was reset or dropped, or the server stopped, while a call was on its way. */
  assertOpen(): void {
    if (this.endedBy === undefined) return;
    const message = `Nothing was done: ${this.endedBy} while this call was on its way. Call again.`;
    throw new MockError("let_go", message);
  }

  /**
   * Completes the journal entry of a call, with what its caller could get.
   * @param isCut the connection was ended by a stop of the server, not by the caller
   */
  complete(entry: Entry, answer: Answer | undefined, delivered: Delivered, isCut: boolean): void {
    if (delivered.delivery !== "caller-left") {
      this.journal.close(entry, answer, delivered);
    } else if (isCut) {
      entry.note("the mock was stopped before the whole answer was sent");
      const delivery = delivered.headers === undefined ? "none" : "cut";
      this.journal.close(entry, answer, { ...delivered, delivery });
    } else {
      noteCallerLeft(entry, delivered);
      this.journal.close(entry, answer, delivered);
    }
  }

  /** Aborts held calls and waits. */
  end(reason: string): void {
    this.endedBy = reason;
    this.#budget.give(this.#kept);
    this.#kept = 0;
    this.journal.release();
    this.faults.abort(reason);
    this.waits.abort(reason);
  }
}
