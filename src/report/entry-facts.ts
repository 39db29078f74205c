import { asSentence } from "../foundation/grammar.js";
import type { Cause, JournalEntry } from "../generated/types.js";

/** How a request ended, from its cause. "aborted": the connection, the world or the mock ended before the response. */
export type RequestKind = "ok" | "rejected" | "fault" | "waiting" | "aborted";

/** All other causes are rejections. */
const kindsOfCauses: Partial<Record<Cause["code"], RequestKind>> = {
  fault: "fault",
  injected: "fault",
  "caller-left": "aborted",
  reset: "aborted",
  stopped: "aborted",
};

export function kindOfRequest({ outcome, cause }: Pick<JournalEntry, "outcome" | "cause">): RequestKind {
  if (outcome === "pending") return "waiting";
  return cause === null ? "ok" : (kindsOfCauses[cause.code] ?? "rejected");
}

type Noted = Pick<JournalEntry, "notes" | "fault" | "outcome" | "cause">;

/** The notes that the message of the cause does not have as advice. */
export function notesBeside({ notes, cause }: Noted): readonly string[] {
  return notes.filter((note) => !cause?.message.includes(asSentence(note)));
}

/** Remarks about what the client sent. */
export function remarksOf(entry: Noted): readonly string[] {
  return notesBeside(entry).slice(0, isLetThrough(entry) ? -1 : undefined);
}

/** What a fault did to a request that it let through: `fault 1 held the request for 20 ms`. */
export function faultNotesOf(entry: Noted): readonly string[] {
  return isLetThrough(entry) ? notesBeside(entry).slice(-1) : [];
}

/** Whether a fault let the request through: then it has added the last note. */
function isLetThrough(entry: Noted): boolean {
  return entry.fault !== null && ["ok", "rejected"].includes(kindOfRequest(entry));
}

/** `rotate acme`, or `DELETE /api/user`. */
export function requestName({ operation, request, group }: JournalEntry): string {
  const name = operation ?? `${request.method} ${request.path}`;
  return group === undefined ? name : `${name} ${group.provided_id || '""'}`;
}

/** When a request ended, in milliseconds since 1970; infinite if it has not. */
export function endOf({ at, durationMs }: Pick<JournalEntry, "at" | "durationMs">): number {
  return durationMs === null ? Number.POSITIVE_INFINITY : Date.parse(at) + durationMs;
}

/** Whether the program went on after a request: another one began later, and succeeded. */
export function isHandled(entry: JournalEntry, all: readonly JournalEntry[]): boolean {
  return all.some((other) => beganAfter(other, entry) && kindOfRequest(other) === "ok");
}

/** Whether a request succeeded when it was sent again. */
export function isRepeated(entry: JournalEntry, all: readonly JournalEntry[]): boolean {
  return all.some(
    (other) => beganAfter(other, entry) && kindOfRequest(other) === "ok" && isSameRequest(other, entry),
  );
}

/** The attempts of a request, and how many of them met its fault. */
export function attemptsAt(entry: JournalEntry, all: readonly JournalEntry[]) {
  const attempts = all.filter((other) => isSameRequest(other, entry));
  const met = attempts.filter(({ fault }) => fault !== null && fault === entry.fault);
  return { of: attempts.length, met: met.length };
}

function isSameRequest(one: JournalEntry, other: JournalEntry): boolean {
  return identityOf(one) === identityOf(other);
}

function identityOf({ request: { method, path, body } }: JournalEntry): string {
  return JSON.stringify([method, path, body]);
}

function beganAfter(later: JournalEntry, entry: JournalEntry): boolean {
  // `at` has no fractions of a millisecond.
  return later.id > entry.id && Date.parse(later.at) >= Math.floor(endOf(entry));
}
