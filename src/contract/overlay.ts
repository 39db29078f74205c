import { join } from "node:path";
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { isObject, type JsonObject } from "../foundation/json.js";
import { asError, type LocatedProblem } from "../foundation/mock-error.js";
import { hint } from "../foundation/nearest.js";
import { readJson } from "../foundation/read-json.js";
import { shippedSchemas } from "../generated/shipped-schemas.js";
import { overlaidSchemas } from "./operations.js";

// Loaded on demand: the shipped schemas are compiled already, and few users have their own. So it throws no MockError,
// whose class Jest may load a second time.

/** Compiles the user's own schemas. They can refer to the shipped schemas and to each other. */
export function loadOverlay(folder: string, files: readonly string[]) {
  const overlay: Record<string, JsonObject> = {};
  const validators = new Map<string, ValidateFunction | undefined>();
  const problems: LocatedProblem[] = [];
  const attempt = (file: string, step: () => void) => {
    try {
      step();
    } catch (error) {
      problems.push({ file: join(folder, file), path: "", message: asError(error).message });
    }
  };
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strictTypes: false,
    strictTuples: false,
    ownProperties: true,
    logger: false,
  });
  ajvFormats.default(ajv);
  ajv.addVocabulary(["x-problem", "x-well-formed", "tsType"]);
  ajv.addSchema(Object.values(shippedSchemas));
  for (const file of files) {
    attempt(file, () => {
      const schema = readSchema(folder, file);
      // In place of the shipped one.
      ajv.removeSchema(file).addSchema({ ...schema, $id: file });
      overlay[file] = schema;
    });
  }
  for (const file of Object.keys(overlay)) attempt(file, () => validators.set(file, ajv.getSchema(file)));
  return { overlay, validators, problems };
}

function readSchema(folder: string, file: string): JsonObject {
  if (!overlaidSchemas.includes(file))
    throw new Error(`is not the name of a schema${hint(file, overlaidSchemas)}`);
  const schema = readJson(join(folder, file));
  if (!isObject(schema)) throw new Error("must be a JSON object");
  return schema;
}
