import type { JournalEntry } from "../generated/types.js";
import { factsOf } from "./entry-facts.js";

/** The attempt before, by the id of the attempt: the same call again, after one that did not end well. */
export function retriesIn(entries: readonly JournalEntry[]): ReadonlyMap<number, number> {
  const retries = new Map<number, number>();
  const failed = new Map<string, number>();
  for (const entry of entries.toReversed()) {
    if (entry.operation === null) continue;
    const { key } = factsOf(entry);
    const before = failed.get(key);
    if (before !== undefined) retries.set(entry.id, before);
    if (entry.outcome === "success") failed.delete(key);
    else failed.set(key, entry.id);
  }
  return retries;
}
