import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { isObject } from "../foundation/json.js";
import { asError, type LocatedProblem } from "../foundation/mock-error.js";
import { hint } from "../foundation/nearest.js";
import { readJson } from "../foundation/read-json.js";
import { shippedSchemas } from "../generated/shipped-schemas.js";
import { overlaidSchemas } from "./checked-schemas.js";

// Loaded on demand: the shipped schemas are compiled already, and few users have their own.

/** The user's own schemas, by file name, and every problem that they have. */
export interface Overlay {
  readonly overlay: Readonly<Record<string, object>>;
  readonly validators: ReadonlyMap<string, ValidateFunction>;
  readonly problems: readonly LocatedProblem[];
}

/** Compiles the user's own schemas. They can refer to the shipped schemas and to each other. */
export function loadOverlay(folder: string): Overlay {
  const overlay: Record<string, object> = {};
  const validators = new Map<string, ValidateFunction>();
  const problems: LocatedProblem[] = [];
  const attempt = (file: string, step: () => void) => {
    try {
      step();
    } catch (error) {
      problems.push({ file, path: "", message: asError(error).message });
    }
  };
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strictTypes: false,
    strictTuples: false,
    ownProperties: true,
  });
  ajvFormats.default(ajv);
  ajv.addVocabulary(["x-problem"]);
  // The validator of an asynchronous schema would return a promise.
  ajv.removeKeyword("$async");
  attempt(folder, () => {
    const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
    if (files.length === 0)
      throw new Error(`has no .json file; expected one of ${overlaidSchemas.join(", ")}`);
    for (const file of files) {
      attempt(join(folder, file), () => {
        if (!overlaidSchemas.some((name) => name === file))
          throw new Error(`is not the name of a schema${hint(file, overlaidSchemas)}`);
        const schema = readJson(join(folder, file));
        if (!isObject(schema)) throw new Error("must be a JSON object");
        overlay[file] = schema;
        // Most schemas of other drafts are valid in 2020-12 too.
        const { $schema, ...rest } = schema;
        ajv.addSchema({ ...rest, $id: file });
      });
    }
  });
  if (problems.length > 0) return { overlay, validators, problems };
  for (const [file, schema] of Object.entries(shippedSchemas)) {
    if (!Object.hasOwn(overlay, file)) ajv.addSchema(schema);
  }
  for (const file of Object.keys(overlay)) {
    attempt(join(folder, file), () => {
      const validate = ajv.getSchema(file);
      if (validate !== undefined) validators.set(file, validate);
    });
  }
  return { overlay, validators, problems };
}
