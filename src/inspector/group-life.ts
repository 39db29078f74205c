import type { GroupName, JournalEntry } from "../generated/types.js";
import { kindOfRequest } from "../report/entry-facts.js";
import { groupKey } from "./request-facts.js";
import { shortCause } from "./words.js";

/** What a request did to a group, or why it did nothing. */
export interface LifeStep {
  readonly text: string;
  readonly entry: JournalEntry;
}

/**
 * What happened to a group, as far as the journal knows it, oldest first.
 * @param entries newest first
 */
export function lifeOf(group: GroupName, entries: readonly JournalEntry[]): readonly LifeStep[] {
  const steps: LifeStep[] = [];
  let found = 0;
  for (const entry of entries.toReversed()) {
    if (entry.group === undefined || groupKey(entry.group) !== groupKey(group) || !touched(entry)) continue;
    found = entry.effect === "found" && kindOfRequest(entry) === "ok" ? found + 1 : 0;
    // Look-ups that follow each other are one step.
    if (found > 1) steps.pop();
    steps.push({ text: found > 1 ? `found ${found} times, last` : stepText(entry), entry });
  }
  return steps;
}

/** Whether the request got as far as the group: others were rejected for what they sent. */
function touched(entry: JournalEntry): boolean {
  return kindOfRequest(entry) !== "rejected" || entry.cause?.code === "unknown_token";
}

function stepText(entry: JournalEntry): string {
  const { effect, cause } = entry;
  if (kindOfRequest(entry) === "waiting") return "waiting";
  if (cause === null) return effect;
  return effect === "none" ? shortCause(cause) : `${effect}, response lost`;
}
