import { dateNow } from "../../../foundation/clock.js";
import type { Journal } from "./journal.js";

/** An epoch, as far as views of its journal need it. */
export interface RecordedEpoch {
  readonly world: string;
  readonly number: number;
  readonly label: string | undefined;
  readonly startedAt: number;
  /** Undefined while the epoch goes on. */
  readonly endedAt?: number;
  readonly journal: Journal;
}

/** An epoch that has ended. */
export interface PastEpoch extends Required<RecordedEpoch> {
  /** The tokens that it issued, so that one of them can be told from a token that never existed. */
  readonly issued: ReadonlySet<string>;
}

type LiveWorlds = ReadonlyMap<string, { readonly epoch: RecordedEpoch }>;

/** About how much memory an earlier epoch takes without its journal and tokens, and each of these. */
const epochBytes = 1_000;
const tokenBytes = 150;

/** How many tokens of an earlier epoch are kept, the last ones. */
const maxTokens = 1_000;

/**
 * The journals of a server: those of the worlds, and the history, which also has those of dropped worlds. All of them
 * together have one bound. Beyond it, the journals of dropped worlds are removed first, then the history, the oldest
 * first, then the oldest requests of the largest journal.
 */
export class Journals {
  readonly #journalSize: number;
  readonly #live: LiveWorlds;
  /** About how much all journals keep, in bytes. */
  maxBytes = 200_000_000;
  #bytes = 0;
  /** All earlier epochs, oldest first. */
  readonly past = new Set<PastEpoch>();
  /** World → its earlier epochs, newest first. */
  readonly #byWorld = new Map<string, readonly PastEpoch[]>();
  /** How many journals were removed because of the bounds. A report says so. */
  forgotten = 0;

  /**
   * @param journalSize how many requests the history of a world keeps
   * @param live the worlds that exist, by name
   */
  constructor(journalSize: number, live: LiveWorlds) {
    this.#journalSize = journalSize;
    this.#live = live;
  }

  /** Counts what journals have added or removed, and removes what is beyond the bound. */
  readonly countBytes = (bytes: number): void => {
    this.#bytes += bytes;
    if (bytes <= 0 || !this.#isFull) return;
    for (const past of this.past) if (this.#isFull && !this.#live.has(past.world)) this.#remove(past);
    for (const past of this.past) if (this.#isFull) this.#remove(past);
    // It is at least as large as what was added.
    const largest = this.#largest();
    while (this.#isFull && largest !== undefined && largest.bytes > 0) largest.drop();
  };

  get #isFull(): boolean {
    return this.#bytes > this.maxBytes;
  }

  /** The largest journal of a world that exists. */
  #largest(): Journal | undefined {
    let largest: Journal | undefined;
    for (const { epoch } of this.#live.values())
      if (epoch.journal.bytes > (largest?.bytes ?? 0)) largest = epoch.journal;
    return largest;
  }

  /**
   * Keeps the journal of an epoch that has ended, unless it has neither requests nor a label.
   * @param tokens that it issued, oldest first
   */
  keep({ world, number, label, startedAt, journal }: RecordedEpoch, tokens: readonly string[]): void {
    if (journal.counts.requests > 0 || label !== undefined) {
      const issued = new Set(tokens.slice(-maxTokens));
      const past = { world, number, label, startedAt, endedAt: dateNow(), journal, issued };
      this.#byWorld.set(world, [past, ...this.of(world)]);
      this.past.add(past);
      this.countBytes(bytesBeside(past));
    }
    let entries = 0;
    for (const [n, past] of this.of(world).entries()) {
      entries += past.journal.entryCount;
      if (n >= this.#journalSize || entries > this.#journalSize) this.#remove(past);
    }
  }

  /** The earlier epochs of a world, newest first. */
  of(world: string): readonly PastEpoch[] {
    return this.#byWorld.get(world) ?? [];
  }

  #remove(past: PastEpoch): void {
    const { world, journal } = past;
    if (journal.counts.requests > 0) this.forgotten++;
    this.past.delete(past);
    const others = this.of(world).filter((one) => one !== past);
    if (others.length > 0) this.#byWorld.set(world, others);
    else this.#byWorld.delete(world);
    // A request that is still in progress is not counted when it ends.
    journal.clear();
    this.countBytes(-bytesBeside(past));
  }
}

/** About how much memory an earlier epoch takes beside its journal. */
function bytesBeside({ issued }: PastEpoch): number {
  return epochBytes + issued.size * tokenBytes;
}
