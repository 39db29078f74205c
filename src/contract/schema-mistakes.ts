import type { Ajv, ErrorObject } from "ajv";
import { isObject, type JsonObject } from "../foundation/json.js";
import { nearest } from "../foundation/nearest.js";
import type { Problem } from "../generated/types.js";
import { toProblem } from "./problems.js";

/** The mistakes that a meta-schema finds, one for each place. ajv reports every branch of the meta-schema. */
export function schemaMistakes(errors: readonly ErrorObject[]): Problem[] {
  const byPlace = new Map<string, ErrorObject>();
  for (const error of errors) {
    // A list of the allowed values helps most.
    if (error.keyword === "enum" || !byPlace.has(error.instancePath)) byPlace.set(error.instancePath, error);
  }
  return [...byPlace.values()].map(toProblem).map(({ path, message }) => ({ path, message }));
}

/** ajv throws the other mistakes as text, most of them without their place. */
export function explainMistake(text: string, schema: JsonObject, ajv: Ajv): Problem {
  const [, keyword] = /unknown keyword: "(.*)"/.exec(text) ?? [];
  if (keyword !== undefined) {
    const path = pathTo(schema, (key) => key === keyword);
    return { path, message: `is not a supported keyword${didYouMean(keyword, ajv.RULES.keywords)}` };
  }
  const [, format, parent] = /unknown format "(.*)" ignored in schema at path "#(.*)"/.exec(text) ?? [];
  if (format !== undefined) {
    const message = `${JSON.stringify(format)} is not a known format${didYouMean(format, ajv.formats)}`;
    return { path: `${parent}/format`, message };
  }
  const [, reference] = /can't resolve reference (.*) from id/.exec(text) ?? [];
  if (reference !== undefined) {
    const path = pathTo(schema, (key, value) => key === "$ref" && value === reference);
    const advice = "Refer to a file in this folder, to a schema of the package, or to a place in this file";
    return { path, message: `${reference} does not exist. ${advice}` };
  }
  const path = pathTo(schema, (key, value) => key === "pattern" && text.includes(`/${value}/`));
  return { path, message: text };
}

function didYouMean(wrong: string, known: object): string {
  const near = nearest(wrong, Object.keys(known));
  return near === undefined ? "" : `; did you mean ${near}?`;
}

/** A JSON pointer to the first field that matches, or to the root. */
function pathTo(json: unknown, matches: (key: string, value: unknown) => boolean): string {
  if (!isObject(json) && !Array.isArray(json)) return "";
  for (const [key, value] of Object.entries(json)) {
    const here = `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (matches(key, value)) return here;
    const below = pathTo(value, matches);
    if (below !== "") return here + below;
  }
  return "";
}
