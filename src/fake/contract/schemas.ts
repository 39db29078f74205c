import type { ErrorObject, ValidateFunction } from "ajv";
import { counted } from "../../foundation/grammar.js";
import { pointerTo } from "../../foundation/json.js";
import { hint } from "../../foundation/nearest.js";
import type { Operation, Problem, SchemaFile } from "../../generated/types.js";
import type { operations } from "./operations.js";
import type { KnownShape } from "./situations.js";

/** The schemas of requests to the service. */
export type RequestSchema = (typeof operations)[Operation]["request"];

/** The schemas of fixtures and of the admin API. The tables check assumptions. */
export type InputSchema = Exclude<
  Extract<SchemaFile, `${string}.${"request" | "query"}.json` | "fixture.json">,
  RequestSchema | "assumptions.request.json"
>;

export interface Schemas<File extends SchemaFile = RequestSchema> {
  /** Validates against a shipped schema. */
  shippedProblems(name: File, value: unknown): readonly SchemaProblem[];
}

export async function loadSchemas(): Promise<Schemas> {
  const { validators } = await import("../../generated/validators.mjs");
  return { shippedProblems: (name, value) => findProblems(validators[name], value) };
}

/** Loaded for the first admin call or fixture: their code takes 5 % of an import with the first start. */
export async function loadInputSchemas(): Promise<Schemas<InputSchema>> {
  const { inputValidators } = await import("../../generated/input-validators.mjs");
  return { shippedProblems: (name, value) => findProblems(inputValidators[name], value) };
}

/** Of a profile without its situations, and of what it can say of a situation besides a word. */
export type ProfileValidators = Readonly<Record<"profile" | KnownShape, ValidateFunction>>;

export async function loadProfileValidators(): Promise<ProfileValidators> {
  return (await import("../../generated/profile-validator.mjs")).profileValidators;
}

/** A problem, with the keyword of the schema that failed: an assumption may allow it. */
export interface SchemaProblem extends Problem {
  readonly keyword: string;
}

/** Every problem of `value`. */
export function findProblems(validate: ValidateFunction, value: unknown): readonly SchemaProblem[] {
  if (validate(value)) return [];
  return withoutBranches(validate.errors ?? []).map(toProblem);
}

/** ajv reports what failed inside these keywords, and then the keyword itself, which is enough. */
function withoutBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const failed = errors.filter(({ keyword }) => ["anyOf", "propertyNames", "contains"].includes(keyword));
  if (failed.length === 0) return errors;
  const branches = [...new Set(failed.map(({ schemaPath }) => `${schemaPath}/`))];
  return errors.filter(({ schemaPath }) => !branches.some((branch) => schemaPath.startsWith(branch)));
}

function toProblem(error: ErrorObject): SchemaProblem {
  const { keyword, params, instancePath } = error;
  // ajv reports a missing or unknown field, and a wrong key, at the object. A message of our own is about the object.
  const key: string | undefined = hasOwnMessage(error) ? undefined : params.propertyName;
  const field: string | undefined = params.missingProperty ?? params.additionalProperty ?? key;
  const below = field === undefined ? "" : pointerTo(field);
  return { keyword, path: instancePath + below, message: explainProblem(error) ?? error.message ?? keyword };
}

function hasOwnMessage({ parentSchema }: ErrorObject): boolean {
  return parentSchema?.["x-problem"] !== undefined;
}

/** What is allowed, and what was probably meant. Undefined where the message of ajv is good enough. */
function explainProblem(error: ErrorObject): string | undefined {
  const { keyword, params, parentSchema = {} } = error;
  if (keyword === "type") return undefined;
  const { "x-problem": custom, properties = {}, minimum, maximum } = parentSchema;
  switch (keyword) {
    case "required":
      return "is required";
    case "dependentRequired":
      return `is required with ${params.property}`;
    case "additionalProperties":
      return `is not a known field${hint(params.additionalProperty, Object.keys(properties))}`;
    case "minLength":
      return params.limit === 1 ? "must not be empty" : undefined;
    case "maxProperties":
      return `must not have more than ${counted(params.limit, "key")}`;
    case "propertyNames":
      return custom ?? "is a key that is not allowed";
    case "x-stored-text":
      return String(error.schema);
    case "minimum":
    case "maximum":
      if (minimum === undefined) return undefined;
      return maximum === undefined
        ? `must be at least ${minimum}`
        : `must be a number from ${minimum} to ${maximum}`;
    case "const":
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case "enum":
      return `must be ${params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(" or ")}`;
    default:
      return custom;
  }
}
