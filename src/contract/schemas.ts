import type { ValidateFunction } from "ajv";
import { problemsOf, type SchemaProblem } from "./problems.js";
import type { CheckedSchema } from "./shipped-schemas.js";
import * as shippedValidators from "./validators.mjs";

export interface Schemas {
  /** Every problem that `value` has under the shipped schema. */
  readonly shipped: (name: CheckedSchema, value: unknown) => readonly SchemaProblem[];
  /** Every problem that `value` has under the user's own schema of that name, laid over the shipped one. */
  readonly stricter: (name: CheckedSchema, value: unknown) => readonly SchemaProblem[];
  /** The user's own schemas, by file name. */
  readonly overlay: Readonly<Record<string, object>>;
}

const shipped = shippedValidators as unknown as Readonly<Record<CheckedSchema, ValidateFunction>>;

/** @param folder the user's own schemas; undefined: the shipped ones alone. */
export async function loadSchemas(folder?: string): Promise<Schemas> {
  // ajv itself is needed for the user's schemas only: those that ship have been compiled already.
  const { readOverlay, compileOverlay } = folder === undefined ? none : await import("./overlay.js");
  const overlay = readOverlay(folder ?? "");
  const stricter = compileOverlay(overlay, folder ?? "");
  return {
    shipped: (name, value) => problemsOf(shipped[name], value),
    stricter: (name, value) => problemsOf(stricter.get(name), value),
    overlay,
  };
}

const none = {
  readOverlay: (): Record<string, object> => ({}),
  compileOverlay: () => new Map<string, ValidateFunction>(),
};
