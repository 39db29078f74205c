import type { ErrorObject, ValidateFunction } from "ajv";
import { hint, nearest } from "../foundation/nearest.js";
import type { Problem } from "../generated/types.js";

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
  if (errors.length === 1) return errors;
  const places = new Set<string>();
  for (const { keyword, schemaPath } of errors) if (keyword === "anyOf") places.add(`${schemaPath}/`);
  if (places.size === 0) return errors;
  return errors.filter(({ schemaPath }) => ![...places].some((place) => schemaPath.startsWith(place)));
}

/** What is wrong with a schema, once for each place. ajv reports every branch that its meta-schema has. */
export function schemaMistakes(errors: readonly ErrorObject[]): Problem[] {
  const byPlace = new Map<string, ErrorObject>();
  for (const error of errors) {
    // A list of what is allowed says most.
    if (error.keyword === "enum" || !byPlace.has(error.instancePath)) byPlace.set(error.instancePath, error);
  }
  return [...byPlace.values()].map(problemWords).map(({ path, message }) => ({ path, message }));
}

/** An error of ajv in words that a user can act on: what is allowed, and what was probably meant. */
function problemWords(error: ErrorObject): SchemaProblem {
  const { keyword, params, instancePath: path, parentSchema = {} } = error;
  const at = (key: string) => `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const field: string = params.missingProperty ?? params.additionalProperty ?? "";
  switch (keyword) {
    case "required":
      return { keyword, path: at(field), message: "is required" };
    case "dependentRequired":
      return { keyword, path: at(field), message: `is required with ${params.property}` };
    // A shipped schema reports an unknown field at the field itself, ajv at the object that has it.
    case "x-unknown": {
      const name = path.slice(path.lastIndexOf("/") + 1);
      return { keyword, path, message: unknownField(name, error.schema as string[]) };
    }
    case "additionalProperties": {
      const known = Object.keys(parentSchema.properties ?? {});
      return { keyword, path: at(field), message: unknownField(field, known) };
    }
  }
  return { keyword, path, message: wordsOf(error) ?? error.message ?? `fails ${keyword}` };
}

function wordsOf({ keyword, params, parentSchema = {}, data }: ErrorObject): string | undefined {
  const { "x-problem": words, minimum, maximum } = parentSchema;
  switch (keyword) {
    case "minLength":
      return params.limit === 1 ? "must not be empty" : undefined;
    case "minimum":
    case "maximum":
      if (minimum === undefined) return undefined;
      return `must be a number from ${minimum}${maximum === undefined ? "" : ` to ${maximum}`}`;
    case "const":
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case "enum": {
      const allowed: unknown[] = params.allowedValues;
      const near = typeof data === "string" ? nearest(data, allowed.map(String)) : undefined;
      const advice = near === undefined ? "" : `; did you mean ${near}?`;
      return `must be ${allowed.map((value) => JSON.stringify(value)).join(" or ")}${advice}`;
    }
    case "pattern":
    case "anyOf":
      return typeof words === "string" ? words : undefined;
  }
  return undefined;
}

function unknownField(field: string, known: readonly string[]): string {
  return `is not a known field${hint(field, known)}`;
}
