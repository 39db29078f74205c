import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonObject } from "../../foundation/json.js";
import type { Operation } from "../../generated/types.js";

// Loaded on demand: the shipped schemas are compiled already, and a mock without a profile needs no compiler. It imports
// nothing else, so that the bundle of every start is not divided for it.

/** @param schemas of the bodies for which a profile has rules */
export function compileAccepts(
  schemas: ReadonlyMap<Operation, JsonObject>,
): Map<Operation, ValidateFunction> {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strictTypes: false,
    ownProperties: true,
    logger: false,
    // The schema of profiles has checked the rules. To compile that of JSON Schema as well takes 100 ms.
    meta: false,
    validateSchema: false,
  });
  ajv.addVocabulary(["x-problem", "tsType"]);
  ajv.addKeyword({
    keyword: "x-stored-text",
    type: "string",
    validate: (_: unknown, text: string) => !text.includes("\0") && !/\p{Surrogate}/u.test(text),
  });
  const validators = new Map<Operation, ValidateFunction>();
  for (const [operation, schema] of schemas) validators.set(operation, ajv.compile(schema));
  return validators;
}
