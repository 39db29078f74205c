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

/** One world in a report. */
export interface ReportedWorld {
  readonly name: string;
  /** The number of the epoch that `journal` belongs to. */
  readonly n: number;
  /** When that epoch began, ISO 8601. */
  readonly startedAt: string;
  /** Whether the world was dropped: then only its history is left. */
  readonly isDropped: boolean;
  readonly journal: ReportedJournal;
  /** Newest first. */
  readonly history: readonly (HistoryItem & { readonly journal: ReportedJournal })[];
  readonly teams: readonly FixtureTeam[];
  readonly groups: readonly GroupDetail[];
  readonly faults: readonly Fault[];
  readonly assumptions: readonly AssumptionEntry[];
}

/** The error of a test, and what an assertion compared, as text. */
export interface ReportedError {
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** The test that a report is about. It stands in the report beside `ReportData`. */
export interface ReportedTest {
  /** With the names of its suites. */
  readonly title: string;
  readonly file?: string;
  readonly framework: string;
  /** From 1. */
  readonly attempt: number;
  readonly error?: ReportedError;
}

/** What a report holds: the evidence of one or more worlds. */
export interface ReportData {
  readonly version: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly worlds: readonly ReportedWorld[];
}
