import { effectTexts } from "../../contract/effects.js";
import { faultEffects } from "../../contract/fault-effects.js";
import { durationWords } from "../../foundation/duration-words.js";
import type { Entry } from "../journal/journal.js";
import type { Delivered } from "../planned-response.js";
import type { TrackedFault } from "./faults.js";

/** Says what a fault did to a call, what happened in the world, and what the caller cannot know. */
export function noteFault(entry: Entry, { name, effect, request }: TrackedFault, waitedMs: number): void {
  const { letsThrough, noteText } = faultEffects[effect];
  const waited =
    request.delayMs !== undefined && !letsThrough ? `waited ${durationWords(waitedMs)} and ` : "";
  const text = `${name} ${waited}${noteText(request, waitedMs)}`;
  if (request.phase !== "after") {
    entry.note(letsThrough ? text : `${text} before anything happened in the world`);
    return;
  }
  const { hadBeen, unseen } = effectTexts[entry.effect];
  const got = effect === "truncate" ? "the caller got half of the answer" : unseen;
  entry.note(`${text} after ${hadBeen}${letsThrough || got === undefined ? "" : `; ${got}`}`);
}

/** Says when the caller left, and what it cannot know. */
export function noteDisconnect(entry: Entry, { headers, sentText = "" }: Delivered): void {
  const { hadBeen, unseen } = effectTexts[entry.effect];
  const after = `the caller closed the connection after ${durationWords(entry.leftMs ?? entry.elapsedMs)}`;
  const sent =
    headers === undefined ? "before an answer was sent" : `when ${sentText.length} characters had been sent`;
  const when = entry.text === undefined ? "before its body had arrived" : sent;
  const meanwhile = unseen === undefined ? "" : `; ${hadBeen}, ${unseen}`;
  entry.note(`${after}, ${when}${meanwhile}`);
}
