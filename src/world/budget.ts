/** What the worlds of a server may keep. Tests have smaller limits. */
export interface KeptLimits {
  /** All worlds together beyond the seed, in bytes. */
  readonly kept: number;
  /** All journals together, in bytes: the oldest calls make room. */
  readonly journals: number;
  /** All bodies of one journal, in characters: the oldest calls make room. */
  readonly journalCharacters: number;
}

export const keptLimits: KeptLimits = {
  kept: 500_000_000,
  journals: 200_000_000,
  journalCharacters: 8_000_000,
};

/** Why nothing more can be kept, and what to do. */
export const noRoom = `All worlds together keep ${keptLimits.kept / 1_000_000} MB already. Reset or drop some, or forget snapshots.`;

/**
 * Counts what the worlds of one server keep: groups, loaded states, rotated tokens, snapshots, waits. Sizes are estimates;
 * what matters is that no loop can fill the memory.
 */
export class Budget {
  readonly #limits: KeptLimits;
  #kept = 0;
  /** The size of all journals. */
  journals = 0;

  constructor(limits = keptLimits) {
    this.#limits = limits;
  }

  /** Whether a journal with so many characters has to make room. */
  isTooFull(journalCharacters: number): boolean {
    return journalCharacters > this.#limits.journalCharacters;
  }

  get hasTooManyJournals(): boolean {
    return this.journals > this.#limits.journals;
  }

  /** Whether there is room; if so, it is taken. */
  take(bytes: number): boolean {
    if (this.#kept + bytes > this.#limits.kept) return false;
    this.#kept += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#kept -= bytes;
  }
}
