/** One thing that is wrong: a JSON pointer to the place, and what is wrong there. */
export interface LocatedProblem {
  /** The file, when the value came from one. */
  readonly file?: string;
  readonly path: string;
  readonly message: string;
}

/**
 * Thrown by every refused option, fixture and admin call.
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
  readonly code: string;
  /** The message without the details. */
  readonly summary: string;
  /** One entry for each problem. After a hundred, a last one says that there are more. */
  readonly details: readonly LocatedProblem[];

  constructor(code: string, message: string, problems: readonly LocatedProblem[] = []) {
    const details = firstOf(problems);
    super(details.length === 0 ? message : `${message}\n${details.map(describeProblem).join("\n")}`);
    this.code = code;
    this.summary = message;
    this.details = details;
  }
}

/** More than anybody fixes at once. */
export const maxProblems = 100;

/** The first problems; if there are more than `maxProblems`, a last entry says so. */
export function firstOf(problems: readonly LocatedProblem[]): readonly LocatedProblem[] {
  if (problems.length <= maxProblems) return problems;
  return [...problems.slice(0, maxProblems), { path: "", message: "and there is more" }];
}

/**
 * Message and code of anything that was thrown. Does not use `instanceof Error`: under Jest, errors that Node itself
 * creates are not instances of the `Error` that this code sees.
 */
export function thrown(error: unknown): { readonly message: string; readonly code: string | undefined } {
  const { message = String(error), code } = (error ?? {}) as { message?: string; code?: string };
  return { message, code };
}

function describeProblem({ file, path, message }: LocatedProblem): string {
  const place = [file, path].filter(Boolean).join(" ");
  return place === "" ? `  ${message}` : `  ${place}: ${message}`;
}
