import type { AdminClient } from "../contract/admin-calls.js";
import type { JournalEntry } from "../generated/types.js";
import type { WorldParts } from "./state.js";

/** What a world has beside its requests. */
export async function loadWorld(admin: AdminClient): Promise<WorldParts> {
  const [{ groups }, { faults }, { assumptions }] = await Promise.all([
    admin("listGroups", {}),
    admin("listFaults", {}),
    admin("listAssumptions", {}),
  ]);
  return { groups, groupCount: groups.length, faults, assumptions };
}

/** Merges new entries into the list, newest first. A new version of an entry replaces the old one. */
export function mergeEntries(
  entries: readonly JournalEntry[],
  newEntries: readonly JournalEntry[],
  maxEntries: number,
): readonly JournalEntry[] {
  if (newEntries.length === 0) return entries;
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  for (const entry of newEntries) {
    // A list of pending entries may be older than the event that completed one of them.
    if (entry.outcome !== "pending" || !byId.has(entry.id)) byId.set(entry.id, entry);
  }
  return [...byId.values()].sort((a, b) => b.id - a.id).slice(0, maxEntries);
}
