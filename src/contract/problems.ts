import type { ErrorObject, ValidateFunction } from "ajv";
import { problemWords } from "./problem-words.js";
import type { Problem } from "./types.js";

/** A problem, with the keyword of the schema that failed: an assumption may forgive it. */
export interface SchemaProblem extends Problem {
  readonly keyword: string;
}

const noProblems: readonly SchemaProblem[] = [];

/** Every problem that `value` has, in words that a user can act on. */
export function problemsOf(validate: ValidateFunction | undefined, value: unknown): readonly SchemaProblem[] {
  if (validate === undefined || validate(value)) return noProblems;
  const errors = validate.errors ?? [];
  return errors.filter((error) => !isPart(error, errors)).map(problemWords);
}

/** ajv reports every branch of an `anyOf` that failed, and then the `anyOf`: one line is enough for one mistake. */
function isPart({ schemaPath }: ErrorObject, errors: readonly ErrorObject[]): boolean {
  return errors.some(
    ({ keyword, schemaPath: whole }) => keyword === "anyOf" && schemaPath.startsWith(`${whole}/`),
  );
}
