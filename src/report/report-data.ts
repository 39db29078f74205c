import type {
  AssumptionEntry,
  Fault,
  FixtureTeam,
  GroupDetail,
  HistoryItem,
  JournalPage,
  RequestBody,
} from "../generated/types.js";

/** A journal, and by entry id the texts of bodies that differ from the JSON of the parsed body. */
export interface ReportedJournal extends JournalPage {
  readonly texts: Readonly<Record<number, RequestBody>>;
}

/** The initial state of all worlds of a mock. */
export interface ReportedSeed {
  readonly teams: readonly FixtureTeam[];
  readonly groups: readonly GroupDetail[];
  readonly assumptions: readonly AssumptionEntry[];
}

/** One world in a report: its journals, and what differs from the seed. */
export interface ReportedWorld {
  readonly name: string;
  /** Its base URL. Missing if the mock was killed before it was recorded. */
  readonly url?: string;
  /** The failed test that used it, as far as a test framework reported it. */
  readonly test?: ReportedTest;
  /** The index of its seed. Missing if the mock was killed. */
  readonly seed?: number;
  /** The number of the epoch that `journal` belongs to. */
  readonly n: number;
  /** When that epoch began, ISO 8601. */
  readonly startedAt: string;
  /** If true, all its journals are in the history. */
  readonly isDropped: boolean;
  readonly journal: ReportedJournal;
  /** Newest first. */
  readonly history: readonly (HistoryItem & { readonly journal: ReportedJournal })[];
  /** Only if a state was loaded. Then `groups` has all groups of the world. */
  readonly teams?: readonly FixtureTeam[];
  readonly groups: readonly GroupDetail[];
  readonly faults: readonly Fault[];
  /** The assumptions that differ from the seed. */
  readonly assumed: Readonly<Record<string, string>>;
}

/** The error of a test, and what an assertion compared, as text. */
export interface ReportedError {
  readonly message: string;
  /** The code of an error that a method of `World` threw. */
  readonly code?: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** The test that a report is about, stored beside `ReportData`. */
export interface ReportedTest {
  /** With the names of its suites. */
  readonly title: string;
  readonly file?: string;
  /** The line of the file at which it failed, if the stack of its error has it. */
  readonly line?: number;
  readonly framework: string;
  /** From 1. Missing if it is not known. */
  readonly attempt?: number;
  readonly error?: ReportedError;
}

/** The content of a report: one or more worlds. */
export interface ReportData {
  readonly version: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly worlds: readonly ReportedWorld[];
  readonly seeds: readonly ReportedSeed[];
  /** One sentence for each thing that the report does not include. */
  readonly leftOut: readonly string[];
}
