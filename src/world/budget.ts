/** What all worlds of a server may keep together beyond the seed, in bytes. */
const maxKeptBytes = 500_000_000;

/** The same for their journals, where the oldest calls make room. */
export const maxJournalBytes = 200_000_000;

/** Why nothing more can be kept, and what to do. */
export const noRoom = `All worlds together keep ${maxKeptBytes / 1_000_000} MB already. Reset or drop some, or forget snapshots.`;

/**
 * Counts what the worlds of one server keep: groups, loaded states, rotated tokens, snapshots, waits. Sizes are estimates;
 * what matters is that no loop can fill the memory.
 */
export class Budget {
  #kept = 0;
  /** The size of all journals. */
  journals = 0;

  /** Whether there is room; if so, it is taken. */
  take(bytes: number): boolean {
    if (this.#kept + bytes > maxKeptBytes) return false;
    this.#kept += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#kept -= bytes;
  }
}
