import { readdirSync, statSync } from "node:fs";
import { MockError, type MockErrorCode } from "../foundation/mock-error.js";
import type { SchemaFile } from "../generated/shipped-schemas.js";
import type { SchemaTypes } from "../generated/types.js";
import { overlaidSchemas } from "./operations.js";
import { findProblems, type SchemaProblem } from "./problems.js";

/** The schemas of all input. Only these have a compiled validator. */
export type InputSchema = Extract<SchemaFile, `${string}.${"request" | "query"}.json` | "fixture.json">;

/** A value that matches its schema, or the problems that it has. */
export type Parsed<T> =
  | { readonly value: T; readonly problems?: undefined }
  | { readonly value?: undefined; readonly problems: readonly SchemaProblem[] };

export interface Schemas {
  /** Validates `value` against the shipped schema and the user's own one of that name. */
  parse<Name extends InputSchema>(name: Name, value: unknown): Parsed<SchemaTypes[Name]>;
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
  const shippedProblems: Schemas["shippedProblems"] = (name, value) => findProblems(validators[name], value);
  const overlayProblems: Schemas["overlayProblems"] = (name, value) =>
    findProblems(own?.validators.get(name), value);
  return {
    parse<Name extends InputSchema>(name: Name, value: unknown): Parsed<SchemaTypes[Name]> {
      const problems = [...shippedProblems(name, value), ...overlayProblems(name, value)];
      // The type is generated from this schema.
      return problems.length > 0 ? { problems } : { value: value as SchemaTypes[Name] };
    },
    shippedProblems,
    overlayProblems,
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
  const reason = isFolder ? "contains no .json files" : "is not a directory";
  const message = `--schemas ${folder} ${reason}. It must contain at least one of ${overlaidSchemas.join(", ")}.`;
  throw new MockError("invalid_schema", message);
}

/** Returns the value, or throws its problems. */
export function validOr<T>(parsed: Parsed<T>, code: MockErrorCode, message: string): T {
  if (parsed.problems === undefined) return parsed.value;
  throw new MockError(code, message, parsed.problems);
}
