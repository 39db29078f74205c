import type { ErrorObject, ValidateFunction } from "ajv";
import { hint } from "../foundation/nearest.js";
import type { Problem } from "./types.js";

/** A problem, with the keyword of the schema that failed: an assumption may forgive it. */
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
  const { keyword, params, instancePath: path } = error;
  const at = (key: string) => `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  switch (keyword) {
    case "required":
      return { keyword, path: at(params.missingProperty), message: "is required" };
    // A shipped schema reports an unknown field at the field itself, ajv at the object that has it.
    case "x-unknown":
      return {
        keyword,
        path,
        message: unknownField(path.slice(path.lastIndexOf("/") + 1), error.schema as string[]),
      };
    case "additionalProperties": {
      const known = Object.keys(error.parentSchema?.properties ?? {});
      const field: string = params.additionalProperty;
      return { keyword, path: at(field), message: unknownField(field, known) };
    }
    case "minLength":
      if (params.limit === 1) return { keyword, path, message: "must not be empty" };
      break;
    case "pattern": {
      const words: unknown = error.parentSchema?.["x-problem"];
      if (typeof words === "string") return { keyword, path, message: words };
    }
  }
  return { keyword, path, message: error.message ?? `fails ${keyword}` };
}

function unknownField(field: string, known: readonly string[]): string {
  return `is not a known field${hint(field, known)}`;
}
