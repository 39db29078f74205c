import { maxDepth } from "../../contract/limits.js";
import { dateNow, monotonicNow } from "../../foundation/clock.js";
import { fieldOf, parseJson, textNestsDeeper } from "../../foundation/json.js";
import type { Effect, JournalEntry, Operation, RequestBody } from "../../generated/types.js";
import type { Decisions } from "../../service/decisions.js";
import type { Reply } from "../../service/failures.js";
import { defaultBounds } from "../bounds.js";
import type { Delivered, PlannedResponse } from "../planned-response.js";

const nothingNoted: readonly string[] = [];

type EntryHeaders = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** The head of a request. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly headers: EntryHeaders;
  /** The size of path and headers, in characters. */
  readonly size: number;
}

/**
 * One call as raw text and references. It becomes a `JournalEntry` only when somebody reads it, so recording costs a
 * call next to nothing. Its states:
 *
 * | state                         | `performed` | `reply`               | `delivered`   | `outcome`            |
 * | ----------------------------- | ----------- | --------------------- | ------------- | -------------------- |
 * | under way, or held by a fault | maybe       | no                    | no            | `pending`            |
 * | the operation succeeded       | yes         | as performed          | `complete`    | `success`            |
 * | the operation or a check failed | no        | with a `failure`      | `complete`    | `failure`            |
 * | a fault changed the response  | maybe       | with a `fault`        | any           | `fault`              |
 * | the caller disconnected       | maybe       | maybe                 | `caller-left` | `failure`, or `fault` if one fired |
 * | the server was stopped        | maybe       | maybe                 | `cut`, `none` | `failure`, or `fault` if one fired |
 */
export class Entry {
  readonly id: number;
  readonly at = dateNow();
  readonly began = monotonicNow();
  readonly head: RequestHead;
  readonly decisions: Decisions;
  operation: Operation | null = null;
  /** The body as it was sent. */
  text: string | undefined = undefined;
  /** The body as JSON, once somebody asked for it. */
  parsed: { readonly json: unknown } | undefined;
  /** The fault that fired. */
  fault: number | null = null;
  notes = nothingNoted;
  /** What the service did and would answer; undefined when nothing happened. */
  performed: Reply | undefined;
  /** The answer that was meant for the caller. */
  reply: PlannedResponse | undefined;
  /** What the caller could get of it; undefined while the call is under way. */
  delivered: Delivered | undefined;
  /** When the caller closed the connection before it had the answer, in milliseconds since the call began. */
  leftMs: number | undefined;
  durationMs: number | null = null;
  /** 1-based answer order; used as the SSE event id. */
  answerOrder = 0;

  constructor(id: number, head: RequestHead, decisions: Decisions) {
    this.id = id;
    this.head = head;
    this.decisions = decisions;
  }

  note(...words: string[]): void {
    this.notes = [...this.notes, ...words];
  }

  /** What the caller sent as its API token; empty when there is none. */
  get apiToken(): string {
    return /^\S+ (.+)/.exec(String(this.head.headers.authorization ?? ""))?.[1] ?? "";
  }

  /** How long the call has taken by now, in milliseconds. */
  get elapsedMs(): number {
    return Math.round((monotonicNow() - this.began) * 1000) / 1000;
  }

  /** What the call did in the world. */
  get effect(): Effect {
    return this.performed?.effect ?? "none";
  }

  get outcome(): JournalEntry["outcome"] {
    if (this.delivered === undefined) return "pending";
    if (this.reply?.fault !== undefined) return "fault";
    // A caller that left got no answer, whatever it was.
    if (this.delivered.delivery !== "complete") return this.fault === null ? "failure" : "fault";
    return this.reply?.failure === undefined ? "success" : "failure";
  }

  /** The body of the request. Parsed once, and only on demand: waits and filters read it again and again. */
  get json(): unknown {
    // Somebody may look before the body has arrived.
    if (this.text === undefined) return null;
    this.parsed ??= { json: jsonOf(this.text) };
    return this.parsed.json;
  }

  /** The body of the response as text, as far as it was sent. The whole one is not kept: its JSON gives it again. */
  get sentText(): string | undefined {
    const { delivered, reply } = this;
    if (delivered?.headers === undefined) return undefined;
    if (delivered.sentText !== undefined) return delivered.sentText || undefined;
    return reply?.rawText ?? (reply?.body === undefined ? undefined : JSON.stringify(reply.body));
  }

  /** The same, parsed. */
  get sentJson(): unknown {
    const { delivered, reply } = this;
    const isWhole = delivered?.headers !== undefined && delivered.sentText === undefined;
    return isWhole && reply?.body !== undefined && reply.rawText === undefined
      ? reply.body
      : jsonOf(this.sentText);
  }

  /** Both bodies, character by character as they went over the wire. */
  get bodies(): RequestBody {
    return { request: this.text ?? null, response: this.sentText ?? null };
  }

  /** Whether it asks for the group of that id, or was about it. */
  concerns(groupId: string): boolean {
    const group = fieldOf(this.performed?.body, "user_group");
    return fieldOf(group, "provided_id") === groupId || fieldOf(this.json, "user_group_id") === groupId;
  }
}

/** JSON; the text where it is no JSON or nests too deep to be serialised again; or null. */
function jsonOf(text: string | undefined): unknown {
  if (text === undefined) return null;
  const json = parseJson(text) ?? text;
  return textNestsDeeper(text, json, maxDepth) ? text : json;
}

/** About what an entry takes besides its bodies, and besides headers that are longer than most. */
const entryBytes = 1_000;

/** The size of both bodies in characters: a small request can have a long list of problems as its answer. */
function sizeOf({ head, text, performed, delivered }: Entry): number {
  const changes = performed?.changes === undefined ? 0 : JSON.stringify(performed.changes).length;
  return Math.max(0, head.size - entryBytes) + (text?.length ?? 0) + changes + sizeOfAnswer(delivered);
}

function sizeOfAnswer(delivered: Delivered | undefined): number {
  return delivered?.sentText?.length ?? Number(delivered?.headers?.["Content-Length"] ?? 0);
}

/** What a world was asked and what it answered: the newest calls, bounded by count and by size. */
export class Journal {
  /** How many calls it keeps. */
  readonly size: number;
  readonly #maxCharacters: number;
  /** Called with every entry once it is complete. */
  #closed: (entry: Entry) => void;
  /** A ring: the entry of an id is at (id - 1) % size. */
  readonly #slots: (Entry | undefined)[] = [];
  /** What the entry of each slot counts for, once it is complete. Reading it from old entries again would be slow. */
  readonly #sizes: (number | undefined)[] = [];
  #last = 0;
  #answered = 0;
  #oldest = 1;
  /** The size of the bodies of answered calls. */
  #characters = 0;
  #dropped = 0;
  #failures = 0;

  constructor(size: number, closed: (entry: Entry) => void, maxCharacters = defaultBounds.journalCharacters) {
    this.size = size;
    this.#maxCharacters = maxCharacters;
    this.#closed = closed;
  }

  /** The id of the newest call. */
  get last(): number {
    return this.#last;
  }

  /** Begins the entry of a call. Ids count from 1, without a gap. */
  open(head: RequestHead, decisions: Decisions): Entry {
    const entry = new Entry(++this.#last, head, decisions);
    if (entry.id - this.#oldest >= this.size) this.drop();
    const slot = (entry.id - 1) % this.size;
    this.#slots[slot] = entry;
    this.#sizes[slot] = undefined;
    return entry;
  }

  /** Completes the entry of a call, just before its caller can have the last byte. */
  close(entry: Entry, reply: PlannedResponse | undefined, delivered: Delivered): void {
    entry.reply = reply;
    entry.delivered = delivered;
    entry.durationMs = entry.leftMs ?? entry.elapsedMs;
    entry.answerOrder = ++this.#answered;
    if (entry.id >= this.#oldest) {
      if (entry.outcome === "failure") this.#failures++;
      const size = sizeOf(entry);
      this.#sizes[(entry.id - 1) % this.size] = size;
      this.#characters += size;
      while (this.#characters > this.#maxCharacters && this.#oldest < this.#last) this.drop();
    }
    this.#closed(entry);
  }

  get(id: number): Entry | undefined {
    return id < this.#oldest || id > this.#last ? undefined : this.#slots[(id - 1) % this.size];
  }

  /** The entries, oldest first. */
  *[Symbol.iterator](): Generator<Entry> {
    for (let id = this.#oldest; id <= this.#last; id++) {
      const entry = this.get(id);
      if (entry !== undefined) yield entry;
    }
  }

  /** Forgets the entries; ids go on counting. */
  clear(): void {
    this.#slots.length = 0;
    this.#oldest = this.#last + 1;
    this.#characters = 0;
    this.#dropped = 0;
    this.#failures = 0;
  }

  /** How many calls were made, and how many of them failed, also of those that were dropped. */
  get counts(): { readonly requests: number; readonly failures: number } {
    return { requests: this.entryCount + this.#dropped, failures: this.#failures };
  }

  /** How many entries were dropped since it was cleared. */
  get dropped(): number {
    return this.#dropped;
  }

  /** How many entries it has. */
  get entryCount(): number {
    return this.#last - this.#oldest + 1;
  }

  /** The size of the bodies, in characters. */
  get characters(): number {
    return this.#characters;
  }

  /** About what it takes, in bytes. */
  get bytes(): number {
    return this.entryCount * entryBytes + this.#characters;
  }

  /** Its world was reset or dropped. The listener holds the epoch; the history keeps only the journal. */
  release(): void {
    this.#closed = () => {};
  }

  /** Drops the oldest entry. */
  drop(): void {
    const slot = (this.#oldest - 1) % this.size;
    this.#characters -= this.#sizes[slot] ?? 0;
    this.#slots[slot] = undefined;
    this.#oldest++;
    this.#dropped++;
  }
}
