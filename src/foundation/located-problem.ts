import { counted } from "./grammar.js";

/**
 * A problem, and a JSON pointer to its place.
 * @example { file: "groups.json", path: "/user_groups/0/name", message: "must be string" }
 */
export interface LocatedProblem {
  /** The file, if the value came from one. */
  readonly file?: string;
  readonly path: string;
  readonly message: string;
}

/** The first problems in one line, for clients that show only a message. */
export function problemsInLine(problems: readonly LocatedProblem[]): string {
  let line = "";
  for (const { path, message } of problems.slice(0, 3))
    line += `${line === "" ? "" : "; "}${path === "" ? "it" : path} ${message}`;
  return problems.length > 3 ? `${line}; and ${problems.length - 3} more` : line;
}

/** The first 20 problems. If there are more, a last entry counts them. */
export function firstProblems(problems: readonly LocatedProblem[]): LocatedProblem[] {
  const first = problems.slice(0, 20);
  const more = problems.length - first.length;
  if (more > 0) first.push({ path: "", message: `and ${counted(more, "more problem")}` });
  return first;
}

/**
 * Message, code and stack of anything that was thrown. Does not use `instanceof Error`: under Jest, errors that Node
 * itself creates are not instances of the `Error` that this code sees.
 */
export function asError(error: unknown): ErrorParts {
  const { message = describeThrown(error), code, stack } = (error ?? {}) as Partial<ErrorParts>;
  return { message, code, stack };
}

/** What was thrown, if it is not an error: a text, or an object, which may have no prototype or contain itself. */
function describeThrown(thrown: unknown): string {
  if (typeof thrown !== "object") return String(thrown);
  try {
    return JSON.stringify(thrown);
  } catch {
    return "an object that is not JSON";
  }
}

interface ErrorParts {
  readonly message: string;
  readonly code: string | undefined;
  readonly stack: string | undefined;
}
