/** What all worlds of a server may keep together beyond the seed, in bytes. */
const maxKeptBytes = 500_000_000;

/** The same for their journals, where the oldest calls make room. */
const maxJournalBytes = 200_000_000;

/** Why nothing more can be kept, and what to do. */
export const noRoom = `All worlds together keep ${maxKeptBytes / 1_000_000} MB already. Reset or drop some, or forget snapshots.`;

/**
 * Counts what the worlds of one server keep: groups, loaded states, rotated tokens, snapshots, waits. Sizes are estimates;
 * what matters is that no loop can fill the memory.
 */
export class Budget {
  readonly #maxKept: number;
  readonly #maxJournals: number;
  #kept = 0;
  /** The size of all journals. */
  journals = 0;

  /** Takes smaller limits, for tests. */
  constructor(maxKept = maxKeptBytes, maxJournals = maxJournalBytes) {
    this.#maxKept = maxKept;
    this.#maxJournals = maxJournals;
  }

  get hasTooManyJournals(): boolean {
    return this.journals > this.#maxJournals;
  }

  /** Whether there is room; if so, it is taken. */
  take(bytes: number): boolean {
    if (this.#kept + bytes > this.#maxKept) return false;
    this.#kept += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#kept -= bytes;
  }
}
