import type { AssumptionList, Fault, GroupDetail, JournalEntry, TestSummary } from "../generated/types.js";
import type { Route } from "./route.js";

/** A test and what its world has, as far as it was loaded. */
export interface Shown {
  readonly test: TestSummary;
  /** Newest first. */
  readonly entries: readonly JournalEntry[];
  /** How many older entries are missing. */
  readonly dropped: number;
  /** Undefined if only the requests are known: the world was reset or dropped since. */
  readonly world: WorldParts | undefined;
}

/** What a world has beside its requests. */
export interface WorldParts {
  readonly groups: readonly GroupDetail[];
  /** How many groups there are. `groups` may be older if the groups view is not open. */
  readonly groupCount: number;
  readonly faults: readonly Fault[];
  readonly assumed: AssumptionList;
}

export interface State {
  readonly route: Route;
  /** Newest first. Undefined until the server has listed them. */
  readonly tests: readonly TestSummary[] | undefined;
  /** How many older tests are not listed. */
  readonly leftOff: number;
  /** The test that the route names. Undefined until it is loaded, or if there is none. */
  readonly shown: Shown | undefined;
  /** Whether the mock does not respond any more. */
  readonly hasStopped: boolean;
  /** The last message. Screen readers announce it. */
  readonly message: { readonly text: string; readonly failed: boolean };
}
