import type {
  AssumptionEntry,
  Fault,
  FixtureTeam,
  GroupDetail,
  HistoryItem,
  JournalPage,
  RequestBody,
} from "../generated/types.js";

/** A journal, and the texts of those bodies that are not the JSON of the parsed ones. By the id of the entry. */
export interface ReportedJournal extends JournalPage {
  readonly texts: Readonly<Record<number, RequestBody>>;
}

/** What all worlds of a mock start with. */
export interface ReportedSeed {
  readonly teams: readonly FixtureTeam[];
  readonly groups: readonly GroupDetail[];
  readonly assumptions: readonly AssumptionEntry[];
}

/** One world in a report: its journals, and what differs from the seed. */
export interface ReportedWorld {
  readonly name: string;
  /** The index of its seed. Missing: unknown, because the mock was killed. */
  readonly seed?: number;
  /** The number of the epoch that `journal` belongs to. */
  readonly n: number;
  /** Whether the world was dropped: then its journals are in the history. */
  readonly isDropped: boolean;
  readonly journal: ReportedJournal;
  /** Newest first. */
  readonly history: readonly (HistoryItem & { readonly journal: ReportedJournal })[];
  /** Only if a state was loaded: then `groups` has all groups of the world. */
  readonly teams?: readonly FixtureTeam[];
  readonly groups: readonly GroupDetail[];
  readonly faults: readonly Fault[];
  /** The values of those assumptions that differ. */
  readonly assumed: Readonly<Record<string, string>>;
}

/** What a report holds: the evidence of one or more worlds. */
export interface ReportData {
  readonly version: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly worlds: readonly ReportedWorld[];
  readonly seeds: readonly ReportedSeed[];
  /** What the report does not have, a sentence each. */
  readonly leftOut: readonly string[];
}
