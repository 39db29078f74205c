// Derives from schemas/: the TypeScript types and the compiled validators.
import { readFileSync } from "node:fs";
import { _, Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { compile } from "json-schema-to-typescript";
import { banner, configFile, files, folder, ofFiles } from "./list-schemas.mjs";

/** @typedef {Record<string, any>} Schema */

/** @type {Record<string, Schema>} */
const schemas = Object.fromEntries(
  files.map((file) => [file, JSON.parse(readFileSync(new URL(file, folder), "utf8"))]),
);

export async function types() {
  const $defs = Object.fromEntries(
    Object.values(schemas).map((schema) => [schema.title, asDefinition(flatten(schema))]),
  );
  const text = await compile({ $defs }, "Unused", {
    additionalProperties: false,
    bannerComment: banner,
    unreachableDefinitions: true,
    format: true,
    style: { printWidth: 110 },
  });
  const byFile = files.map((file) => `  ${JSON.stringify(file)}: ${schemas[file]?.title};`);
  return `${text
    // The root schema only carries the definitions.
    .replace(/export interface Unused \{[^}]*\}\n/, "")
    // Unlike an interface, a type can be assigned to a Record.
    .replace("export interface AssumptionChoice {", "export type AssumptionChoice = {")
    .replace(
      / \*\n \* This \w+ was referenced by `Unused`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g,
      "",
    )}
/** The type of every schema, by file name. */
export interface SchemaTypes {\n${byFile.join("\n")}\n}\n`;
}

/** @param {Schema} schema */
function asDefinition(schema) {
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    if (key === "$id" || key === "$schema") return undefined;
    if (key === "$ref") {
      const [file, place = ""] = value.split("#");
      return `#/$defs/${schemas[file]?.title}${place}`;
    }
    // With a description beside it, a reference would become a second type of the same name.
    if (value?.$ref !== undefined) return { $ref: value.$ref };
    if (value?.description !== undefined && value.examples !== undefined)
      return { ...value, description: `${value.description}\n@example ${JSON.stringify(value.examples[0])}` };
    // A schema with only a description accepts any JSON.
    return Object.keys(value ?? {}).join() === "description" ? { ...value, tsType: "unknown" } : value;
  });
}

const annotations = new Set(["$id", "$schema", "title", "description", "examples", "default", "type"]);

/**
 * Merges a `$ref` with the rules beside it to one object schema. So TypeScript gets one interface, and the validator is
 * as fast and its messages are as clear as if the schema were written in one piece.
 * @param {any} schema
 * @returns {any}
 */
function flatten(schema) {
  if (Array.isArray(schema)) return schema.map(flatten);
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref, unevaluatedProperties, ...own } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, flatten(value)]),
  );
  if ($ref === undefined) return own;
  const addsRules = Object.keys(own).some((key) => !annotations.has(key));
  // A reference without a title that only closes its target stays a reference, so that its type keeps its name.
  if (!addsRules && (unevaluatedProperties === undefined || own.title === undefined)) return { ...own, $ref };
  const { title, description, $id, $schema, ...base } = flatten(resolve($ref));
  return {
    ...base,
    ...own,
    ...(base.properties && { properties: { ...base.properties, ...own.properties } }),
    ...(base.required && { required: [...base.required, ...(own.required ?? [])] }),
    ...(unevaluatedProperties === false && { additionalProperties: false }),
  };
}

/** @param {string} ref `user-group.json#/properties/name` */
function resolve(ref) {
  const [file = "", place = ""] = ref.split("#");
  return place
    .split("/")
    .slice(1)
    .reduce((schema, key) => schema?.[key], schemas[file]);
}

/** Compiling takes ajv about 40 ms, too long for every start of a mock. */
export function validators() {
  // Assumptions, fixtures and profiles are validated where they are used, with better messages.
  const closed = ofFiles.map((file) => [
    file,
    JSON.parse(JSON.stringify(schemas[file]), (key, value) =>
      key === "assume" || /^(fixture|profile)\.json$/.test(value?.$ref) ? { type: "object" } : value,
    ),
  ]);
  const compiled = Object.values({ ...schemas, ...Object.fromEntries(closed) }).map(flatten);
  // `unicode: false` measures minLength in UTF-16 units, which needs no code of ajv at run time.
  if (/"maxLength"|"minLength":(?!1\b)/.test(JSON.stringify(compiled))) {
    throw new Error("A schema limits a length other than by minLength 1: remove `unicode: false`.");
  }
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    unicode: false,
    // A program may have added a key to Object.prototype, which is not a field of a body.
    ownProperties: true,
    logger: false,
    code: { source: true, esm: true },
  });
  ajv.addVocabulary(["x-problem", "x-option", "tsType"]);
  // Not a pattern: few languages agree on how to write surrogates.
  ajv.addKeyword({
    keyword: "x-well-formed",
    type: "string",
    code: (context) => context.fail(_`!${context.data}.isWellFormed()`),
  });
  ajv.addSchema(compiled);
  const input = files.filter((file) =>
    /\.(request|query)\.json$|^(fixture|config|profile)\.json$/.test(file),
  );
  const names = input.map((file, i) => [`validate${i}`, file]);
  const code = standalone.default(ajv, Object.fromEntries(names));
  const members = names.map(([name, file]) => `${JSON.stringify(file)}: ${name}`);
  return `${banner}
// @ts-nocheck
${code}
/** @type {Readonly<Record<import("../contract/schemas.js").InputSchema | "${configFile}", import("ajv").ValidateFunction>>} */
export const validators = { ${members.join(", ")} };\n`;
}
