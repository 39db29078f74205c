import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ValidateFunction } from "ajv";
import { type LocatedProblem, MockError, thrown } from "../foundation/mock-error.js";
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
  const overlay = readOverlay(folder);
  return { overlay, validators: await compileOverlay(overlay, folder) };
}

function readOverlay(folder: string): Record<string, object> {
  const problems: LocatedProblem[] = [];
  const overlay: Record<string, object> = {};
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new MockError("invalid_schema", `--schemas needs a folder, and ${folder} is not one.`);
  }
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  if (files.length === 0) {
    throw new MockError(
      "invalid_schema",
      `--schemas ${folder} holds no .json file; it may hold ${overlaidSchemas.join(", ")}.`,
    );
  }
  for (const file of files) {
    const where = join(folder, file);
    if (!overlaidSchemas.some((name) => name === file)) {
      const message = `nothing is validated against a schema of that name${hint(file, overlaidSchemas)}`;
      problems.push({ file: where, path: "", message });
      continue;
    }
    try {
      const schema = readJson(where);
      if (typeof schema !== "object" || schema === null) throw new Error("a schema is a JSON object");
      overlay[file] = schema;
    } catch (error) {
      problems.push({ file: where, path: "", message: thrown(error).message });
    }
  }
  if (problems.length > 0) {
    throw new MockError("invalid_schema", "These schemas cannot be used:", problems);
  }
  return overlay;
}

async function compileOverlay(
  overlay: Record<string, object>,
  folder: string,
): Promise<Map<string, ValidateFunction>> {
  // The shipped schemas are compiled already: ajv is loaded for the user's own ones only.
  const { Ajv2020 } = (await import("ajv/dist/2020.js")).default;
  const validators = new Map<string, ValidateFunction>();
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    ownProperties: true,
  });
  ajv.addVocabulary(["x-problem"]);
  const problems: LocatedProblem[] = [];
  for (const [name, schema] of Object.entries({ ...shippedSchemas, ...overlay })) {
    try {
      ajv.addSchema({ ...schema, $id: name });
    } catch (error) {
      problems.push({ file: join(folder, name), path: "", message: thrown(error).message });
    }
  }
  for (const name of problems.length > 0 ? [] : Object.keys(overlay)) {
    try {
      const validate = ajv.getSchema(name);
      if (validate && "$async" in validate)
        throw new Error("it must not be $async: a call does not wait for it");
      if (validate) validators.set(name, validate);
    } catch (error) {
      problems.push({ file: join(folder, name), path: "", message: thrown(error).message });
    }
  }
  if (problems.length > 0) {
    throw new MockError(
      "invalid_schema",
      "These schemas cannot be used. Fix them or leave out --schemas:",
      problems,
    );
  }
  return validators;
}
