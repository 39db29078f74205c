import { clearTimeout, dateNow, setTimeout } from "../../../foundation/clock.js";
import { counted } from "../../../foundation/grammar.js";
import { shippedSchemas } from "../../../generated/shipped-schemas.js";
import type { WaitRequest } from "../../../generated/types.js";
import { MockError } from "../../contract/mock-error.js";
import type { Decisions } from "../../service/decisions.js";
import { closestMatches, matchesRule } from "../match.js";
import { type Delivered, Entry, estimateBytes, type RequestHead } from "./entry.js";

const { count: countField, timeoutMs: timeoutField } = shippedSchemas["wait.request.json"].properties;

/** What the journals of a server have in common. */
export interface JournalParts {
  /** How many complete requests a journal keeps. Pending ones are never dropped. */
  readonly journalSize: number;
  /** Called with the bytes that a journal has added or removed. */
  readonly countBytes: (bytes: number) => void;
}

/**
 * The requests to a world from one reset to the next, with their responses: all that are pending, and the newest complete
 * ones. Waits look at each request that is completed.
 */
export class Journal {
  readonly world: string;
  /** The number of the reset before it, from 1. */
  readonly epoch: number;
  readonly label: string | undefined;
  readonly startedAt = dateNow();
  /** Undefined while it goes on. */
  endedAt: number | undefined;
  /** The tokens that its world had issued when it ended, so that one of them can be told from one that never existed. */
  issued: ReadonlySet<string> = new Set();
  readonly #parts: JournalParts;
  /** By id, in the order of ids. */
  readonly #entries = new Map<number, Entry>();
  /** The bytes of complete entries by their ids, in the order of their completion. */
  readonly #complete = new Map<number, number>();
  /** Continues after the id that was dropped last. A new iterator would first skip the places of all dropped ids. */
  readonly #oldestFirst = this.#complete.entries();
  /** Each looks whether its wait has ended. */
  readonly #waits = new Set<(entry?: Entry) => void>();
  /** Why waits are aborted. */
  #abortedBy: string | undefined;
  #lastId = 0;
  #failures = 0;
  /** When the last request began. Undefined if there was none since the journal was cleared. */
  lastAt: number | undefined;
  /** About how much memory its complete entries take. */
  bytes = 0;
  /** How many entries were dropped since the journal was cleared. */
  dropped = 0;

  constructor(parts: JournalParts, world: string, epoch: number, label?: string) {
    this.#parts = parts;
    this.world = world;
    this.epoch = epoch;
    this.label = label;
  }

  /** Begins the entry of a request. */
  open(head: RequestHead, decisions: Decisions): Entry {
    const entry = new Entry(++this.#lastId, head, decisions);
    this.#entries.set(entry.id, entry);
    this.lastAt = entry.at;
    return entry;
  }

  /** Completes the entry of a request, just before its client can have the last byte. */
  close(entry: Entry, status: number | undefined, delivered: Delivered): void {
    entry.status = status;
    entry.delivered = delivered;
    entry.durationMs = entry.elapsedMs;
    // Otherwise the journal was cleared meanwhile.
    if (this.#entries.has(entry.id)) this.#keep(entry);
    for (const look of this.#waits) look(entry);
  }

  #keep(entry: Entry): void {
    // A request whose client disconnected was not rejected.
    if (entry.outcome === "failure" && entry.delivered?.delivery === "complete") this.#failures++;
    if (this.#complete.size === this.#parts.journalSize) this.drop();
    const bytes = estimateBytes(entry);
    this.#complete.set(entry.id, bytes);
    this.#grow(bytes);
  }

  /** The entries that match, once there are enough. Rejects with the near misses at the timeout. */
  wait(request: WaitRequest): Promise<Entry[]> {
    const { count = countField.default, timeoutMs = timeoutField.default } = request;
    let found = this.#completed().filter((entry) => matchesRule(request, entry));
    return new Promise((resolve, reject) => {
      const fail = (error: MockError) => {
        stop();
        reject(error);
      };
      const look = (entry?: Entry) => {
        // The journal may have dropped some of them since.
        if (entry !== undefined && matchesRule(request, entry))
          found = [...found, entry].filter(({ id }) => this.get(id) !== undefined);
        if (found.length >= count) {
          stop();
          resolve(found.sort((a, b) => a.id - b.id));
        } else if (this.#abortedBy !== undefined) {
          fail(new MockError("aborted", `This wait was aborted: ${this.#abortedBy}.`));
        }
      };
      const timer = setTimeout(() => fail(this.#timeout(request, count, timeoutMs)), timeoutMs);
      const stop = () => {
        clearTimeout(timer);
        this.#waits.delete(look);
      };
      this.#waits.add(look);
      look();
    });
  }

  abortWaits(reason: string): void {
    this.#abortedBy = reason;
    for (const look of this.#waits) look();
  }

  #completed(): Entry[] {
    return [...this].filter(({ outcome }) => outcome !== "pending");
  }

  #timeout(request: WaitRequest, count: number, timeoutMs: number): MockError {
    const entries = this.#completed();
    const others = entries.filter((entry) => !matchesRule(request, entry));
    const wanted = counted(count, "matching request");
    const matching = `${entries.length - others.length} of ${wanted} completed within ${timeoutMs} ms`;
    const total =
      entries.length === 0 ? "there were no requests" : `${counted(entries.length, "request")} in total`;
    const closest = others.length === 0 ? "" : " Near misses:";
    const details = closestMatches(request, others).map(({ request: { id }, reason }) => {
      return { path: `/requests/${id}`, message: reason };
    });
    return new MockError("timeout", `${matching}; ${total}.${closest}`, details);
  }

  get(id: number): Entry | undefined {
    return this.#entries.get(id);
  }

  /** The entries in the order of their ids. */
  [Symbol.iterator](): Iterator<Entry> {
    return this.#entries.values();
  }

  /** Removes all entries. Ids go on counting. */
  clear(): void {
    this.#entries.clear();
    this.#complete.clear();
    this.#grow(-this.bytes);
    this.dropped = 0;
    this.#failures = 0;
    this.lastAt = undefined;
  }

  /** How many requests were made and how many of them were rejected, including those that were dropped. */
  get counts(): { readonly requests: number; readonly failures: number } {
    return { requests: this.entryCount + this.dropped, failures: this.#failures };
  }

  get entryCount(): number {
    return this.#entries.size;
  }

  /** Drops the entry that was completed first. There must be one. */
  drop(): void {
    const [id, bytes] = this.#oldestFirst.next().value ?? [0, 0];
    this.#complete.delete(id);
    this.#entries.delete(id);
    this.dropped++;
    this.#grow(-bytes);
  }

  #grow(bytes: number): void {
    this.bytes += bytes;
    this.#parts.countBytes(bytes);
  }
}
