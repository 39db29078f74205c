import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ValidateFunction } from "ajv";
import { isObject, type JsonObject } from "../foundation/json.js";
import { asError, type LocatedProblem, MockError } from "../foundation/mock-error.js";
import { hint } from "../foundation/nearest.js";
import { readJson } from "../foundation/read-json.js";
import { shippedSchemas } from "../generated/shipped-schemas.js";
import { overlaidSchemas } from "./checked-schemas.js";

/** The user's own schemas of a folder. They may refer to the shipped ones that they do not replace. */
export interface Overlay {
  readonly overlay: Record<string, object>;
  readonly validators: Map<string, ValidateFunction>;
}

export async function loadOverlay(folder: string): Promise<Overlay> {
  const overlay: Record<string, JsonObject> = {};
  const unreadable: LocatedProblem[] = [];
  for (const file of filesOf(folder)) {
    try {
      overlay[file] = readSchema(folder, file);
    } catch (error) {
      unreadable.push({ file, path: "", message: asError(error).message });
    }
  }
  const { compileOverlay } = await import("./compile-overlay.js");
  const { validators, problems } = compileOverlay(overlay, shippedSchemas);
  const found = [...unreadable, ...problems].map((one) => ({ ...one, file: join(folder, one.file ?? "") }));
  const refused = "These schemas cannot be used. Fix them or leave out --schemas:";
  if (found.length > 0) throw new MockError("invalid_schema", refused, found);
  return { overlay, validators };
}

function filesOf(folder: string): readonly string[] {
  const isFolder = existsSync(folder) && statSync(folder).isDirectory();
  const files = isFolder ? readdirSync(folder).filter((file) => file.endsWith(".json")) : [];
  if (files.length > 0) return files;
  const message = isFolder
    ? `--schemas ${folder} holds no .json file; it may hold ${overlaidSchemas.join(", ")}.`
    : `--schemas needs a folder, and ${folder} is not one.`;
  throw new MockError("invalid_schema", message);
}

function readSchema(folder: string, file: string): JsonObject {
  if (!overlaidSchemas.some((name) => name === file))
    throw new Error(`nothing is validated against a schema of that name${hint(file, overlaidSchemas)}`);
  const schema = readJson(join(folder, file));
  if (!isObject(schema)) throw new Error("a schema is a JSON object");
  return schema;
}
