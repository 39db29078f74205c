import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import adminFailure from "../../schemas/admin-failure.response.json" with { type: "json" };
import assumptionRequest from "../../schemas/assumptions.request.json" with { type: "json" };
import assumptionList from "../../schemas/assumptions.response.json" with { type: "json" };
import failure from "../../schemas/failure.response.json" with { type: "json" };
import fault from "../../schemas/fault.json" with { type: "json" };
import faultRequest from "../../schemas/fault.request.json" with { type: "json" };
import faultList from "../../schemas/faults.response.json" with { type: "json" };
import fixture from "../../schemas/fixture.json" with { type: "json" };
import getOrCreateRequest from "../../schemas/get-or-create.request.json" with { type: "json" };
import getOrCreateResponse from "../../schemas/get-or-create.response.json" with { type: "json" };
import health from "../../schemas/health.response.json" with { type: "json" };
import journalEntry from "../../schemas/journal-entry.json" with { type: "json" };
import problem from "../../schemas/problem.json" with { type: "json" };
import journalFilter from "../../schemas/requests.query.json" with { type: "json" };
import journalPage from "../../schemas/requests.response.json" with { type: "json" };
import rotateRequest from "../../schemas/rotate.request.json" with { type: "json" };
import rotateResponse from "../../schemas/rotate.response.json" with { type: "json" };
import snapshot from "../../schemas/snapshot.response.json" with { type: "json" };
import userGroup from "../../schemas/user-group.json" with { type: "json" };
import waitRequest from "../../schemas/wait.request.json" with { type: "json" };
import worldList from "../../schemas/worlds.response.json" with { type: "json" };
import { type LocatedProblem, MockError, thrown } from "./mock-error.js";
import { hint } from "./nearest.js";
import type { Problem } from "./types.js";

/** The schemas of `schemas/`, by file name. */
export const shippedSchemas = {
  "admin-failure.response.json": adminFailure,
  "assumptions.request.json": assumptionRequest,
  "assumptions.response.json": assumptionList,
  "failure.response.json": failure,
  "fault.json": fault,
  "fault.request.json": faultRequest,
  "faults.response.json": faultList,
  "journal-entry.json": journalEntry,
  "requests.query.json": journalFilter,
  "requests.response.json": journalPage,
  "snapshot.response.json": snapshot,
  "wait.request.json": waitRequest,
  "worlds.response.json": worldList,
  "fixture.json": fixture,
  "get-or-create.request.json": getOrCreateRequest,
  "get-or-create.response.json": getOrCreateResponse,
  "health.response.json": health,
  "problem.json": problem,
  "rotate.request.json": rotateRequest,
  "rotate.response.json": rotateResponse,
  "user-group.json": userGroup,
} as const;

/** The schemas that a user can make stricter: those of what comes from the user's own program and files. */
const overlaidSchemas = ["get-or-create.request.json", "rotate.request.json", "fixture.json"] as const;

/** The schemas that somebody else's JSON is checked against. */
const checkedSchemas = [
  ...overlaidSchemas,
  "fault.request.json",
  "requests.query.json",
  "wait.request.json",
] as const;
export type CheckedSchema = (typeof checkedSchemas)[number];

/** A problem, with what ajv complained about: which assumption forgives it depends on that. */
export interface SchemaProblem extends Problem {
  readonly keyword: string;
}

export interface Schemas {
  /** Every problem that `value` has under the shipped schema. */
  readonly shipped: (name: CheckedSchema, value: unknown) => readonly SchemaProblem[];
  /** Every problem that `value` has under the user's own schema of that name, laid over the shipped one. */
  readonly stricter: (name: CheckedSchema, value: unknown) => readonly SchemaProblem[];
  /** The user's own schemas, by file name. */
  readonly overlay: Readonly<Record<string, object>>;
}

/** @param folder the user's own schemas; undefined: the shipped ones alone. */
export function loadSchemas(folder?: string): Schemas {
  const overlay = folder === undefined ? {} : readOverlay(folder);
  const shipped = validators(shippedSchemas, checkedSchemas);
  const stricter = validators({ ...shippedSchemas, ...overlay }, Object.keys(overlay), folder);
  return {
    shipped: (name, value) => problemsOf(shipped.get(name), value),
    stricter: (name, value) => problemsOf(stricter.get(name), value),
    overlay,
  };
}

function validators(schemas: Record<string, object>, names: readonly string[], folder = "schemas") {
  const validators = new Map<string, ValidateFunction>();
  if (names.length === 0) return validators;
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
  });
  ajv.addVocabulary(["x-problem"]);
  const problems: LocatedProblem[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    try {
      ajv.addSchema({ ...schema, $id: name });
    } catch (error) {
      problems.push({ file: join(folder, name), path: "", message: thrown(error).message });
    }
  }
  for (const name of problems.length > 0 ? [] : names) {
    try {
      const validate = ajv.getSchema(name);
      if (validate) validators.set(name, validate);
    } catch (error) {
      problems.push({ file: join(folder, name), path: "", message: thrown(error).message });
    }
  }
  if (problems.length > 0) {
    throw new MockError(
      "invalid_schema",
      "These schemas cannot be used; mend them or leave out --schemas:",
      problems,
    );
  }
  return validators;
}

function readOverlay(folder: string): Record<string, object> {
  const problems: LocatedProblem[] = [];
  const overlay: Record<string, object> = {};
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new MockError("invalid_schema", `--schemas wants a folder, and ${folder} is none.`);
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
      const message = `no JSON that comes in is checked against a schema of that name${hint(file, overlaidSchemas)}`;
      problems.push({ file: where, path: "", message });
      continue;
    }
    try {
      const schema: unknown = JSON.parse(readFileSync(where, "utf8"));
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

const noProblems: readonly SchemaProblem[] = [];

function problemsOf(validate: ValidateFunction | undefined, value: unknown): readonly SchemaProblem[] {
  if (validate === undefined || validate(value)) return noProblems;
  return (validate.errors ?? []).map(describe);
}

function describe(error: ErrorObject): SchemaProblem {
  const { keyword, params } = error;
  const at = (key: string) => `${error.instancePath}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  switch (keyword) {
    case "required":
      return { keyword, path: at(params.missingProperty), message: "is required" };
    case "additionalProperties": {
      const known = Object.keys(error.parentSchema?.properties ?? {});
      const field: string = params.additionalProperty;
      return { keyword, path: at(field), message: `is not a known field${hint(field, known)}` };
    }
    case "minLength":
      if (params.limit === 1) return { keyword, path: error.instancePath, message: "must not be empty" };
      break;
    case "pattern": {
      const said: unknown = error.parentSchema?.["x-problem"];
      if (typeof said === "string") return { keyword, path: error.instancePath, message: said };
    }
  }
  return { keyword, path: error.instancePath, message: error.message ?? `fails ${keyword}` };
}
