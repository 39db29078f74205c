import type { JournalEntry } from "../contract/types.js";
import { type GroupKey, groupOfEntry } from "./entry-facts.js";

/** Which entries are shown. An empty string matches all. */
export interface Filter {
  readonly text: string;
  readonly operation: string;
  readonly outcome: string;
  readonly group: GroupKey | undefined;
}

/** Merges new entries into the list, newest first. A new version of an entry replaces the old one. */
export function merge(
  entries: readonly JournalEntry[],
  newEntries: readonly JournalEntry[],
  maxEntries: number,
): readonly JournalEntry[] {
  if (newEntries.length === 0) return entries;
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  for (const entry of newEntries) {
    // Keep an answered entry: the list of pending calls may be older than its answer.
    if (entry.outcome !== "pending" || !byId.has(entry.id)) byId.set(entry.id, entry);
  }
  return [...byId.values()].sort((a, b) => b.id - a.id).slice(0, maxEntries);
}

export function filterEntries(
  entries: readonly JournalEntry[],
  filter: Filter,
  byToken: ReadonlyMap<string, GroupKey>,
  teams: ReadonlyMap<string, number>,
): readonly JournalEntry[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const { operation, outcome, group } = filter;
  if (words.length === 0 && operation === "" && outcome === "" && group === undefined) return entries;
  return entries.filter((entry) => {
    if (operation !== "" && entry.operation !== operation) return false;
    if (outcome !== "" && entry.outcome !== outcome) return false;
    if (group !== undefined) {
      const { groupId, teamId } = groupOfEntry(entry, byToken, teams);
      if (groupId !== group.groupId || (teamId !== undefined && teamId !== group.teamId)) return false;
    }
    if (words.length === 0) return true;
    const text = searchedText(entry);
    return words.every((word) => text.includes(word));
  });
}

const searchedTexts = new WeakMap<JournalEntry, string>();

/** Everything that the page shows of an entry, in lower case. */
function searchedText(entry: JournalEntry): string {
  let text = searchedTexts.get(entry);
  if (text === undefined) {
    const { id, operation, outcome, request, response, notes, fault } = entry;
    const parts = [
      `#${id} ${operation} ${outcome} ${request.method} ${request.path} ${response?.status ?? "no answer"}`,
      fault === null ? "" : `fault ${fault}`,
      ...notes,
      JSON.stringify([request.body, response?.body, request.headers, response?.headers]),
    ];
    text = parts.join("\n").toLowerCase();
    searchedTexts.set(entry, text);
  }
  return text;
}
