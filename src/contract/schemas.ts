import { readdirSync, statSync } from "node:fs";
import { MockError } from "../foundation/mock-error.js";
import type { SchemaFile } from "../generated/shipped-schemas.js";
import { overlaidSchemas } from "./operations.js";
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
  readonly overlay: Readonly<Record<string, object>>;
}

/** @param folder the user's own schemas; by default there are none */
export async function loadSchemas(folder?: string): Promise<Schemas> {
  const { validators } = await import("../generated/validators.mjs");
  const own = folder === undefined ? undefined : await loadOwn(folder);
  return {
    shippedProblems: (name, value) => findProblems(validators[name], value),
    overlayProblems: (name, value) => findProblems(own?.validators.get(name), value),
    overlay: own?.overlay ?? {},
  };
}

async function loadOwn(folder: string) {
  const files = listFiles(folder);
  const { loadOverlay } = await import("./overlay.js");
  const own = loadOverlay(folder, files);
  if (own.problems.length === 0) return own;
  const message = "Invalid schemas. Fix them, or leave out --schemas:";
  throw new MockError("invalid_schema", message, own.problems);
}

function listFiles(folder: string): readonly string[] {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  const files = isFolder ? readdirSync(folder).filter((file) => file.endsWith(".json")) : [];
  if (files.length > 0) return files;
  const reason = isFolder ? "contains no .json files" : "is not a folder";
  const message = `--schemas ${folder} ${reason}. It must contain at least one of ${overlaidSchemas.join(", ")}.`;
  throw new MockError("invalid_schema", message);
}
