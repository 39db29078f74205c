import type { Effect } from "../../generated/types.js";
import type { Delivered } from "../answer.js";
import type { Entry } from "../journal/journal.js";
import type { FaultEffect, TrackedFault } from "./faults.js";

/** What a call did, and what a caller misses that never got its answer. */
const changes: Readonly<Record<Effect, { readonly did: string; readonly unseen?: string }>> = {
  created: { did: "the group had been created", unseen: "the caller never saw its token" },
  rotated: { did: "the token had been rotated", unseen: "the caller never saw the new token" },
  updated: { did: "the group had been updated" },
  found: { did: "the group had been found" },
  none: { did: "the call had been refused" },
};

/** What each fault does to a call, as part of a sentence. */
const deeds: Readonly<Record<FaultEffect, (fault: TrackedFault["request"], waitedMs: number) => string>> = {
  status: ({ status }) => `answered ${status}`,
  reset: () => "reset the connection",
  empty: () => "closed the connection",
  truncate: () => "cut the answer in half",
  malformed: () => "answered with broken JSON",
  dribble: ({ delayMs }) => `sends the answer in pieces, over ${delayMs} ms`,
  delayMs: (_, waitedMs) => `delayed the call by ${Math.round(waitedMs)} ms`,
  hold: (_, waitedMs) => `held the call for ${Math.round(waitedMs)} ms`,
};

/** Faults after which the caller still gets the answer of the service. */
const lettingThrough: ReadonlySet<FaultEffect> = new Set(["delayMs", "hold", "dribble"]);

/** Says what a fault did to a call, what happened in the world, and what the caller cannot know. */
export function noteFault(entry: Entry, { name, effect, request }: TrackedFault, waitedMs: number): void {
  const isThrough = lettingThrough.has(effect);
  // Nothing was answered or broken. When the caller left, and what it cannot know, is a note of its own.
  if (entry.leftMs !== undefined && !isThrough) {
    entry.note(`${name} waited ${Math.round(waitedMs)} ms; the caller had left by then`);
    return;
  }
  const waited = request.delayMs !== undefined && !isThrough ? `waited ${Math.round(waitedMs)} ms and ` : "";
  const deed = `${name} ${waited}${deeds[effect](request, waitedMs)}`;
  if (request.phase !== "after") {
    entry.note(isThrough ? deed : `${deed} before anything happened in the world`);
    return;
  }
  const { did, unseen } = changes[entry.effect];
  const got = effect === "truncate" ? "the caller got half of the answer" : unseen;
  entry.note(`${deed} after ${did}${isThrough || got === undefined ? "" : `; ${got}`}`);
}

/** Says when the caller left, and what it cannot know. */
export function noteCallerLeft(entry: Entry, { headers, sentText = "" }: Delivered): void {
  const { did, unseen } = changes[entry.effect];
  const after = `the caller closed the connection after ${Math.round(entry.leftMs ?? entry.elapsedMs)} ms`;
  const sent =
    headers === undefined ? "before an answer was sent" : `when ${sentText.length} characters had been sent`;
  const when = entry.text === undefined ? "before its body had arrived" : sent;
  const meanwhile = unseen === undefined ? "" : `; ${did}, ${unseen}`;
  entry.note(`${after}, ${when}${meanwhile}`);
}
