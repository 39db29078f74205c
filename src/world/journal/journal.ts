import { maxDepth } from "../../contract/limits.js";
import { dateNow, monotonicNow } from "../../foundation/clock.js";
import { fieldOf, parseBody } from "../../foundation/json.js";
import type { Cause, Effect, JournalEntry, Operation, RequestBody } from "../../generated/types.js";
import type { Decisions } from "../../service/decisions.js";
import type { Performed, Rejection } from "../../service/result.js";
import type { Delivered, SentResponse } from "../sent-response.js";

/** The head of a request. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** How many headers were sent. Those of equal names are one value in `headers`. */
  readonly headerCount: number;
}

/** What a fault, an injected failure, or the end of an epoch while a fault held the request, did to a response. */
export interface Intervention {
  readonly code: "fault" | "injected" | "reset" | "stopped";
  /** The fault, unless a run injected the failure. */
  readonly fault?: number;
  /** What happened, as the beginning of a sentence. */
  readonly text: string;
}

/**
 * One request as raw text and references. `showEntry` makes a `JournalEntry` of it on demand, so recording costs a
 * request very little. Its states:
 *
 * | state                           | `performed` | `response`         | `delivered`   | `outcome`                          |
 * | ------------------------------- | ----------- | ------------------ | ------------- | ---------------------------------- |
 * | in progress, or held by a fault | maybe       | no                 | no            | `pending`                          |
 * | the operation succeeded         | yes         | as performed       | `complete`    | `success`                          |
 * | the operation or a check failed | no          | with a `rejection` | `complete`    | `failure`                          |
 * | a fault changed the response    | maybe       | maybe              | any           | `fault`                            |
 * | the client disconnected         | maybe       | maybe              | `caller-left` | `failure`, or `fault` if one fired |
 * | the server was stopped          | maybe       | maybe              | `cut`, `none` | `failure`, or `fault` if one fired |
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
  /** Whether the state lists the API token that the client sent: others are masked. */
  isTokenListed = false;
  /** The body as JSON, for as long as the garbage collector leaves it: it can be ten times as large as its text. */
  #parsed: WeakRef<{ readonly json: unknown }> | undefined;
  /** The fault that fired. */
  fault: number | null = null;
  /** Why the service rejected the request. */
  rejection: Rejection | undefined;
  /** What a fault did to the response. */
  intervention: Intervention | undefined;
  /** Why the client did not get a plain success. `decideCause` sets it when the entry is complete. */
  cause: Cause | undefined;
  /** Remarks beside the cause. */
  notes: readonly string[] = [];
  /** What the service did; undefined if nothing happened. */
  performed: Performed | undefined;
  /** The response that was meant for the client. */
  response: SentResponse | undefined;
  /** What the client could get of the response; undefined while the request is in progress. */
  delivered: Delivered | undefined;
  /** When the client disconnected before it had the response, in milliseconds since the request began. */
  disconnectedMs: number | undefined;
  durationMs: number | null = null;
  /** About how much memory it takes, once it is complete. */
  bytes = 0;

  constructor(id: number, head: RequestHead, decisions: Decisions) {
    this.id = id;
    this.head = head;
    this.decisions = decisions;
  }

  note(...texts: string[]): void {
    this.notes = [...this.notes, ...texts];
  }

  /** The API token that the client sent, or an empty text. */
  get apiToken(): string {
    return /^\S+ (.+)/.exec(String(this.head.headers.authorization ?? ""))?.[1] ?? "";
  }

  /** Milliseconds since the request began. */
  get elapsedMs(): number {
    return Math.round((monotonicNow() - this.began) * 1000) / 1000;
  }

  /** What the request did in the world. */
  get effect(): Effect {
    return this.performed?.effect ?? "none";
  }

  get outcome(): JournalEntry["outcome"] {
    if (this.delivered === undefined) return "pending";
    if (this.intervention !== undefined) return "fault";
    if (this.delivered.delivery !== "complete") return this.fault === null ? "failure" : "fault";
    return this.response?.rejection === undefined ? "success" : "failure";
  }

  /** The request body, parsed on demand: waits and filters read it again and again. */
  get json(): unknown {
    if (this.text === undefined) return null;
    const kept = this.#parsed?.deref();
    if (kept !== undefined) return kept.json;
    const parsed = { json: parseOrKeep(this.text) };
    this.#parsed = new WeakRef(parsed);
    return parsed.json;
  }

  /** The response body as text, as far as it was sent. A complete body is not kept as text, but made from its JSON. */
  get sentText(): string | undefined {
    const { delivered, response } = this;
    if (delivered?.headers === undefined) return undefined;
    if (delivered.sentText !== undefined) return delivered.sentText || undefined;
    return response?.rawText ?? (response?.body === undefined ? undefined : JSON.stringify(response.body));
  }

  /** The response body, parsed, as far as it was sent. A complete body is not parsed again. */
  get sentJson(): unknown {
    const { delivered, response } = this;
    const isComplete = delivered?.headers !== undefined && delivered.sentText === undefined;
    const isJson = response?.body !== undefined && response.rawText === undefined;
    return isComplete && isJson ? response.body : parseOrKeep(this.sentText);
  }

  /** How the response did not reach the client, as the end of a sentence; undefined if it did, or if it is not sent yet. */
  get lostBy(): string | undefined {
    const { delivered, fault, outcome } = this;
    if (delivered === undefined || outcome === "success") return undefined;
    if (fault !== null) return `was lost (fault ${fault})`;
    return delivered.delivery === "caller-left" ? "was lost (the client had disconnected)" : "was lost";
  }

  /** Both bodies, character by character as they went over the wire. */
  get bodies(): RequestBody {
    return { request: this.text ?? null, response: this.sentText ?? null };
  }

  /** The id of the group that the request is about: as its operation found it, or as its body names it. */
  get groupId(): string | undefined {
    const sent = fieldOf(this.json, "user_group_id");
    const found = this.performed?.group.provided_id ?? this.rejection?.about;
    return found ?? (typeof sent === "string" ? sent : undefined);
  }
}

/** The text as JSON. The text itself if it is not JSON, or nests too deep to be serialised again. */
function parseOrKeep(text: string | undefined): unknown {
  if (text === undefined) return null;
  const parsed = parseBody(text, maxDepth);
  return "json" in parsed ? parsed.json : text;
}

/** About how much memory an entry takes without headers and bodies, and a header without its text. */
const [entryBytes, headerBytes] = [800, 80];

/** V8 takes two bytes for each character of a text that is not Latin-1. */
const wideCharacter = /[\u0100-\uffff]/;

function estimateBytes({ head, text = "", performed, delivered }: Entry): number {
  const { path, headers, headerCount } = head;
  const bodies = text + (performed?.changes === undefined ? "" : JSON.stringify(performed.changes));
  const response = Number(delivered?.headers?.["Content-Length"] ?? 0);
  let bytes = entryBytes + headerBytes * headerCount + path.length + response;
  for (const name in headers) bytes += name.length + String(headers[name]).length;
  return bytes + bodies.length * (wideCharacter.test(bodies) ? 2 : 1);
}

/** The requests of an epoch with their responses: all that are pending, and the newest complete ones. */
export class Journal {
  /** How many complete requests it keeps. */
  readonly size: number;
  readonly #count: (bytes: number) => void;
  readonly #changed: () => void;
  /** Called with every entry once it is complete. */
  completed: (entry: Entry) => void;
  /** By id, in the order of ids. */
  readonly #entries = new Map<number, Entry>();
  /** The ids of complete entries, in the order of their completion. */
  readonly #complete = new Set<number>();
  /** Continues after the id that was dropped last. A new iterator would first skip the places of all dropped ids. */
  readonly #oldestFirst = this.#complete.values();
  #lastId = 0;
  #failures = 0;
  /** About how much memory its complete entries take. */
  bytes = 0;
  /** How many entries were dropped since the journal was cleared. */
  dropped = 0;

  /**
   * @param count is called with the bytes that it has added or removed
   * @param changed is called whenever entries begin, end or are cleared
   */
  constructor(
    size: number,
    completed: (entry: Entry) => void,
    count: (bytes: number) => void,
    changed: () => void,
  ) {
    this.size = size;
    this.completed = completed;
    this.#count = count;
    this.#changed = changed;
  }

  /** Begins the entry of a request. */
  open(head: RequestHead, decisions: Decisions): Entry {
    const entry = new Entry(++this.#lastId, head, decisions);
    this.#entries.set(entry.id, entry);
    this.#changed();
    return entry;
  }

  /** Completes the entry of a request, just before its client can have the last byte. */
  close(entry: Entry, response: SentResponse | undefined, delivered: Delivered): void {
    entry.response = response;
    entry.delivered = delivered;
    entry.durationMs = entry.disconnectedMs ?? entry.elapsedMs;
    if (this.#entries.has(entry.id)) {
      // A request whose client disconnected was not rejected.
      if (entry.outcome === "failure" && delivered.delivery === "complete") this.#failures++;
      if (this.#complete.size === this.size) this.drop();
      this.#complete.add(entry.id);
      entry.bytes = estimateBytes(entry);
      this.#grow(entry.bytes);
    }
    this.#changed();
    this.completed(entry);
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
    this.#changed();
    this.#grow(-this.bytes);
    this.dropped = 0;
    this.#failures = 0;
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
    const { value: id = 0 } = this.#oldestFirst.next();
    const bytes = this.#entries.get(id)?.bytes ?? 0;
    this.#complete.delete(id);
    this.#entries.delete(id);
    this.dropped++;
    this.#grow(-bytes);
  }

  #grow(bytes: number): void {
    this.bytes += bytes;
    this.#count(bytes);
  }
}
