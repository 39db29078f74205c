import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonObject } from "../../foundation/json.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { Accepts, Operation } from "../../generated/types.js";
import { layOver } from "./accepts.js";
import { operationIds, operations } from "./operations.js";

// Loaded on demand: the shipped schemas are compiled already, and a mock without a profile needs no compiler.

/** Validators of the bodies for which a profile has rules: the shipped schema with the rules laid over it. */
export function compileAccepts(accepts: Accepts): Map<Operation, ValidateFunction> {
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
  for (const operation of operationIds) {
    const rules: JsonObject | undefined = accepts[operation] as JsonObject | undefined;
    if (rules === undefined) continue;
    const { $id, ...schema }: JsonObject = shippedSchemas[operations[operation].request];
    validators.set(operation, ajv.compile(layOver(schema, rules)));
  }
  return validators;
}
