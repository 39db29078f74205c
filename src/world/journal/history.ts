import { dateNow } from "../../foundation/clock.js";
import type { GroupDetail, HistoryItem } from "../../generated/types.js";
import type { Epoch } from "../epoch.js";
import type { Journal } from "./journal.js";

/** What the history of all worlds together may keep, in bytes and in epochs. */
const maxHistoryBytes = 100_000_000;
const maxEpochs = 10_000;

/** About what an epoch takes besides its journal, in bytes. */
const epochBytes = 500;

/** An epoch that goes on or has ended, as far as views of its journal need it. */
export interface RecordedEpoch {
  readonly number: number;
  readonly label: string | undefined;
  readonly journal: Journal;
  /** Whether its state lists an API token: others are masked. */
  readonly isListed: (apiToken: string) => boolean;
}

/** An epoch that has ended. */
export interface PastEpoch extends RecordedEpoch {
  readonly world: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Only of the last epoch of a world that was dropped. */
  readonly left: LeftOfWorld | undefined;
}

/** What a world that was dropped differed in from its seed. */
export interface LeftOfWorld {
  readonly groups: readonly GroupDetail[];
  readonly assumed: Readonly<Record<string, string>>;
  /** About how long its JSON is. */
  readonly size: number;
}

/** The past of one world, oldest epoch first, and about what it takes. */
interface WorldPast {
  readonly epochs: PastEpoch[];
  bytes: number;
}

/**
 * The journals of earlier epochs of all worlds of a server, also of those that were dropped. Bounded for each world as
 * its journal is, and for the server as a whole; the oldest goes first.
 */
export class History {
  readonly #journalSize: number;
  readonly #maxCharacters: number;
  /** Oldest first. */
  readonly #all = new Set<PastEpoch>();
  readonly #byWorld = new Map<string, WorldPast>();
  /** World → the number of its last epoch that ended. */
  readonly #lastNumbers = new Map<string, number>();
  /** The highest number of an epoch that was dropped: a world that is not known here goes on from it. */
  #highestDropped = 0;
  #bytes = 0;
  #forgotten = 0;

  constructor(journalSize: number, maxCharacters: number) {
    this.#journalSize = journalSize;
    this.#maxCharacters = maxCharacters;
  }

  /** The number of the next epoch of a world: never one that the history has shown for it. */
  nextNumber(world: string): number {
    return (this.#lastNumbers.get(world) ?? this.#highestDropped) + 1;
  }

  /** Keeps the journal of an epoch that has ended, unless there is nothing to tell. */
  add(world: string, epoch: Epoch, left?: LeftOfWorld): void {
    const { number, label, startedAt, journal } = epoch;
    this.#lastNumbers.set(world, number);
    if (journal.counts.requests === 0 && label === undefined) return;
    const isListed = hasIn(listedTokens(epoch));
    const past = { world, number, label, startedAt, endedAt: dateNow(), journal, isListed, left };
    const ofWorld = this.#byWorld.get(world) ?? { epochs: [], bytes: 0 };
    this.#byWorld.set(world, ofWorld);
    ofWorld.epochs.push(past);
    this.#all.add(past);
    this.#trim(ofWorld);
    for (const oldest of this.#all) {
      if (this.#all.size <= maxEpochs && this.#bytes <= maxHistoryBytes) break;
      this.#remove(oldest);
    }
  }

  /** A world without a past is forgotten when it is dropped: nothing names its epochs. */
  dropped(world: string): void {
    if (!this.#byWorld.has(world)) this.#lastNumbers.delete(world);
  }

  /** How many journals were removed because of the bounds. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** The worlds that have a past. */
  get worlds(): Iterable<string> {
    return this.#byWorld.keys();
  }

  /** The earlier epochs of a world, newest first. */
  of(world: string): readonly PastEpoch[] {
    return (this.#byWorld.get(world)?.epochs ?? []).toReversed();
  }

  /** Drops the oldest calls and epochs beyond the bounds of a world. */
  #trim(ofWorld: WorldPast): void {
    const { epochs } = ofWorld;
    let entries = sum(epochs, ({ journal }) => journal.entryCount);
    let characters = sum(epochs, ({ journal }) => journal.characters);
    for (const oldest of [...epochs]) {
      const { journal, label } = oldest;
      const isOver = () => entries > this.#journalSize || characters > this.#maxCharacters;
      while (isOver() && journal.entryCount > 0) {
        characters -= journal.characters;
        journal.drop();
        characters += journal.characters;
        entries--;
      }
      const isEmpty = journal.entryCount === 0 && (label === undefined || isOver());
      if (!isEmpty && epochs.length <= this.#journalSize) break;
      entries -= journal.entryCount;
      characters -= journal.characters;
      this.#remove(oldest);
    }
    this.#measure(ofWorld);
  }

  /** An epoch grows when a call ends that was under way at the reset, so all are measured again. */
  #measure(ofWorld: WorldPast): void {
    this.#bytes -= ofWorld.bytes;
    ofWorld.bytes = sum(ofWorld.epochs, ({ journal, label = "", left }) => {
      return epochBytes + 2 * label.length + journal.bytes + 2 * (left?.size ?? 0);
    });
    this.#bytes += ofWorld.bytes;
  }

  #remove(past: PastEpoch): void {
    if (past.journal.counts.requests > 0) this.#forgotten++;
    this.#highestDropped = Math.max(this.#highestDropped, past.number);
    this.#all.delete(past);
    const ofWorld = this.#byWorld.get(past.world);
    if (ofWorld === undefined) return;
    ofWorld.epochs.splice(ofWorld.epochs.indexOf(past), 1);
    this.#measure(ofWorld);
    if (ofWorld.epochs.length > 0) return;
    this.#byWorld.delete(past.world);
    this.#lastNumbers.delete(past.world);
  }
}

function sum(epochs: readonly PastEpoch[], sizeOf: (epoch: PastEpoch) => number): number {
  return epochs.reduce((total, epoch) => total + sizeOf(epoch), 0);
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
