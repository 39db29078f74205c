import type {
  AssumptionEntry,
  Fault,
  FixtureTeam,
  GroupDetail,
  HistoryItem,
  JournalEntry,
} from "../generated/types.js";

/** The state of the world as this page knows it. */
export interface KnownWorld {
  readonly connection: "connecting" | "live" | "lost" | "dropped" | "report";
  /** The number of the current epoch. */
  readonly epoch: number | undefined;
  /** The label of the current epoch, usually the name of a test. */
  readonly label: string | undefined;
  /** Newest first. */
  readonly entries: readonly JournalEntry[];
  readonly dropped: number;
  /** The journals before earlier resets, newest first. */
  readonly history: readonly HistoryItem[];
  readonly groups: readonly GroupDetail[];
  /** How many groups there are. `groups` may be older until the groups view is open. */
  readonly groupCount: number;
  readonly teams: readonly FixtureTeam[];
  readonly faults: readonly Fault[];
  readonly assumptions: readonly AssumptionEntry[];
  readonly version: string;
  /** False until the first load succeeds. */
  readonly loaded: boolean;
  /** The entries that the journal showed when it was paused. */
  readonly paused: readonly JournalEntry[] | undefined;
  /** The last status message. Screen readers announce it. */
  readonly toast: { readonly text: string; readonly failed: boolean };
}

export const unknownWorld: KnownWorld = {
  connection: "connecting",
  epoch: undefined,
  label: undefined,
  entries: [],
  dropped: 0,
  history: [],
  groups: [],
  groupCount: 0,
  teams: [],
  faults: [],
  assumptions: [],
  version: "",
  loaded: false,
  paused: undefined,
  toast: { text: "", failed: false },
};

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
