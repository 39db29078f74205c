import type { JournalEntry, JournalFilter, JournalPage } from "../contract/types.js";
import { maxDepth, textNestsDeeper } from "../foundation/json.js";
import type { Operation } from "../service/check-body.js";
import type { Reply } from "../service/failures.js";
import type { Rulings } from "../service/rulings.js";

type Headers = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** What has come in, as far as the head of the request tells. */
export interface CallHead {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
}

/**
 * One call, as it was: references and raw text. Turning it into a `JournalEntry` waits until somebody reads it,
 * so that recording costs a call next to nothing.
 */
export class Entry {
  readonly id: number;
  readonly at = Date.now();
  readonly began = performance.now();
  readonly head: CallHead;
  readonly rulings: Rulings;
  operation: Operation | null = null;
  /** The body as it was sent. */
  text: string | undefined;
  /** The fault that fired. */
  fault: number | null = null;
  notes: readonly string[] = [];
  reply: Reply | undefined;
  replyHeaders: Headers | undefined;
  durationMs: number | null = null;
  /** As the how manieth of the journal it was answered: readers of the event stream resume by it. */
  answeredAs = 0;

  constructor(id: number, head: CallHead, rulings: Rulings) {
    this.id = id;
    this.head = head;
    this.rulings = rulings;
  }

  note(...words: string[]): void {
    this.notes = [...this.notes, ...words];
  }

  get outcome(): JournalEntry["outcome"] {
    if (this.durationMs === null) return "pending";
    if (this.reply?.fault !== undefined) return "fault";
    return this.reply === undefined || this.reply.failure !== undefined ? "failure" : "success";
  }

  /** What was sent: JSON, text that is none (or that no stack would bear to be written again), or null. */
  get json(): unknown {
    if (this.text === undefined) return null;
    try {
      const json = JSON.parse(this.text);
      return textNestsDeeper(this.text, json, maxDepth) ? this.text : json;
    } catch {
      return this.text;
    }
  }

  /** Whether it asks for the group of that id, or was answered with it. */
  concerns(groupId: string): boolean {
    const answered = field(field(this.reply?.body, "user_group"), "provided_id");
    const asked = field(this.json, "user_group_id");
    return answered === groupId || asked === groupId;
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** What an entry holds of bodies, in characters: a small one can have a long list of problems as its answer. */
function sizeOf({ text, replyHeaders }: Entry): number {
  return (text?.length ?? 0) + Number(replyHeaders?.["Content-Length"] ?? 0);
}

/** More than this of bodies, in characters, and the oldest entries go. */
const maxCharacters = 8_000_000;

/** What a world was asked and what it answered: the newest calls, bounded by count and by size. */
export class Journal {
  readonly #size: number;
  /** Called with every entry that has been answered. */
  readonly #closed: (entry: Entry) => void;
  /** The entry of an id lies at (id - 1) % size. */
  readonly #slots: (Entry | undefined)[] = [];
  #last = 0;
  #answered = 0;
  #oldest = 1;
  #characters = 0;
  #dropped = 0;

  constructor(size: number, closed: (entry: Entry) => void) {
    this.#size = size;
    this.#closed = closed;
  }

  /** How many calls it keeps. */
  get size(): number {
    return this.#size;
  }

  /** How many calls there have been. */
  get last(): number {
    return this.#last;
  }

  /** Begins the entry of a call: ids count from 1, without a gap. */
  open(head: CallHead, rulings: Rulings): Entry {
    const entry = new Entry(++this.#last, head, rulings);
    if (entry.id - this.#oldest >= this.#size) this.#drop();
    this.#slots[(entry.id - 1) % this.#size] = entry;
    return entry;
  }

  close(entry: Entry, reply: Reply | undefined, headers: Headers | undefined): void {
    entry.reply = reply;
    entry.replyHeaders = headers;
    entry.durationMs = Math.round((performance.now() - entry.began) * 1000) / 1000;
    entry.answeredAs = ++this.#answered;
    if (entry.id >= this.#oldest) {
      this.#characters += sizeOf(entry);
      while (this.#characters > maxCharacters && this.#oldest < this.#last) this.#drop();
    }
    this.#closed(entry);
  }

  get(id: number): Entry | undefined {
    return id < this.#oldest || id > this.#last ? undefined : this.#slots[(id - 1) % this.#size];
  }

  /** The entries, oldest first. */
  *[Symbol.iterator](): Generator<Entry> {
    for (let id = this.#oldest; id <= this.#last; id++) {
      const entry = this.get(id);
      if (entry !== undefined) yield entry;
    }
  }

  page(filter: JournalFilter, show: (entry: Entry) => JournalEntry): JournalPage {
    const { operation, outcome, user_group_id, after = 0, limit = Number.POSITIVE_INFINITY } = filter;
    const matching = [...this].filter(
      (entry) =>
        entry.id > after &&
        (operation === undefined || entry.operation === operation) &&
        (outcome === undefined || entry.outcome === outcome) &&
        (user_group_id === undefined || entry.concerns(user_group_id)),
    );
    const requests = matching.slice(0, limit).map(show);
    return { requests, total: matching.length, dropped: this.#dropped };
  }

  /** Forgets the entries; ids go on counting. */
  clear(): void {
    this.#slots.length = 0;
    this.#oldest = this.#last + 1;
    this.#characters = 0;
    this.#dropped = 0;
  }

  #drop(): void {
    const slot = (this.#oldest - 1) % this.#size;
    const entry = this.#slots[slot];
    if (entry?.durationMs != null) this.#characters -= sizeOf(entry);
    this.#slots[slot] = undefined;
    this.#oldest++;
    this.#dropped++;
  }
}
