import type { Assumed } from "../contract/assumptions.js";
import { dateNow } from "../foundation/clock.js";
import { GroupStore } from "../service/group-store.js";
import type { Seed } from "../service/seed.js";
import { type Ending, Faults } from "./faults/faults.js";
import { decideCause } from "./journal/cause.js";
import { type Entry, Journal } from "./journal/journal.js";
import type { Journals } from "./journal/journals.js";
import type { Delivered, SentResponse } from "./sent-response.js";
import { Waits } from "./waits.js";

export interface EpochParts {
  readonly world: string;
  readonly number: number;
  readonly label: string | undefined;
  readonly seed: Seed;
  readonly assumed: Assumed;
  readonly journalSize: number;
  readonly journals: Journals;
  /** Counts a change that the inspector may show. */
  readonly changed: () => void;
}

/**
 * A world from one reset to the next. A request belongs to the epoch in which it began: if the world is reset
 * meanwhile, the request ends in the old epoch, and only the history shows it.
 */
export class Epoch {
  readonly number: number;
  readonly label: string | undefined;
  readonly startedAt = dateNow();
  readonly groups: GroupStore;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly waits: Waits;
  assumed: Assumed;

  constructor(parts: EpochParts) {
    const { world, seed, journalSize, journals, changed } = parts;
    this.number = parts.number;
    this.label = parts.label;
    this.groups = new GroupStore(world, seed);
    this.faults = new Faults(changed);
    this.journal = new Journal(journalSize, (entry) => this.waits.look(entry), journals.count, changed);
    this.waits = new Waits(this.journal);
    this.assumed = parts.assumed;
  }

  /**
   * Completes the journal entry of a request with what its client could get.
   * @param isCut the connection was closed by a stop of the server, not by the client
   */
  complete(entry: Entry, response: SentResponse | undefined, delivered: Delivered, isCut: boolean): void {
    entry.cause = decideCause(entry, delivered, isCut);
    const isStopped = delivered.delivery === "caller-left" && isCut;
    const delivery = delivered.headers === undefined ? "none" : "cut";
    this.journal.close(entry, response, isStopped ? { ...delivered, delivery } : delivered);
  }

  /** Aborts held requests and waits. */
  end(ending: Ending): void {
    // The listener refers to this epoch, and the history must keep only its journal.
    this.journal.completed = () => {};
    this.faults.abort(ending);
    this.waits.abort(ending.reason);
  }
}
