import { maxDepth } from "../contract/limits.js";
import type { JournalEntry, JournalFilter, JournalPage, Operation } from "../contract/types.js";
import { dateNow, monotonicNow } from "../foundation/clock.js";
import { fieldOf, parseJson, textNestsDeeper } from "../foundation/json.js";
import type { Decisions } from "../service/decisions.js";
import type { Answer } from "./answer.js";
import { type Budget, maxJournalBytes } from "./budget.js";

type EntryHeaders = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** The head of a request. */
export interface CallHead {
  readonly method: string;
  readonly path: string;
  readonly headers: EntryHeaders;
}

/**
 * One call as raw text and references. It becomes a `JournalEntry` only when somebody reads it, so recording costs a
 * call next to nothing.
 */
export class Entry {
  readonly id: number;
  readonly at = dateNow();
  readonly began = monotonicNow();
  readonly head: CallHead;
  readonly decisions: Decisions;
  operation: Operation | null = null;
  /** The body as it was sent. */
  text: string | undefined;
  /** The body as JSON, once somebody asked for it. */
  parsed: { readonly json: unknown } | undefined;
  /** The fault that fired. */
  fault: number | null = null;
  notes: readonly string[] = [];
  reply: Answer | undefined;
  replyHeaders: EntryHeaders | undefined;
  durationMs: number | null = null;
  /** 1-based answer order; used as the SSE event id. */
  answerOrder = 0;

  constructor(id: number, head: CallHead, decisions: Decisions) {
    this.id = id;
    this.head = head;
    this.decisions = decisions;
  }

  note(...words: string[]): void {
    this.notes = [...this.notes, ...words];
  }

  get outcome(): JournalEntry["outcome"] {
    if (this.durationMs === null) return "pending";
    if (this.reply?.fault !== undefined) return "fault";
    return this.reply === undefined || this.reply.failure !== undefined ? "failure" : "success";
  }

  /** The body: JSON; the text where it is no JSON or nests too deep to be serialised again; or null. */
  get json(): unknown {
    if (this.text === undefined) return null;
    // Parsed once, and only when somebody asks: waits and filters ask for every entry, again and again.
    if (this.parsed === undefined) {
      const json = parseJson(this.text) ?? this.text;
      this.parsed = { json: textNestsDeeper(this.text, json, maxDepth) ? this.text : json };
    }
    return this.parsed.json;
  }

  /** Whether it asks for the group of that id, or was answered with it. */
  concerns(groupId: string): boolean {
    const answered = fieldOf(fieldOf(this.reply?.body, "user_group"), "provided_id");
    const asked = fieldOf(this.json, "user_group_id");
    return answered === groupId || asked === groupId;
  }
}

/** About what an entry takes besides its bodies: headers, most of all. */
const entryBytes = 1_000;

/** The size of both bodies in characters: a small request can have a long list of problems as its answer. */
function sizeOf({ text, replyHeaders }: Entry): number {
  return (text?.length ?? 0) + Number(replyHeaders?.["Content-Length"] ?? 0);
}

/** The size of all bodies of a journal, in characters; beyond it the oldest entries are dropped. */
const maxCharacters = 8_000_000;

/** What a world was asked and what it answered: the newest calls, bounded by count and by size. */
export class Journal {
  readonly #size: number;
  readonly #budget: Budget;
  /** Called with every entry once it is answered. */
  readonly #closed: (entry: Entry) => void;
  /** A ring: the entry of an id is at (id - 1) % size. */
  readonly #slots: (Entry | undefined)[] = [];
  #last = 0;
  #answered = 0;
  #oldest = 1;
  /** Answered calls, and the size of their bodies. */
  #counted = 0;
  #characters = 0;
  #dropped = 0;
  #isReleased = false;

  constructor(size: number, budget: Budget, closed: (entry: Entry) => void) {
    this.#size = size;
    this.#budget = budget;
    this.#closed = closed;
  }

  /** How many calls it keeps. */
  get size(): number {
    return this.#size;
  }

  /** The id of the newest call. */
  get last(): number {
    return this.#last;
  }

  /** Begins the entry of a call. Ids count from 1, without a gap. */
  open(head: CallHead, decisions: Decisions): Entry {
    const entry = new Entry(++this.#last, head, decisions);
    if (entry.id - this.#oldest >= this.#size) this.#drop();
    this.#slots[(entry.id - 1) % this.#size] = entry;
    return entry;
  }

  close(entry: Entry, reply: Answer | undefined, headers: EntryHeaders | undefined): void {
    entry.reply = reply;
    entry.replyHeaders = headers;
    entry.durationMs = Math.round((monotonicNow() - entry.began) * 1000) / 1000;
    entry.answerOrder = ++this.#answered;
    if (entry.id >= this.#oldest) {
      this.#count(1, sizeOf(entry));
      while (this.#isFull() && this.#oldest < this.#last) this.#drop();
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
    this.#count(-this.#counted, -this.#characters);
    this.#dropped = 0;
  }

  /** Its world was reset or dropped: it no longer counts among those of the server. */
  release(): void {
    this.#budget.journals -= this.#counted * entryBytes + this.#characters;
    this.#isReleased = true;
  }

  #isFull(): boolean {
    return this.#characters > maxCharacters || (!this.#isReleased && this.#budget.journals > maxJournalBytes);
  }

  #count(entries: number, characters: number): void {
    this.#counted += entries;
    this.#characters += characters;
    if (!this.#isReleased) this.#budget.journals += entries * entryBytes + characters;
  }

  #drop(): void {
    const slot = (this.#oldest - 1) % this.#size;
    const entry = this.#slots[slot];
    if (entry?.durationMs != null) this.#count(-1, -sizeOf(entry));
    this.#slots[slot] = undefined;
    this.#oldest++;
    this.#dropped++;
  }
}
