import type { SchemaFile } from "../generated/shipped-schemas.js";
import type { Overlay } from "./overlay.js";
import { findProblems, type SchemaProblem } from "./problems.js";

/** The schemas of all input. Only these have a compiled validator. */
export type InputSchema =
  | Extract<SchemaFile, `${string}.${"request" | "query"}.json` | "fixture.json">
  | "profile.json";

export interface Schemas {
  /** Validates against the shipped schema only. */
  shippedProblems(name: InputSchema, value: unknown): readonly SchemaProblem[];
  /** Validates against the user's own schema only. */
  overlayProblems(name: InputSchema, value: unknown): readonly SchemaProblem[];
  /** The user's own schemas, by file name. */
  readonly overlay: Overlay["schemas"];
}

/** @param overlay the user's own schemas; by default there are none */
export async function loadSchemas(overlay?: Overlay): Promise<Schemas> {
  const { validators } = await import("../generated/validators.mjs");
  return {
    shippedProblems: (name, value) => findProblems(validators[name], value),
    overlayProblems: (name, value) => findProblems(overlay?.validators.get(name), value),
    overlay: overlay?.schemas ?? {},
  };
}
