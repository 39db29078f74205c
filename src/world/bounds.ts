/** What is kept at most. Sizes are estimates: they stop a loop before it fills the memory. */
export interface Bounds {
  /** Groups and rotated tokens of one world beyond the seed, in bytes. */
  readonly groupBytes: number;
  /** Snapshots of one world: how many, and all of them in bytes. */
  readonly snapshots: number;
  readonly snapshotBytes: number;
  /** Faults of one world: how many, and all their rules in characters of JSON. */
  readonly faults: number;
  readonly faultCharacters: number;
  /** Waits of one world: how many, and all of them in characters of JSON. */
  readonly waits: number;
  readonly waitCharacters: number;
  /** All bodies of one journal, and of one history, in characters. Beyond it the oldest requests are dropped. */
  readonly journalCharacters: number;
  /** All worlds together, in bytes. Checked when worlds are created, a state is loaded or a snapshot is taken. */
  readonly totalBytes: number;
}

export const defaultBounds: Bounds = {
  groupBytes: 250_000_000,
  snapshots: 1_000,
  snapshotBytes: 250_000_000,
  faults: 1_000,
  faultCharacters: 10_000_000,
  waits: 1_000,
  waitCharacters: 10_000_000,
  journalCharacters: 8_000_000,
  totalBytes: 500_000_000,
};

export function megabytes(bytes: number): string {
  return `${bytes / 1_000_000} MB`;
}
