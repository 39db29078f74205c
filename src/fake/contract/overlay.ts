import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { isObject, type JsonObject } from "../../foundation/json.js";
import { asError } from "../../foundation/located-problem.js";
import { hint } from "../../foundation/nearest.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import { overlaidSchemas } from "./operations.js";

/** The user's own schemas, by file name. */
export type Overlay = ReturnType<typeof compileOverlay>;

// Loaded on demand: the shipped schemas are compiled already, and few users have their own. So it throws no MockError,
// whose class Jest may load a second time.

/** Compiles the user's own schemas. They can refer to the shipped schemas and to each other. */
export function compileOverlay(given: Readonly<Record<string, unknown>>) {
  const schemas: Record<string, JsonObject> = {};
  const validators = new Map<string, ValidateFunction>();
  const problems: { readonly file: string; readonly message: string }[] = [];
  const attempt = (file: string, step: () => void) => {
    try {
      step();
    } catch (error) {
      problems.push({ file, message: asError(error).message });
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
  for (const [file, schema] of Object.entries(given)) {
    attempt(file, () => {
      if (!overlaidSchemas.includes(file))
        throw new Error(`is not the name of a schema${hint(file, overlaidSchemas)}`);
      if (!isObject(schema)) throw new Error("must be a JSON object");
      // In place of the shipped one.
      ajv.removeSchema(file).addSchema({ ...schema, $id: file });
      schemas[file] = schema;
    });
  }
  for (const file of Object.keys(schemas))
    attempt(file, () => validators.set(file, ajv.compile({ $ref: file })));
  return { schemas, validators, problems };
}
