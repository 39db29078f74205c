import type { ReportedWorld } from "../../contract/report-data.js";
import { dateNow } from "../../foundation/clock.js";
import type { HistoryItem } from "../../generated/types.js";
import type { Epoch } from "../epoch.js";
import type { Journal } from "./journal.js";

/** An epoch, as far as views of its journal need it. */
export interface RecordedEpoch {
  readonly number: number;
  readonly label: string | undefined;
  readonly startedAt: number;
  /** Undefined while the epoch goes on. */
  readonly endedAt?: number;
  readonly journal: Journal;
  /** Whether its state lists an API token: others are masked. */
  readonly isListed: (apiToken: string) => boolean;
}

/** An epoch that has ended. */
export interface PastEpoch extends RecordedEpoch {
  readonly world: string;
  readonly endedAt: number;
  /** The approximate size of its journal and of `left` when it ended. */
  readonly bytes: number;
  /** Only of the last epoch of a dropped world. */
  readonly left: LeftOfWorld | undefined;
}

/** What differs from the seed in a world that was dropped. */
export type LeftOfWorld = Pick<ReportedWorld, "groups" | "assumed">;

/** The bounds of the history of all worlds together. */
const [maxEpochs, maxBytes] = [10_000, 100_000_000];

/**
 * The journals of earlier epochs of all worlds of a server, including dropped worlds. Each world has the bounds of a
 * journal, and the server has a bound for all of them. The oldest epochs are removed first.
 */
export class History {
  readonly #journalSize: number;
  readonly #maxCharacters: number;
  /** Oldest first. */
  readonly #all = new Set<PastEpoch>();
  /** World → its epochs, oldest first. */
  readonly #byWorld = new Map<string, Set<PastEpoch>>();
  /** The highest number of a removed epoch: an unknown world continues from it, so that no number is used twice. */
  #highestRemoved = 0;
  #bytes = 0;
  /** How many journals were removed because of the bounds. */
  forgotten = 0;

  constructor(journalSize: number, maxCharacters: number) {
    this.#journalSize = journalSize;
    this.#maxCharacters = maxCharacters;
  }

  /** The number of the first epoch of a world that is created now. */
  nextNumber(world: string): number {
    return (this.of(world)[0]?.number ?? this.#highestRemoved) + 1;
  }

  /** Keeps the journal of an epoch that has ended, unless it has neither requests nor a label. */
  add(world: string, epoch: Epoch, left?: LeftOfWorld): void {
    const { number, label, startedAt, journal } = epoch;
    if (journal.counts.requests === 0 && label === undefined) return;
    const bytes = journal.bytes + (left === undefined ? 0 : JSON.stringify(left).length);
    const isListed = listedTokens(epoch);
    const past = { world, number, label, startedAt, endedAt: dateNow(), journal, bytes, isListed, left };
    const ofWorld = this.#byWorld.get(world) ?? new Set();
    this.#byWorld.set(world, ofWorld.add(past));
    this.#all.add(past);
    this.#bytes += bytes;
    this.#trim(ofWorld);
    for (const oldest of this.#all) {
      if (this.#all.size <= maxEpochs && this.#bytes <= maxBytes) return;
      this.#remove(oldest);
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

  /** Measures all epochs of a world: a request that was in progress at the reset may have added to a journal. */
  #trim(epochs: ReadonlySet<PastEpoch>): void {
    let [entries, characters] = [0, 0];
    for (const { journal } of epochs) {
      entries += journal.entryCount;
      characters += journal.characters;
    }
    for (const oldest of epochs) {
      const isTooLong = epochs.size > this.#journalSize || entries > this.#journalSize;
      if (!isTooLong && characters <= this.#maxCharacters) return;
      entries -= oldest.journal.entryCount;
      characters -= oldest.journal.characters;
      this.#remove(oldest);
    }
  }

  #remove(past: PastEpoch): void {
    if (past.journal.counts.requests > 0) this.forgotten++;
    this.#highestRemoved = Math.max(this.#highestRemoved, past.number);
    this.#all.delete(past);
    this.#bytes -= past.bytes;
    const ofWorld = this.#byWorld.get(past.world);
    ofWorld?.delete(past);
    if (ofWorld?.size === 0) this.#byWorld.delete(past.world);
  }
}

/**
 * Whether an epoch lists an API token that a request sent. Only these tokens are kept: a loaded state may be large. No
 * inner function may use `groups`, or the returned one would keep them alive.
 */
function listedTokens({ groups, journal }: Epoch): (apiToken: string) => boolean {
  const tokens = new Set<string>();
  for (const { apiToken } of journal) if (groups.teamOf(apiToken) !== undefined) tokens.add(apiToken);
  return (apiToken) => tokens.has(apiToken);
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
