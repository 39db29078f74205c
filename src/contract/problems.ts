import type { ErrorObject, ValidateFunction } from "ajv";
import { hint } from "../foundation/nearest.js";
import type { Problem } from "./types.js";

/** A problem, with what ajv complained about: which assumption forgives it depends on that. */
export interface SchemaProblem extends Problem {
  readonly keyword: string;
}

const noProblems: readonly SchemaProblem[] = [];

/** Every problem that `value` has, in words that a user can act on. */
export function problemsOf(validate: ValidateFunction | undefined, value: unknown): readonly SchemaProblem[] {
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
