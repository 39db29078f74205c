import type { FailureMark, FailureVerdict, ReportedTest } from "../report/report-data.js";
import type { World } from "./world.js";

/** What the entries of the frameworks ask a world for when a test has failed. */
export interface WorldFailures {
  /**
   * The moment at which it is called.
   * @param before the request that has just arrived, if it is the first one after the failure
   */
  mark(before?: number): Promise<FailureMark>;
  /**
   * Reads the world once, for the output of the test and its report.
   * @param ended the worlds of earlier tests
   */
  explain(test: ReportedTest, ended?: readonly string[]): Promise<ExplainedFailure>;
}

export interface ExplainedFailure {
  readonly verdict: FailureVerdict;
  /** Its lines. Empty if there is nothing to say beside the error. */
  readonly text: string;
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
