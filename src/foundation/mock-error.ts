import type { FailureResponse } from "../generated/types.js";
import { printable, printableLines } from "./printable.js";

/**
 * One thing that is wrong: a JSON pointer to the place, and what is wrong there.
 * @example { file: "groups.json", path: "/user_groups/0/name", message: "must be string" }
 */
export interface LocatedProblem {
  /** The file, when the value came from one. */
  readonly file?: string;
  readonly path: string;
  readonly message: string;
}

/**
 * Why something was refused.
 *
 * @example
 * const isTaken = error instanceof MockError && error.code === "group_exists";
 */
export type MockErrorCode =
  // What was given cannot be used.
  | "invalid_option"
  | "invalid_fixture"
  | "invalid_schema"
  | "invalid_assumption"
  | "invalid_fault"
  | "invalid_group"
  | "invalid_request"
  | "group_exists"
  | "not_a_hold"
  // There is no such thing in this world.
  | "unknown_epoch"
  | "unknown_fault"
  | "unknown_request"
  | "unknown_snapshot"
  | "unknown_world"
  // A bound was reached.
  | "too_many_bytes"
  | "too_many_faults"
  | "too_many_snapshots"
  | "too_many_waits"
  // An assert or a wait did not get what it asked for.
  | "failures"
  | "fault_never_fired"
  | "journal_incomplete"
  | "timeout"
  // The mock is gone, or was never there.
  | "stopped"
  | "aborted"
  | "unreachable"
  | "no_run"
  | "not_built"
  | "EADDRINUSE"
  // The service failed, or the server of `connectMock` refused the HTTP call.
  | NonNullable<FailureResponse["error"]>["code"]
  // Of the command line.
  | "baseline"
  | "no_command"
  | "not_the_service"
  | "refused";

/**
 * Thrown by every refused option, fixture and admin call. Its texts are safe to print: control characters and those
 * that change the direction of text are escaped.
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
  /** Why it was refused, for programs. */
  readonly code: MockErrorCode;
  /** The message without the details. */
  readonly summary: string;
  /** One entry for each problem. After a hundred, a last one says that there are more. */
  readonly details: readonly LocatedProblem[];

  constructor(code: MockErrorCode, message: string, problems: readonly LocatedProblem[] = []) {
    const summary = printableLines(message);
    const details = firstProblems(problems).map((problem) => ({
      ...problem,
      message: printableLines(problem.message),
    }));
    super([summary, ...details.map(describeProblem)].join("\n"));
    this.code = code;
    this.summary = summary;
    this.details = details;
  }
}

/** More than anybody fixes at once. */
export const maxProblems = 100;

/** The first problems; if there are more than `maxProblems`, a last entry says so. */
export function firstProblems(problems: readonly LocatedProblem[]): readonly LocatedProblem[] {
  if (problems.length <= maxProblems) return problems;
  return [...problems.slice(0, maxProblems), { path: "", message: "and there is more" }];
}

/**
 * Message and code of anything that was thrown. Does not use `instanceof Error`: under Jest, errors that Node itself
 * creates are not instances of the `Error` that this code sees.
 */
export function asError(error: unknown): { readonly message: string; readonly code: string | undefined } {
  const { message = String(error), code } = (error ?? {}) as { message?: string; code?: string };
  return { message, code };
}

function describeProblem({ file, path, message }: LocatedProblem): string {
  const place = printable([file, path].filter(Boolean).join(" "));
  return place === "" ? `  ${message}` : `  ${place}: ${message}`;
}
