import type { FailureMark, ReportedTest } from "../report/report-data.js";
import type { World } from "./world.js";

/** What the entries of the frameworks ask a world for when a test has failed. */
export interface WorldFailures {
  /**
   * The moment at which it is called.
   * @param before the request that has just arrived, if it is the first one after the failure
   */
  mark(before?: number): Promise<FailureMark>;
  /** Reads the world once, for the output of the test and its report. */
  explain(test: ReportedTest): Promise<ExplainedFailure>;
}

export interface ExplainedFailure {
  /** Empty if there is nothing to say beside the error. */
  readonly verdict: string;
  /** Empty if there were none. */
  readonly requests: string;
  /** Saves the report. Resolves to its absolute path. */
  save(path: string): Promise<string>;
}

/** Global, because the entries of the frameworks are separate bundles. */
export const worldFailures = Symbol.for("usergroup-mock failures");

export function failuresOf(world: World): WorldFailures {
  return Reflect.get(world, worldFailures);
}
