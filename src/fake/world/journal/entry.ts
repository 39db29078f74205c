import { dateNow, monotonicNow } from "../../../foundation/clock.js";
import { asSentence, durationWords } from "../../../foundation/grammar.js";
import { parseBody } from "../../../foundation/json.js";
import type {
  Cause,
  Delivery,
  Effect,
  GroupName,
  JournalEntry,
  RequestBody,
} from "../../../generated/types.js";
import type { BreakingKind } from "../../contract/fault-kinds.js";
import { effects, maxDepth } from "../../contract/operations.js";
import type { Decisions } from "../../service/decisions.js";
import type { Rejection } from "../../service/result.js";

/** What is kept of a rejection. Its details are in the text of the response. */
interface KeptRejection extends Pick<Rejection, "code" | "message" | "request"> {
  readonly situation: Rejection["situation"] | undefined;
}

/** The head of a request. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number | readonly string[] | undefined>>;
}

/** What a fault, an injected failure, or a reset while a fault held the request, did to a response. */
interface Intervention extends Pick<Cause, "fault"> {
  readonly code: "fault" | "injected" | "reset" | "stopped";
  /** What happened, as the beginning of a sentence. */
  readonly text: string;
}

/** What was sent over the wire. */
export interface Delivered {
  readonly delivery: Delivery;
  /** All headers; undefined if no byte was sent. */
  readonly headers?: Readonly<Record<string, string | number | readonly string[]>>;
  /** The body as far as it was sent; undefined if the response has none. */
  readonly sentText?: string | undefined;
}

/**
 * One request as raw text. `showEntry` makes a `JournalEntry` of it on demand, so recording costs a request very little.
 * It keeps no objects of the request, of the response or of groups: they can take ten times the memory of their text, and
 * more than `estimateBytes` counts. Its states:
 *
 * | state                           | `effect` | `rejection` | `delivered`   | `outcome`                          |
 * | ------------------------------- | -------- | ----------- | ------------- | ---------------------------------- |
 * | in progress, or held by a fault | any      | maybe       | no            | `pending`                          |
 * | the operation succeeded         | any      | no          | `complete`    | `success`                          |
 * | the operation or a check failed | `none`   | yes         | `complete`    | `failure`                          |
 * | a fault changed the response    | any      | maybe       | any           | `fault`                            |
 * | the client disconnected         | any      | maybe       | `caller-left` | `failure`, or `fault` if one fired |
 * | the server was stopped          | any      | maybe       | `cut`, `none` | `failure`, or `fault` if one fired |
 */
export class Entry {
  readonly id: number;
  readonly at = dateNow();
  readonly began = monotonicNow();
  readonly head: RequestHead;
  readonly decisions: Decisions;
  operation: JournalEntry["operation"] = null;
  /** The body as it is shown: inflated, without a BOM, without secrets. Undefined if it was not read, or is no text. */
  text: string | undefined = undefined;
  /** What the state listed when the request began: other API tokens are masked. */
  apiTokens: ReadonlyMap<string, number> | undefined;
  /** The body as JSON, for as long as the garbage collector leaves it: it can be ten times as large as its text. */
  #parsed: WeakRef<{ readonly json: unknown }> | undefined;
  /** Whether it overlapped the request of its rejection. */
  isConcurrent = false;
  /** The group that the request is about: as its operation found it, or as its body names it. */
  group: GroupName | undefined = undefined;
  /** The fault that fired. */
  fault: number | null = null;
  /** Why the service rejected the request. */
  rejection: KeptRejection | undefined;
  /** The fault in which it waited when its client disconnected, and how: "fault 1 held". */
  abandonedIn: string | undefined;
  /** What a fault did to the response. */
  intervention: Intervention | undefined;
  /** The kind of fault that breaks the response off on the wire. */
  broken: BreakingKind | undefined;
  /** Remarks beside the cause. */
  readonly notes: string[] = [];
  /** What the request did in the world. */
  effect: Effect = "none";
  /** With the effect `updated`: the fields of the group before and after, as JSON. */
  changes: string | undefined;
  /** Of the response that was meant for the client. */
  status: number | undefined;
  /** What the client could get of the response; undefined while the request is in progress. */
  delivered: Delivered | undefined;
  durationMs: number | null = null;

  constructor(id: number, head: RequestHead, decisions: Decisions) {
    this.id = id;
    this.head = head;
    this.decisions = decisions;
  }

  /** Milliseconds since the request began. */
  get elapsedMs(): number {
    return Math.round((monotonicNow() - this.began) * 1000) / 1000;
  }

  /** The team of the API token that the client sent, if it was listed. */
  get teamId(): number | undefined {
    const [, apiToken = ""] = /^\S+ (.+)/.exec(`${this.head.headers.authorization}`) ?? [];
    return this.apiTokens?.get(apiToken);
  }

  /** Whether it began before another request had its response. */
  overlaps({ began, durationMs }: Entry): boolean {
    return durationMs === null || this.began < began + durationMs;
  }

  get outcome(): JournalEntry["outcome"] {
    if (this.delivered === undefined) return "pending";
    if (this.intervention !== undefined) return "fault";
    if (this.delivered.delivery !== "complete") return this.fault === null ? "failure" : "fault";
    return this.rejection === undefined ? "success" : "failure";
  }

  /** The request body, parsed on demand: waits and filters read it again and again. */
  get json(): unknown {
    const kept = this.#parsed?.deref();
    if (kept !== undefined) return kept.json;
    const parsed = { json: parseOrKeep(this.text) };
    // The body may still arrive.
    if (this.text !== undefined) this.#parsed = new WeakRef(parsed);
    return parsed.json;
  }

  /** The response body as text, as far as it was sent. */
  get sentText(): string | undefined {
    return this.delivered?.sentText || undefined;
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
}

/** The text as JSON. The text itself if it is not JSON, or nests too deep to be serialised again. */
export function parseOrKeep(text: string | undefined): unknown {
  if (text === undefined) return null;
  const parsed = parseBody(text, maxDepth);
  return "json" in parsed ? parsed.json : text;
}

/** About how much memory an entry takes without headers and bodies. */
const entryBytes = 800;

/** About how much memory a header takes without its text. */
const headerBytes = 80;

/** V8 takes two bytes for each character of a text that is not Latin-1. */
const wideCharacter = /[\u0100-\uffff]/;

/** About how much memory an entry takes. */
export function estimateBytes({ head, text, delivered, changes, rejection, notes }: Entry): number {
  const { path, headers } = head;
  let bytes = entryBytes + path.length;
  for (const name in headers) bytes += headerBytes + name.length + String(headers[name]).length;
  bytes +=
    textBytes(text) + textBytes(delivered?.sentText) + textBytes(changes) + textBytes(rejection?.message);
  for (const note of notes) bytes += textBytes(note);
  return bytes;
}

function textBytes(text = ""): number {
  return text.length * (wideCharacter.test(text) ? 2 : 1);
}

/**
 * Why the client did not get a plain success; undefined if it did, or is still waiting. The only place that decides it,
 * from what the entry has recorded: what happened last is the cause.
 */
export function causeOf(entry: Entry): Cause | undefined {
  const { intervention, rejection, delivered } = entry;
  if (delivered === undefined) return undefined;
  if (delivered.delivery === "none" && intervention === undefined)
    return { code: "stopped", message: "The mock was stopped before the whole response was sent." };
  if (delivered.delivery === "caller-left" && intervention?.code !== "injected")
    return disconnectCause(entry, delivered);
  const because = rejection && rejectionCause(rejection, entry);
  if (intervention === undefined)
    return rejection && { code: rejection.code, message: rejection.message, ...because };
  const { text, ...others } = intervention;
  const why = rejection === undefined ? "" : ` ${rejection.message}`;
  return { ...others, message: `${asSentence(text)}${why}`, ...because };
}

/** The situation in which a request was rejected, and the earlier request that explains it. */
function rejectionCause({ situation, request }: KeptRejection, { isConcurrent }: Entry) {
  return {
    ...(situation !== undefined && { situation }),
    ...(request !== undefined && { request, ...(isConcurrent && { concurrent: true as const }) }),
  };
}

/** When the client disconnected, and what it cannot know. */
function disconnectCause(entry: Entry, { headers, sentText = "" }: Delivered): Cause {
  const { hadBeen, unseen } = effects[entry.effect];
  const time = durationWords(entry.durationMs ?? 0);
  // The client may have closed it, or sent a body that was invalid or too slow.
  if (entry.text === undefined)
    return {
      code: "caller-left",
      message: `The connection was closed after ${time}, before the body of the request had arrived.`,
    };
  const after = `the client closed the connection after ${time}`;
  const when =
    headers === undefined ? "before a response was sent" : `when ${sentText.length} characters had been sent`;
  const waiting = entry.abandonedIn === undefined ? "" : `, while ${entry.abandonedIn} the request`;
  const effect = unseen === undefined ? "" : `; ${hadBeen}, ${unseen}`;
  return {
    code: "caller-left",
    message: asSentence(`${after}, ${when}${waiting}${effect}`),
    ...(entry.fault !== null && { fault: entry.fault }),
  };
}
