import { firstProblems, type LocatedProblem } from "../../foundation/located-problem.js";
import { printable, printableLines } from "../../foundation/printable.js";
import type { FailureCode } from "./failures.js";

/**
 * Why something was rejected.
 *
 * @example
 * const isTaken = error instanceof MockError && error.code === "group_exists";
 */
export type MockErrorCode =
  // The input is invalid.
  | "invalid_option"
  | "invalid_fixture"
  | "invalid_schema"
  | "invalid_profile"
  | "invalid_assumption"
  | "invalid_fault"
  | "invalid_group"
  | "invalid_request"
  | "group_exists"
  | "not_a_hold"
  // Not found in this world.
  | "unknown_epoch"
  | "unknown_fault"
  | "unknown_request"
  | "unknown_world"
  // An assertion or a wait failed.
  | "failures"
  | "fault_never_fired"
  | "journal_incomplete"
  | "timeout"
  // The mock cannot be reached or started.
  | "stopped"
  | "aborted"
  | "unreachable"
  | "no_run"
  | "not_built"
  | "EADDRINUSE"
  // A failure of the service, or a request that the server of `connectMock` rejected.
  | FailureCode
  // Of the command line.
  | "baseline"
  | "no_command"
  | "nothing_found";

/**
 * Thrown for every invalid option, fixture and admin call. Its texts are safe to print: control characters and those that
 * change the direction of text are escaped.
 *
 * @example
 * try {
 *   await mock.load(fixture);
 * } catch (error) {
 *   if (error instanceof MockError) console.error(error.code, error.details);
 * }
 */
export class MockError extends Error {
  override readonly name = "MockError";
  /** The reason, for programs. */
  readonly code: MockErrorCode;
  /** The message without the details. */
  readonly summary: string;
  /** One entry for each problem, at most 20. If there are more, a last entry counts them. */
  readonly details: readonly LocatedProblem[];

  constructor(code: MockErrorCode, message: string, problems: readonly LocatedProblem[] = []) {
    const summary = printableLines(message);
    const details = firstProblems(problems).map(({ file, path, message }) => ({
      ...(file !== undefined && { file }),
      path,
      message: printableLines(message),
    }));
    const lines = details.map(({ file, path, message }) => {
      const place = printable([file, path].filter(Boolean).join(" "));
      return place === "" ? `  ${message}` : `  ${place}: ${message}`;
    });
    super([summary, ...lines].join("\n"));
    this.code = code;
    this.summary = summary;
    this.details = details;
  }
}
