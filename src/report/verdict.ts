import { effects } from "../fake/contract/effects.js";
import { findKinds } from "../fake/contract/fault-kinds.js";
import { counted, durationWords, sentence } from "../foundation/grammar.js";
import type { Fault, JournalEntry } from "../generated/types.js";
import { isFollowed, kindOfRequest, remarksOf, requestName } from "./entry-facts.js";
import { findShown } from "./evidence.js";
import { faultName } from "./fault-name.js";
import { arrivedAfter, type Moment, splitAt } from "./moment.js";
import { describeNoRequest } from "./no-request.js";
import type { FailureMark, ReportedError } from "./report-data.js";

/** What is known of a test. */
export interface FailureFacts {
  /** Undefined if no error is known: then nothing has a cause. */
  readonly error: ReportedError | undefined;
  readonly mark: FailureMark | undefined;
  readonly entries: readonly JournalEntry[];
  readonly faults: readonly Fault[];
  /** The base URL that the test was given. */
  readonly url: string | undefined;
}

/** Text, or the number of a request: a link on the page. */
export type VerdictPart = string | { readonly request: number };

/** What is said of a failed test beside its error, in the terminal and on the page. */
export interface FailureVerdict {
  readonly label?: "Likely cause" | "After the failure" | "Last rejected";
  /** Empty if there is nothing to say. */
  readonly parts: readonly VerdictPart[];
  /** The request that is open until the reader chooses one. */
  readonly request: number | undefined;
  /** It says all that the error says. */
  readonly repeatsError?: true;
  /** It has the cause or the remarks of the request. */
  readonly explains?: true;
}

/** The first line that applies. */
export function findVerdict(facts: FailureFacts): FailureVerdict {
  const moment = splitAt(facts.entries, facts.mark, facts.error);
  return (
    missedFaults(facts, moment) ??
    likelyCause(facts, moment) ??
    stillWaiting(facts, moment) ??
    lastRemark(moment) ??
    nothingArrived(facts) ?? {
      ...(afterFailure(moment) ?? lastRejected(moment)),
      request: closest(facts, moment),
    }
  );
}

/** The verdict as one line of text; empty if there is nothing to say. */
export function verdictText({ label, parts }: Pick<FailureVerdict, "label" | "parts">): string {
  const text = parts.map((part) => (typeof part === "string" ? part : `#${part.request}`)).join("");
  return label === undefined ? text : `${label}: ${text}`;
}

const link = ({ id }: Pick<JournalEntry, "id">): VerdictPart => ({ request: id });

/** The error came from `assertFaultsFired`. */
function missedFaults({ error, faults }: FailureFacts, { before }: Moment): FailureVerdict | undefined {
  if (error?.code !== "fault_never_fired") return undefined;
  const missed = faults.filter(({ fired, times = 1 }) => fired < (times === "always" ? 1 : times));
  if (missed.length === 0) return undefined;
  const known = new Set(before.map(({ id }) => id));
  const parts: VerdictPart[] = [];
  let request: number | undefined;
  for (const fault of missed) {
    const misses = (fault.nearMisses ?? []).filter((miss) => known.has(miss.request));
    request ??= misses[0]?.request;
    if (parts.length > 0) parts.push(" ");
    parts.push(...describeMissed(fault, misses));
  }
  return { parts, request, repeatsError: true };
}

/** `Fault 1 (rotate → 503) has not fired. #1 it was get-or-create, not rotate.` */
function describeMissed(fault: Fault, misses: NonNullable<Fault["nearMisses"]>): VerdictPart[] {
  const { id, fired, times = 1 } = fault;
  const often = fired === 0 ? "has not fired" : `fired ${fired} of ${times} times`;
  const what = `Fault ${id} (${faultName(fault)}) ${often}. `;
  if (misses.length === 0) return [what, "No other request came after it was armed."];
  const reasons = misses.flatMap(({ request, reason }): VerdictPart[] => ["; ", { request }, ` ${reason}`]);
  return [what, ...reasons.slice(1), "."];
}

/** A rejected or broken request that the error shows. That it was the last one says nothing. */
function likelyCause({ error, entries }: FailureFacts, moment: Moment): FailureVerdict | undefined {
  if (error === undefined) return undefined;
  const { before, waiting } = moment;
  const failed = before.filter((entry) => entry.cause !== null && !waiting.includes(entry));
  const found = findShown(error, failed, before) ?? abandoned(error, moment);
  return (
    found && { label: "Likely cause", parts: chainOf(found, entries), request: found.id, explains: true }
  );
}

/** The request on which the client gave up, if the error is that it did, and no fault was involved. */
function abandoned(error: ReportedError, moment: Moment): JournalEntry | undefined {
  const entry = error.kind === "abort" ? lastAbandoned(moment) : undefined;
  return entry?.fault === null ? entry : undefined;
}

/** The request on which the client gave up, if it sent none afterwards. */
function lastAbandoned({ before, waiting }: Moment): JournalEntry | undefined {
  const ended = before.filter((entry) => !waiting.includes(entry));
  const entry = ended.findLast(({ cause }) => cause?.code === "caller-left");
  return entry === undefined || isFollowed(entry, before) ? undefined : entry;
}

/** The request, why it failed, and what to do: `#3 sent a stale token ← #2 rotated it. Use the group's latest token.` */
function chainOf(entry: JournalEntry, entries: readonly JournalEntry[]): readonly VerdictPart[] {
  const { cause, response } = entry;
  const rotation = entries.find(({ id }) => id === cause?.request);
  if (cause?.code === "unknown_token" && rotation !== undefined) return staleToken(entry, rotation);
  const failed = kindOfRequest(entry) === "rejected" ? `was rejected with ${response?.status}` : "failed";
  const why = [cause?.message ?? "", ...remarksOf(entry).map(sentence), remedyOf(entry)]
    .filter(Boolean)
    .join(" ");
  return [link(entry), ` ${requestName(entry)} ${failed} ← ${why}`];
}

const lookUpGroup = "Look the group up to get its new token.";

export function staleToken(entry: JournalEntry, rotation: JournalEntry): readonly VerdictPart[] {
  if (entry.cause?.concurrent) return [...race(entry, rotation), `. ${lookUpGroup}`];
  const isLost = rotation.cause !== null;
  const by = rotation.fault === null ? "" : ` (fault ${rotation.fault})`;
  const how = isLost ? `, its response was lost${by}. ${lookUpGroup}` : ". Use the group's latest token.";
  return [link(entry), " sent a stale token ← ", link(rotation), ` rotated it${how}`];
}

/** `#2 and #3 rotated the same token at once; #2 won`. */
export function race(entry: JournalEntry, winner: JournalEntry): readonly VerdictPart[] {
  return [link(winner), " and ", link(entry), " rotated the same token at once; ", link(winner), " won"];
}

/** What to do about a response that did not arrive as the service sent it. A rejection has that in its message. */
function remedyOf(entry: JournalEntry): string {
  if (kindOfRequest(entry) === "rejected") return "";
  if (entry.effect === "none") return "Your program can send it again.";
  return effects[entry.effect].unseen === undefined ? "" : "Look the group up to get its token.";
}

/** A request that waited in a fault when the test failed, or until its client gave up. */
function stillWaiting({ error, faults }: FailureFacts, moment: Moment): FailureVerdict | undefined {
  const { waiting } = moment;
  const isAbort = error?.kind === "abort";
  const entry = waiting.at(-1) ?? (isAbort ? lastAbandoned(moment) : undefined);
  if (entry === undefined) return undefined;
  const isLikely = isAbort || (error?.kind === "time-limit" && waiting.length > 0);
  const hasEnded = !waiting.includes(entry);
  const isHeld = faults.some((fault) => fault.id === entry.fault && isHold(fault));
  const release = isHeld ? "; `release()` was not called" : "";
  const left = hasEnded
    ? `; the client closed the connection after ${durationWords(entry.durationMs ?? 0)}`
    : "";
  return {
    ...(isLikely && { label: "Likely cause" }),
    parts: [link(entry), ` ${waitText(entry, faults, hasEnded)}${release}${left}.`],
    request: entry.id,
    // What a request did that ended after the failure is said in its detail.
    ...((hasEnded || kindOfRequest(entry) === "waiting") && { explains: true }),
  };
}

/** What a fault does to a request that waits, or waited, in it. */
export function waitText({ fault: id }: JournalEntry, faults: readonly Fault[], hasEnded = false): string {
  const waits = hasEnded ? "waited" : "waits";
  if (id === null) return "has no response yet";
  const fault = faults.find((one) => one.id === id);
  if (fault === undefined) return `${waits} in fault ${id}`;
  const { delayMs = 0, operation = "any request", fired, times = 1 } = fault;
  if (!isHold(fault))
    return `${hasEnded ? "was" : "is"} delayed by ${delayMs.toLocaleString("en")} ms (fault ${id})`;
  const arrived = typeof times === "number" && times > 1 ? ` (${fired} of ${times} arrived)` : "";
  return `${waits} in the hold of ${operation}${arrived}`;
}

export function isHold(fault: Fault): boolean {
  return findKinds(fault)[0] === "hold";
}

function lastRemark({ before }: Moment): FailureVerdict | undefined {
  const entry = before.findLast((one) => remarksOf(one).length > 0);
  if (entry === undefined) return undefined;
  const remarks = sentence(remarksOf(entry).join("; "));
  return { parts: [link(entry), ` ${requestName(entry)}: ${remarks}`], request: entry.id, explains: true };
}

function nothingArrived({ entries, error, url }: FailureFacts): FailureVerdict | undefined {
  if (entries.length > 0) return undefined;
  const text = describeNoRequest(url, error);
  return { parts: text === "" ? [] : [text], request: undefined };
}

/** Requests that came too late to be a reason. */
function afterFailure(moment: Moment): Pick<FailureVerdict, "label" | "parts"> | undefined {
  const [first, ...others] = moment.after;
  if (first === undefined) return undefined;
  const late = arrivedAfter(first, moment);
  const more = others.length === 0 ? "" : ` (${counted(others.length, "other")} followed)`;
  return {
    label: "After the failure",
    parts: [link(first), ` ${requestName(first)} arrived ${late} later${more}: was it awaited?`],
  };
}

function lastRejected({ before }: Moment): Pick<FailureVerdict, "label" | "parts"> {
  const rejected = before.findLast((entry) => kindOfRequest(entry) === "rejected");
  if (rejected === undefined) return { parts: [] };
  const rotation = before.find(({ id }) => id === rejected.cause?.request);
  return { label: "Last rejected", parts: [...shortReason(rejected, rotation), " (may be intended)"] };
}

/** @param rotation that made the token of the request a stale one, if any */
function shortReason(entry: JournalEntry, rotation: JournalEntry | undefined): readonly VerdictPart[] {
  const { cause, response } = entry;
  if (cause?.code !== "unknown_token" || rotation === undefined)
    return [link(entry), ` ${requestName(entry)}: ${response?.status} ${cause?.code}`];
  if (cause.concurrent) return race(entry, rotation);
  return [link(entry), " sent a stale token ← ", link(rotation), " rotated it"];
}

/** Values in the text of an error: quoted, or numbers of three digits and more. */
const valuesInText = /"([^"\n]{2,})"|'([^'\n]{2,})'|`([^`\n]{2,})`|\b(\d{3,})\b/g;

/** The last accepted request that has a value of the error, or the last one. */
function closest({ error, entries }: FailureFacts, { before, after }: Moment): number | undefined {
  const { message = "", expected = "", actual = "" } = error ?? {};
  const quoted = [...message.matchAll(valuesInText)].map((groups) => groups.slice(1).join(""));
  const values = [expected, actual, ...quoted].filter((text) => text.length > 1);
  const accepted = before.filter((entry) => kindOfRequest(entry) !== "rejected");
  const bodies = ({ request, response }: JournalEntry) => JSON.stringify([request.body, response?.body]);
  const found = accepted.findLast((entry) => values.some((value) => bodies(entry).includes(value)));
  const last = before.at(-1) ?? after[0] ?? entries[0];
  return (found ?? last)?.id;
}
