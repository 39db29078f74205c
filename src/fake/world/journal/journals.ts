import { dateNow } from "../../../foundation/clock.js";
import type { Journal } from "./journal.js";

/** The worlds that exist, by name. */
type LiveWorlds = ReadonlyMap<string, { readonly journal: Journal }>;

/** About how much memory an earlier journal takes beside its requests and tokens, and each of these tokens. */
const journalBytes = 1_000;
const tokenBytes = 150;

/** How many tokens are kept with an earlier journal, the last ones. */
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
  /** All earlier journals, oldest first. */
  readonly past = new Set<Journal>();
  /** World → its earlier journals, newest first. */
  readonly #byWorld = new Map<string, readonly Journal[]>();
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
    for (const { journal } of this.#live.values())
      if (journal.bytes > (largest?.bytes ?? 0)) largest = journal;
    return largest;
  }

  /**
   * Keeps the journal of a world that was reset or dropped, unless it has neither requests nor a label.
   * @param tokens that the world has issued, oldest first
   */
  keep(journal: Journal, tokens: readonly string[]): void {
    const { world, label } = journal;
    if (journal.counts.requests > 0 || label !== undefined) {
      journal.endedAt = dateNow();
      journal.issued = new Set(tokens.slice(-maxTokens));
      this.#byWorld.set(world, [journal, ...this.of(world)]);
      this.past.add(journal);
      this.countBytes(bytesBeside(journal));
    }
    let entries = 0;
    for (const [n, past] of this.of(world).entries()) {
      entries += past.entryCount;
      if (n >= this.#journalSize || entries > this.#journalSize) this.#remove(past);
    }
  }

  /** The earlier journals of a world, newest first. */
  of(world: string): readonly Journal[] {
    return this.#byWorld.get(world) ?? [];
  }

  #remove(past: Journal): void {
    const { world } = past;
    if (past.counts.requests > 0) this.forgotten++;
    this.past.delete(past);
    const others = this.of(world).filter((one) => one !== past);
    if (others.length > 0) this.#byWorld.set(world, others);
    else this.#byWorld.delete(world);
    // A request that is still in progress is not counted when it ends.
    past.clear();
    this.countBytes(-bytesBeside(past));
  }
}

/** About how much memory an earlier journal takes beside its requests. */
function bytesBeside({ issued }: Journal): number {
  return journalBytes + issued.size * tokenBytes;
}
