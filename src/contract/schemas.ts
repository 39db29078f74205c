import type { ValidateFunction } from "ajv";
import { MockError, type MockErrorCode } from "../foundation/mock-error.js";
import type { SchemaTypes } from "../generated/types.js";
import type { CheckedSchema } from "./checked-schemas.js";
import { loadOverlay } from "./overlay.js";
import { problemsOf, type SchemaProblem } from "./problems.js";

/** A value that fits its schema, or what is wrong with it. */
export type Parsed<T> =
  | { readonly value: T; readonly problems?: undefined }
  | { readonly value?: undefined; readonly problems: readonly SchemaProblem[] };

export interface Schemas {
  /** Validates `value` against the shipped schema and the user's own one of that name. */
  parse<Name extends CheckedSchema>(name: Name, value: unknown): Parsed<SchemaTypes[Name]>;
  /** The problems under the shipped schema alone. */
  shippedProblems(name: CheckedSchema, value: unknown): readonly SchemaProblem[];
  /** The problems under the user's own schema alone. */
  overlayProblems(name: CheckedSchema, value: unknown): readonly SchemaProblem[];
  /** The user's own schemas, by file name. */
  readonly overlay: Readonly<Record<string, object>>;
}

/** @param folder the user's own schemas; by default there are none */
export async function loadSchemas(folder?: string): Promise<Schemas> {
  const { validators } = await import("../generated/validators.mjs");
  const loaded = folder === undefined ? undefined : await loadOverlay(folder);
  const ownValidators = loaded?.validators ?? new Map<string, ValidateFunction>();
  const shippedProblems: Schemas["shippedProblems"] = (name, value) => problemsOf(validators[name], value);
  const overlayProblems: Schemas["overlayProblems"] = (name, value) =>
    problemsOf(ownValidators.get(name), value);
  return {
    parse<Name extends CheckedSchema>(name: Name, value: unknown): Parsed<SchemaTypes[Name]> {
      const problems = [...shippedProblems(name, value), ...overlayProblems(name, value)];
      // The types are generated from the schema that was just checked.
      return problems.length > 0 ? { problems } : { value: value as SchemaTypes[Name] };
    },
    shippedProblems,
    overlayProblems,
    overlay: loaded?.overlay ?? {},
  };
}

/** The value, or throws the problems that it has. */
export function validOr<T>(parsed: Parsed<T>, code: MockErrorCode, message: string): T {
  if (parsed.problems === undefined) return parsed.value;
  throw new MockError(
    code,
    message,
    parsed.problems.map((problem) => ({ path: problem.path, message: problem.message })),
  );
}
