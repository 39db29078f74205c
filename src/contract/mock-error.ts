import type { Problem } from "./types.js";

/** A problem with the place where it was found, when that place is a file. */
export interface LocatedProblem extends Problem {
  readonly file?: string;
}

/**
 * What every refused option, fixture or admin call throws.
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
  /** One entry for each thing that is wrong. After a hundred, one more says that there are others. */
  readonly details: readonly LocatedProblem[];

  constructor(code: string, message: string, problems: readonly LocatedProblem[] = []) {
    const details = firstOf(problems);
    super(details.length === 0 ? message : `${message}\n${details.map(describe).join("\n")}`);
    this.code = code;
    this.summary = message;
    this.details = details;
  }
}

/** More than anybody mends at once. */
export const mostProblems = 100;

/** As many problems as somebody may read, and that there are others. */
export function firstOf<P extends Problem>(problems: readonly P[]): readonly (P | Problem)[] {
  if (problems.length <= mostProblems) return problems;
  return [...problems.slice(0, mostProblems), { path: "", message: "and there is more" }];
}

/**
 * The words and the code of anything that was thrown. Not by `instanceof Error`: under Jest, the errors of Node
 * itself are not instances of the Error that this code sees.
 */
export function thrown(error: unknown): { readonly message: string; readonly code: string | undefined } {
  const { message = String(error), code } = (error ?? {}) as { message?: string; code?: string };
  return { message, code };
}

function describe({ file, path, message }: LocatedProblem): string {
  const place = [file, path].filter(Boolean).join(" ");
  return place === "" ? `  ${message}` : `  ${place}: ${message}`;
}
