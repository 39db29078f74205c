import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { isObject, type JsonObject } from "../foundation/json.js";
import { asError, type LocatedProblem } from "../foundation/mock-error.js";
import { nearest } from "../foundation/nearest.js";
import type { Problem } from "../generated/types.js";
import { schemaMistakes } from "./problems.js";

// Loaded on demand: the shipped schemas are compiled already, and few users have schemas of their own.

const drafts = {
  "https://json-schema.org/draft/2020-12/schema": Ajv2020,
  "http://json-schema.org/draft-07/schema": Ajv,
} as const;

interface CompiledOverlay {
  readonly validators: Map<string, ValidateFunction>;
  readonly problems: readonly LocatedProblem[];
}

/** Compiles the user's own schemas. They may refer to the shipped ones, and to each other. */
export function compileOverlay(
  overlay: Readonly<Record<string, JsonObject>>,
  shipped: Readonly<Record<string, object>>,
): CompiledOverlay {
  const validators = new Map<string, ValidateFunction>();
  const problems: LocatedProblem[] = [];
  for (const [file, schema] of Object.entries(overlay)) {
    const { $schema = "https://json-schema.org/draft/2020-12/schema" } = schema;
    const draft = Object.entries(drafts).find(([uri]) => uri === String($schema).replace(/#$/, ""))?.[1];
    if (draft === undefined) {
      const message = `is not supported; use ${Object.keys(drafts).join(" or ")}`;
      problems.push({ file, path: "/$schema", message });
      continue;
    }
    const compiled = compile(newAjv(draft, { ...shipped, ...overlay }), file, schema);
    if (typeof compiled === "function") validators.set(file, compiled);
    else problems.push(...compiled.map((problem) => ({ file, ...problem })));
  }
  return { validators, problems };
}

function newAjv(draft: typeof Ajv | typeof Ajv2020, schemas: Readonly<Record<string, object>>): Ajv {
  const ajv = new draft({
    allErrors: true,
    verbose: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    ownProperties: true,
    // Each of the user's own is validated when it is compiled.
    validateSchema: false,
  });
  ajvFormats.default(ajv);
  ajv.addVocabulary(["x-problem"]);
  for (const [file, schema] of Object.entries(schemas)) {
    const { $schema, ...rest } = schema as JsonObject;
    ajv.addSchema({ ...rest, $id: file });
  }
  return ajv;
}

function compile(ajv: Ajv, file: string, schema: JsonObject): ValidateFunction | Problem[] {
  const { $schema, ...rest } = schema;
  if (!ajv.validateSchema(rest)) return schemaMistakes(ajv.errors as ErrorObject[]);
  try {
    const validate = ajv.getSchema(file);
    if (validate === undefined) throw new Error("it cannot be found");
    if (!("$async" in validate)) return validate;
    return [{ path: "/$async", message: "must be left out: a request does not wait for it" }];
  } catch (error) {
    return [explainMistake(asError(error).message, schema, ajv)];
  }
}

/** ajv throws these mistakes as text, most of them without their place. */
function explainMistake(text: string, schema: JsonObject, ajv: Ajv): Problem {
  const [, keyword] = /unknown keyword: "(.*)"/.exec(text) ?? [];
  if (keyword !== undefined) {
    const meant = nearest(keyword, Object.keys(ajv.RULES.keywords));
    const path = pathTo(schema, (key) => key === keyword);
    return { path, message: `is not a keyword of JSON Schema${didYouMean(meant)}` };
  }
  const [, format, parent] = /unknown format "(.*)" ignored in schema at path "#(.*)"/.exec(text) ?? [];
  if (format !== undefined) {
    const meant = nearest(format, Object.keys(ajv.formats));
    return {
      path: `${parent}/format`,
      message: `${JSON.stringify(format)} is not a format${didYouMean(meant)}`,
    };
  }
  const [, reference] = /can't resolve reference (.*) from id/.exec(text) ?? [];
  if (reference !== undefined) {
    const path = pathTo(schema, (key, value) => key === "$ref" && value === reference);
    const advice = "Refer to a file of this folder, to a schema of the package, or to a place in this file.";
    return { path, message: `leads nowhere: ${reference}. ${advice}` };
  }
  const path = pathTo(schema, (key, value) => key === "pattern" && text.includes(`/${value}/`));
  return { path, message: text };
}

function didYouMean(word: string | undefined): string {
  return word === undefined ? "" : `; did you mean ${word}?`;
}

/** A JSON pointer to the first field that is meant, or to the whole. */
function pathTo(json: unknown, isMeant: (key: string, value: unknown) => boolean): string {
  if (!isObject(json) && !Array.isArray(json)) return "";
  for (const [key, value] of Object.entries(json)) {
    const here = `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (isMeant(key, value)) return here;
    const below = pathTo(value, isMeant);
    if (below !== "") return here + below;
  }
  return "";
}
