import { dateNow } from "../../foundation/clock.js";
import type { HistoryItem } from "../../generated/types.js";
import type { Epoch } from "../epoch.js";
import { type Journal, maxCharacters } from "./journal.js";

/** What the history of all worlds together may keep, in bytes and in epochs. */
const maxHistoryBytes = 100_000_000;
const maxEpochs = 10_000;

/** About what an epoch takes besides its journal, in bytes. */
const epochBytes = 500;

/** An epoch that has ended, and its journal. */
export interface PastEpoch {
  readonly world: string;
  readonly number: number;
  readonly label: string | undefined;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly journal: Journal;
  /** Whether its state listed an API token: others are masked. */
  readonly isListed: (apiToken: string) => boolean;
}

/** The past of one world, oldest epoch first, and what it takes. */
interface WorldPast {
  readonly epochs: PastEpoch[];
  entries: number;
  characters: number;
}

/** What an epoch took when it was last measured. It grows when a call ends that was under way at the reset. */
interface Measured {
  readonly entries: number;
  readonly characters: number;
  readonly bytes: number;
}

const unmeasured: Measured = { entries: 0, characters: 0, bytes: 0 };

/**
 * The journals of earlier epochs of all worlds of a server, also of those that were dropped. Bounded for each world as
 * its journal is, and for the server as a whole; the oldest goes first.
 */
export class History {
  readonly #journalSize: number;
  /** Oldest first. */
  readonly #all = new Map<PastEpoch, Measured>();
  readonly #byWorld = new Map<string, WorldPast>();
  /** World → the number of its last epoch that ended. */
  readonly #lastNumbers = new Map<string, number>();
  /** The highest number of an epoch that was dropped: a world that is not known here goes on from it. */
  #highestDropped = 0;
  #bytes = 0;

  constructor(journalSize: number) {
    this.#journalSize = journalSize;
  }

  /** The number of the next epoch of a world: never one that the history has shown for it. */
  nextNumber(world: string): number {
    return (this.#lastNumbers.get(world) ?? this.#highestDropped) + 1;
  }

  /** Keeps the journal of an epoch that has ended, unless there is nothing to tell. */
  add(world: string, epoch: Epoch): void {
    const { number, label, startedAt, journal } = epoch;
    this.#lastNumbers.set(world, number);
    if (journal.counts.requests === 0 && label === undefined) return;
    const isListed = hasIn(listedTokens(epoch));
    const past = { world, number, label, startedAt, endedAt: dateNow(), journal, isListed };
    const ofWorld = this.#byWorld.get(world) ?? { epochs: [], entries: 0, characters: 0 };
    this.#byWorld.set(world, ofWorld);
    ofWorld.epochs.push(past);
    for (const epoch of ofWorld.epochs) this.#measure(epoch, ofWorld);
    this.#trim(ofWorld);
    for (const oldest of this.#all.keys()) {
      if (this.#all.size <= maxEpochs && this.#bytes <= maxHistoryBytes) break;
      this.#remove(oldest);
    }
  }

  /** A world without a past is forgotten when it is dropped: nothing names its epochs. */
  dropped(world: string): void {
    if (!this.#byWorld.has(world)) this.#lastNumbers.delete(world);
  }

  /** The worlds that have a past. */
  get worlds(): Iterable<string> {
    return this.#byWorld.keys();
  }

  /** How many calls of a world failed before its last reset. */
  failuresOf(world: string): number {
    const epochs = this.#byWorld.get(world)?.epochs ?? [];
    return epochs.reduce((sum, { journal }) => sum + journal.counts.failures, 0);
  }

  /** The earlier epochs of a world, newest first. */
  of(world: string): readonly PastEpoch[] {
    return (this.#byWorld.get(world)?.epochs ?? []).toReversed();
  }

  #trim(ofWorld: WorldPast): void {
    const { epochs } = ofWorld;
    for (let [oldest] = epochs; oldest !== undefined; [oldest] = epochs) {
      const { journal, label } = oldest;
      const isOver = ofWorld.entries > this.#journalSize || ofWorld.characters > maxCharacters;
      if (isOver && journal.entryCount > 0) {
        journal.drop();
        this.#measure(oldest, ofWorld);
      } else if (
        epochs.length > this.#journalSize ||
        (journal.entryCount === 0 && label === undefined) ||
        isOver
      ) {
        this.#remove(oldest);
      } else {
        return;
      }
    }
  }

  #measure(past: PastEpoch, ofWorld: WorldPast): void {
    const { entryCount: entries, characters, bytes: ofJournal } = past.journal;
    const bytes = epochBytes + 2 * (past.label ?? "").length + ofJournal;
    this.#count(past, ofWorld, { entries, characters, bytes });
  }

  #count(past: PastEpoch, ofWorld: WorldPast, now: Measured): void {
    const before = this.#all.get(past) ?? unmeasured;
    ofWorld.entries += now.entries - before.entries;
    ofWorld.characters += now.characters - before.characters;
    this.#bytes += now.bytes - before.bytes;
    this.#all.set(past, now);
  }

  #remove(past: PastEpoch): void {
    this.#highestDropped = Math.max(this.#highestDropped, past.number);
    const ofWorld = this.#byWorld.get(past.world);
    if (ofWorld === undefined) return;
    this.#count(past, ofWorld, unmeasured);
    this.#all.delete(past);
    ofWorld.epochs.splice(ofWorld.epochs.indexOf(past), 1);
    if (ofWorld.epochs.length > 0) return;
    this.#byWorld.delete(past.world);
    this.#lastNumbers.delete(past.world);
  }
}

/** The API tokens that calls sent and the state listed. Only these are kept: a loaded state may be large. */
function listedTokens({ groups, journal }: Epoch): ReadonlySet<string> {
  const sent = [...journal]
    .map(({ apiToken }) => apiToken)
    .filter((token) => groups.teamOf(token) !== undefined);
  return new Set(sent);
}

/** A function of its own: in V8, all closures of one scope share its variables, so this one would keep the groups. */
function hasIn(tokens: ReadonlySet<string>): (token: string) => boolean {
  return (token) => tokens.has(token);
}

/** As the admin API shows it. */
export function showPast({ number, label, startedAt, endedAt, journal }: PastEpoch): HistoryItem {
  return {
    n: number,
    ...(label !== undefined && { label }),
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
    ...journal.counts,
  };
}
