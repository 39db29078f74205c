import { dateNow } from "../../foundation/clock.js";
import type { HistoryItem } from "../../generated/types.js";
import type { Journal } from "./journal.js";

/** An epoch, as far as views of its journal need it. */
export interface RecordedEpoch {
  readonly number: number;
  readonly label: string | undefined;
  readonly startedAt: number;
  /** Undefined while the epoch goes on. */
  readonly endedAt?: number;
  readonly journal: Journal;
}

/** An epoch that has ended. */
export interface PastEpoch extends RecordedEpoch {
  readonly world: string;
  readonly endedAt: number;
}

/** About how much all journals of a server keep, in bytes. */
const maxJournalBytes = 200_000_000;

/** About how much memory an earlier epoch takes without its journal. */
const epochBytes = 1_000;

/**
 * The journals of a server: those of the worlds, and the history, which also has those of dropped worlds. All of them
 * together have one bound. Beyond it, the journals of dropped worlds are removed first, then the history, the oldest
 * first, then the oldest requests of the largest journal.
 */
export class Journals {
  readonly #journalSize: number;
  readonly #live: () => Iterable<Journal>;
  readonly #maxBytes: number;
  #bytes = 0;
  /** Oldest first. */
  readonly #ofDroppedWorlds = new Set<PastEpoch>();
  readonly #history = new Set<PastEpoch>();
  /** World → its earlier epochs, oldest first. */
  readonly #byWorld = new Map<string, Set<PastEpoch>>();
  /** The highest number of a removed epoch: an unknown world continues from it, so that no number is used twice. */
  #highestRemoved = 0;
  /** How many journals were removed because of the bounds. */
  forgotten = 0;

  /**
   * @param journalSize how many requests the history of a world keeps
   * @param live the journals of the worlds that exist
   */
  constructor(journalSize: number, live: () => Iterable<Journal>, bound = maxJournalBytes) {
    this.#journalSize = journalSize;
    this.#live = live;
    this.#maxBytes = bound;
  }

  /** Counts what journals have added or removed, and removes what is beyond the bound. */
  readonly count = (bytes: number): void => {
    this.#bytes += bytes;
    if (bytes <= 0) return;
    for (const past of [this.#ofDroppedWorlds, this.#history]) {
      for (const oldest of past) {
        if (!this.#isFull) return;
        this.#remove(oldest);
      }
    }
    if (!this.#isFull) return;
    // It is at least as large as what was added.
    let largest: Journal | undefined;
    for (const journal of this.#live()) if (journal.bytes > (largest?.bytes ?? 0)) largest = journal;
    while (this.#isFull && largest !== undefined && largest.bytes > 0) largest.drop();
  };

  get #isFull(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  /** The number of the first epoch of a world that is created now. */
  nextNumber(world: string): number {
    return (this.of(world)[0]?.number ?? this.#highestRemoved) + 1;
  }

  /** Keeps the journal of an epoch that has ended, unless it has neither requests nor a label. */
  keep(world: string, { number, label, startedAt, journal }: RecordedEpoch, isDropped: boolean): void {
    const ofWorld = this.#byWorld.get(world) ?? new Set<PastEpoch>();
    if (journal.counts.requests > 0 || label !== undefined) {
      const past = { world, number, label, startedAt, endedAt: dateNow(), journal };
      this.#byWorld.set(world, ofWorld.add(past));
      this.#history.add(past);
      this.count(epochBytes);
    }
    let entries = 0;
    for (const past of ofWorld) entries += past.journal.entryCount;
    for (const oldest of ofWorld) {
      if (ofWorld.size <= this.#journalSize && entries <= this.#journalSize) break;
      entries -= oldest.journal.entryCount;
      this.#remove(oldest);
    }
    if (!isDropped) return;
    for (const past of ofWorld) {
      this.#history.delete(past);
      this.#ofDroppedWorlds.add(past);
    }
  }

  /** The worlds that have a past. */
  get worlds(): Iterable<string> {
    return this.#byWorld.keys();
  }

  /** The earlier epochs of a world, newest first. */
  of(world: string): readonly PastEpoch[] {
    return [...(this.#byWorld.get(world) ?? [])].reverse();
  }

  #remove(past: PastEpoch): void {
    if (past.journal.counts.requests > 0) this.forgotten++;
    this.#highestRemoved = Math.max(this.#highestRemoved, past.number);
    this.#ofDroppedWorlds.delete(past);
    this.#history.delete(past);
    const ofWorld = this.#byWorld.get(past.world);
    ofWorld?.delete(past);
    if (ofWorld?.size === 0) this.#byWorld.delete(past.world);
    // A request that is still in progress is not counted when it ends.
    past.journal.clear();
    this.count(-epochBytes);
  }
}

/** An earlier epoch in the admin API. */
export function showPast({ number, label, startedAt, endedAt, journal }: PastEpoch): HistoryItem {
  return {
    n: number,
    ...(label !== undefined && { label }),
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
    ...journal.counts,
  };
}
