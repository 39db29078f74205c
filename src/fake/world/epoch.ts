import { dateNow } from "../../foundation/clock.js";
import type { Schemas } from "../contract/schemas.js";
import type { Behaviour } from "../service/behaviour.js";
import { Decisions } from "../service/decisions.js";
import { GroupStore } from "../service/group-store.js";
import type { Seed } from "../service/seed.js";
import { type Ending, Faults } from "./faults/faults.js";
import { type Delivered, type Entry, Journal, type RequestHead } from "./journal/journal.js";
import type { Journals } from "./journal/journals.js";
import { Waits } from "./waits.js";

/** What the worlds of a server have in common. */
export interface WorldParts {
  readonly version: string;
  readonly seed: Seed;
  readonly schemas: Schemas;
  readonly behaviour: Behaviour;
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
  readonly world: string;
  readonly number: number;
  readonly label: string | undefined;
  readonly startedAt = dateNow();
  /** A state that is loaded replaces them. */
  groups: GroupStore;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly waits: Waits;
  behaviour: Behaviour;
  readonly #changed: () => void;

  constructor(parts: WorldParts, world: string, number: number, label?: string) {
    this.world = world;
    this.number = number;
    this.label = label;
    this.groups = new GroupStore(world, number, parts.seed);
    this.journal = new Journal(parts.journalSize, parts.journals.countBytes);
    this.faults = new Faults();
    this.waits = new Waits(this.journal);
    this.behaviour = parts.behaviour;
    this.#changed = parts.changed;
  }

  /** Begins the journal entry of a request. */
  open(head: RequestHead): Entry {
    this.#changed();
    return this.journal.open(head, new Decisions(this.behaviour));
  }

  /** Completes the journal entry of a request with what its client could get. */
  complete(entry: Entry, status: number | undefined, delivered: Delivered): void {
    this.journal.close(entry, status, delivered);
    this.#changed();
    this.waits.notify(entry);
  }

  /** Aborts held requests and waits. */
  end(ending: Ending): void {
    this.faults.abort(ending);
    this.waits.abort(ending.reason);
  }
}
