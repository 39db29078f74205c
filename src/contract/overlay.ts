import { join } from "node:path";
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { isObject, type JsonObject } from "../foundation/json.js";
import { asError, type LocatedProblem } from "../foundation/mock-error.js";
import { hint } from "../foundation/nearest.js";
import { readJson } from "../foundation/read-json.js";
import { shippedSchemas } from "../generated/shipped-schemas.js";
import { overlaidSchemas } from "./checked-schemas.js";

// Loaded on demand: the shipped schemas are compiled already, and few users have their own. So it throws no MockError,
// whose class Jest may load a second time.

const draft = "https://json-schema.org/draft/2020-12/schema";

/** Compiles the user's own schemas. They can refer to the shipped schemas and to each other. */
export function loadOverlay(folder: string, files: readonly string[]) {
  const overlay: Record<string, JsonObject> = {};
  const validators = new Map<string, ValidateFunction>();
  const problems: LocatedProblem[] = [];
  for (const file of files) {
    try {
      overlay[file] = readSchema(folder, file);
    } catch (error) {
      problems.push({ file: join(folder, file), path: "", message: asError(error).message });
    }
  }
  const ajv = newAjv({ ...shippedSchemas, ...overlay });
  for (const [file, { $schema, ...schema }] of Object.entries(overlay)) {
    try {
      if (!ajv.validateSchema(schema)) throw new Error(ajv.errorsText(ajv.errors, { dataVar: "schema" }));
      const validate = ajv.getSchema(file);
      if (validate !== undefined) validators.set(file, validate);
    } catch (error) {
      problems.push({ file: join(folder, file), path: "", message: asError(error).message });
    }
  }
  return { overlay, validators, problems };
}

function readSchema(folder: string, file: string): JsonObject {
  if (!overlaidSchemas.some((name) => name === file))
    throw new Error(`is not the name of a schema${hint(file, overlaidSchemas)}`);
  const schema = readJson(join(folder, file));
  if (!isObject(schema)) throw new Error("must be a JSON object");
  if (schema.$schema !== undefined && schema.$schema !== draft)
    throw new Error(`$schema is not supported; use ${draft}`);
  return schema;
}

function newAjv(schemas: Readonly<Record<string, object>>): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strictTypes: false,
    strictTuples: false,
    ownProperties: true,
    // Otherwise a mistake in one file would be reported for all of them.
    validateSchema: false,
  });
  ajvFormats.default(ajv);
  ajv.addVocabulary(["x-problem"]);
  // The validator of an asynchronous schema would return a promise.
  ajv.removeKeyword("$async");
  for (const [file, schema] of Object.entries(schemas)) {
    const { $schema, ...rest } = schema as JsonObject;
    ajv.addSchema({ ...rest, $id: file });
  }
  return ajv;
}
