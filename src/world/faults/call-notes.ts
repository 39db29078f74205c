import { faultEffects } from "../../contract/fault-effects.js";
import type { Effect } from "../../generated/types.js";
import type { Delivered } from "../answer.js";
import type { Entry } from "../journal/journal.js";
import type { TrackedFault } from "./faults.js";

/** What a call did, and what a caller misses that never got its answer. */
const effectTexts: Readonly<Record<Effect, { readonly happened: string; readonly missed?: string }>> = {
  created: { happened: "the group had been created", missed: "the caller never saw its token" },
  rotated: { happened: "the token had been rotated", missed: "the caller never saw the new token" },
  updated: { happened: "the group had been updated" },
  found: { happened: "the group had been found" },
  none: { happened: "the call had been refused" },
};

/** Says what a fault did to a call, what happened in the world, and what the caller cannot know. */
export function noteFault(entry: Entry, { name, effect, request }: TrackedFault, waitedMs: number): void {
  const { letsThrough, noteText } = faultEffects[effect];
  // Nothing was answered or broken. When the caller left, and what it cannot know, is a note of its own.
  if (entry.leftMs !== undefined && !letsThrough) {
    entry.note(`${name} waited ${Math.round(waitedMs)} ms; the caller had left by then`);
    return;
  }
  const waited =
    request.delayMs !== undefined && !letsThrough ? `waited ${Math.round(waitedMs)} ms and ` : "";
  const text = `${name} ${waited}${noteText(request, waitedMs)}`;
  if (request.phase !== "after") {
    entry.note(letsThrough ? text : `${text} before anything happened in the world`);
    return;
  }
  const { happened, missed } = effectTexts[entry.effect];
  const got = effect === "truncate" ? "the caller got half of the answer" : missed;
  entry.note(`${text} after ${happened}${letsThrough || got === undefined ? "" : `; ${got}`}`);
}

/** Says when the caller left, and what it cannot know. */
export function noteCallerLeft(entry: Entry, { headers, sentText = "" }: Delivered): void {
  const { happened, missed } = effectTexts[entry.effect];
  const after = `the caller closed the connection after ${Math.round(entry.leftMs ?? entry.elapsedMs)} ms`;
  const sent =
    headers === undefined ? "before an answer was sent" : `when ${sentText.length} characters had been sent`;
  const when = entry.text === undefined ? "before its body had arrived" : sent;
  const meanwhile = missed === undefined ? "" : `; ${happened}, ${missed}`;
  entry.note(`${after}, ${when}${meanwhile}`);
}
