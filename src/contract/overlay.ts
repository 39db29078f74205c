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
  const problems: LocatedProblem[] = [];
  /** Does a step for each file, and then throws the problems of all of them. */
  const forEachFile = (files: readonly string[], act: (file: string) => void) => {
    for (const file of files) {
      try {
        act(file);
      } catch (error) {
        problems.push({ file: join(folder, file), path: "", message: thrown(error).message });
      }
    }
    const refused = "These schemas cannot be used. Fix them or leave out --schemas:";
    if (problems.length > 0) throw new MockError("invalid_schema", refused, problems);
  };
  const overlay: Record<string, object> = {};
  forEachFile(filesOf(folder), (file) => {
    overlay[file] = readSchema(folder, file);
  });
  // The shipped schemas are compiled already: ajv is loaded for the user's own ones only.
  const { Ajv2020 } = (await import("ajv/dist/2020.js")).default;
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    ownProperties: true,
  });
  ajv.addVocabulary(["x-problem"]);
  const all: Record<string, object> = { ...shippedSchemas, ...overlay };
  forEachFile(Object.keys(all), (file) => ajv.addSchema({ ...all[file], $id: file }));
  const validators = new Map<string, ValidateFunction>();
  forEachFile(Object.keys(overlay), (file) => {
    const validate = ajv.getSchema(file);
    if (validate && "$async" in validate)
      throw new Error("it must not be $async: a call does not wait for it");
    if (validate) validators.set(file, validate);
  });
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

function readSchema(folder: string, file: string): object {
  if (!overlaidSchemas.some((name) => name === file))
    throw new Error(`nothing is validated against a schema of that name${hint(file, overlaidSchemas)}`);
  const schema = readJson(join(folder, file));
  if (typeof schema !== "object" || schema === null) throw new Error("a schema is a JSON object");
  return schema;
}
