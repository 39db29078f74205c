import { effects } from "../fake/contract/operations.js";
import { sentence } from "../foundation/grammar.js";
import { shorten } from "../foundation/printable.js";
import type { Fault, JournalEntry } from "../generated/types.js";
import { attemptsAt, kindOfRequest, remarksOf, requestName } from "./entry-facts.js";
import type { VerdictPart } from "./report-data.js";

/** What is known of one request that did not succeed, for every sentence about it. */
export interface WhatHappened {
  /** What became of it and why, with the assumptions that decided it. Without a full stop. */
  readonly what: readonly VerdictPart[];
  /** Sentences: what to do about it. Empty if nothing would help. */
  readonly advice: string;
}

export const link = ({ id }: Pick<JournalEntry, "id">): VerdictPart => ({ request: id });

/** How long the parts of a sentence may be, in characters. */
const maxName = 60;
const maxWhy = 180;
const maxAssumed = 100;

/** `rotate acme`, with a link to it. */
export function namedRequest(entry: JournalEntry): readonly VerdictPart[] {
  return [link(entry), ` ${shorten(requestName(entry), maxName)}`];
}

/** `#3 sent a stale token ← #2 rotated it (assumed: old-token=rejected)`. @param before the requests before the failure */
export function whatHappened(
  entry: JournalEntry,
  before: readonly JournalEntry[],
  faults: readonly Fault[],
): WhatHappened {
  const { cause, response } = entry;
  const rotation = before.find(({ id }) => id === cause?.request);
  if (cause?.code === "unknown_token" && rotation !== undefined) return staleRotation(entry, rotation);
  const isRejected = kindOfRequest(entry) === "rejected";
  const failed = isRejected ? `was rejected with ${response?.status}` : "failed";
  const [message = "", ofMessage = ""] = splitMessage(cause?.message ?? "");
  const why = [message, ...remarksOf(entry)].join("; ");
  const what = [...namedRequest(entry), ` ${failed} ← ${shorten(why, maxWhy)}${assumedText(entry)}`];
  const advice = isRejected
    ? ofMessage
    : [ofMessage, attemptsText(entry, before) || remedyOf(entry, faults)].filter(Boolean).join(" ");
  return { what, advice };
}

/** What a message says, and the sentences of advice that follow it. */
function splitMessage(message: string): string[] {
  const [, what = message, advice = ""] = /^(.*?)\. (?=[A-Z])(.*)$/s.exec(message) ?? [];
  return [what.replace(/\.$/, ""), advice];
}

/** Options of the responses of the mock. They decide nothing that a test is about. */
const notDeciding = ["failure-status", "failure-body"];

/** The assumptions that decided a response, each with its text `mapping-values=rejected`. */
export function decidedBy({ assumed }: JournalEntry): { readonly id: string; readonly text: string }[] {
  return Object.entries(assumed)
    .filter(([id]) => !notDeciding.includes(id))
    .map(([id, value]) => ({ id, text: `${id}=${value}` }));
}

/** ` (assumed: mapping-values=rejected)`; empty if nothing was assumed. */
function assumedText(entry: JournalEntry): string {
  const texts = decidedBy(entry).map(({ text }) => text);
  return texts.length === 0 ? "" : ` (assumed: ${shorten(texts.join(", "), maxAssumed)})`;
}

const lookUpGroup = "Look the group up to get its new token.";

function staleRotation(entry: JournalEntry, rotation: JournalEntry): WhatHappened {
  const assumed = assumedText(entry);
  if (entry.cause?.concurrent) {
    const race = [link(rotation), " and ", link(entry), " rotated the same token at once; ", link(rotation)];
    return { what: [...race, ` won${assumed}`], advice: lookUpGroup };
  }
  const isLost = rotation.cause !== null;
  const by = rotation.fault === null ? "" : ` (fault ${rotation.fault})`;
  const how = isLost ? `, its response was lost${by}` : "";
  return {
    what: [link(entry), " sent a stale token ← ", link(rotation), ` rotated it${how}${assumed}`],
    advice: isLost ? lookUpGroup : "Use the group's latest token.",
  };
}

/** `4 of 4 attempts met fault 1.` Empty if there was one attempt, or one that did not meet the fault. */
export function attemptsText(entry: JournalEntry, before: readonly JournalEntry[]): string {
  const { of, met } = attemptsAt(entry, before);
  return of > 1 && met === of ? `${met} of ${of} attempts met fault ${entry.fault}.` : "";
}

/** What to do about a response that did not arrive as the service sent it. Nothing helps against a fault that always fires. */
function remedyOf({ effect, fault }: JournalEntry, faults: readonly Fault[]): string {
  if (faults.find(({ id }) => id === fault)?.times === "always") return "";
  if (effect === "none") return "Your program can send it again.";
  return effects[effect].unseen === undefined ? "" : "Look the group up to get its token.";
}

/** The remarks about a request as a sentence. */
export function remarkSentence(entry: JournalEntry): readonly VerdictPart[] {
  const remarks = shorten(remarksOf(entry).join("; "), maxWhy);
  return [...namedRequest(entry), `: ${sentence(remarks)}`];
}
