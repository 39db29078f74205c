import { MockError } from "../foundation/mock-error.js";

/** How many of a kind one world may keep, and all of them together in bytes. */
export interface Bound {
  readonly count: number;
  readonly bytes: number;
}

/** What is kept at most. Sizes are estimates: they stop a loop before it fills the memory. */
export interface Bounds {
  /** Groups and rotated tokens of one world beyond the seed, in bytes. */
  readonly groupBytes: number;
  readonly snapshots: Bound;
  readonly faults: Bound;
  readonly waits: Bound;
  /** All bodies of one journal, and of one history, in characters. Beyond it the oldest requests are dropped. */
  readonly journalCharacters: number;
  /** All worlds together, in bytes. Checked when worlds are created, a state is loaded or a snapshot is taken. */
  readonly totalBytes: number;
}

export const defaultBounds: Bounds = {
  groupBytes: 250_000_000,
  snapshots: { count: 1_000, bytes: 250_000_000 },
  faults: { count: 1_000, bytes: 10_000_000 },
  waits: { count: 1_000, bytes: 10_000_000 },
  journalCharacters: 8_000_000,
  totalBytes: 500_000_000,
};

type Sized = Pick<Bound, "bytes">;

/** What to do when a bound is reached, by kind. */
const boundAdvice = {
  snapshots: "Forget some of them.",
  faults: "Clear them between tests.",
  waits: "Wait until some of them end.",
};

/** Throws if one more item would exceed the bound of its kind. */
export function assertFits(
  kind: keyof typeof boundAdvice,
  added: Sized,
  kept: ReadonlySet<Sized> | ReadonlyMap<unknown, Sized>,
  { count, bytes }: Bound,
): void {
  const exceeded =
    kept.size >= count ? count : bytesOf(kept.values()) + added.bytes > bytes && `${megabytes(bytes)} of`;
  if (exceeded === false) return;
  throw new MockError(
    `too_many_${kind}`,
    `A world can have at most ${exceeded} ${kind}. ${boundAdvice[kind]}`,
  );
}

export function bytesOf(items: Iterable<Sized>): number {
  let sum = 0;
  for (const { bytes } of items) sum += bytes;
  return sum;
}

export function megabytes(bytes: number): string {
  return `${bytes / 1_000_000} MB`;
}
