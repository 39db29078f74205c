import type { ErrorObject, ValidateFunction } from "ajv";
import type { Problem } from "../generated/types.js";
import { problemWords } from "./problem-words.js";

/** A problem, with the keyword of the schema that failed: an assumption may forgive it. */
export interface SchemaProblem extends Problem {
  readonly keyword: string;
}

const noProblems: readonly SchemaProblem[] = [];

/** Every problem that `value` has, in words that a user can act on. */
export function problemsOf(validate: ValidateFunction | undefined, value: unknown): readonly SchemaProblem[] {
  if (validate === undefined || validate(value)) return noProblems;
  return withoutBranches(validate.errors ?? []).map(problemWords);
}

/** ajv reports every branch of an `anyOf` that failed, and then the `anyOf`: one line is enough for one mistake. */
function withoutBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const places = new Set<string>();
  for (const { keyword, schemaPath } of errors) if (keyword === "anyOf") places.add(`${schemaPath}/`);
  if (places.size === 0) return errors;
  return errors.filter(({ schemaPath }) => ![...places].some((place) => schemaPath.startsWith(place)));
}
