// Derives from schemas/: the list of schemas, the TypeScript types and the compiled validators.
import { readdirSync, readFileSync } from "node:fs";
import { _, Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { compile } from "json-schema-to-typescript";

/** @typedef {Record<string, any>} Schemas by file name */

const banner = "// Made from schemas/ by `npm run generate`. Change the schemas, not this file.";

/** A schema that cannot be used. Its message has the file, and what to do. */
export class UnusableSchema extends Error {}

/** The texts of generated files, by name. */
export async function fromSchemas(read = readSchemas()) {
  /** @type {Schemas} */
  const schemas = Object.fromEntries(Object.keys(read).map((file) => [file, flatten(read[file], read)]));
  return {
    "shipped-schemas.ts": shippedSchemas(read),
    "types.ts": await types(schemas),
    ...validators(schemas),
  };
}

const folder = new URL("../../schemas/", import.meta.url);

/** The schemas of the admin API. The others are about the service, or about files of users. */
const ofAdmin = new Set(readdirSync(new URL("admin/", folder)));

/** @param {string} file */
function pathOf(file) {
  return ofAdmin.has(file) ? `admin/${file}` : file;
}

/** @returns {Schemas} */
export function readSchemas() {
  const ofService = readdirSync(folder).filter((file) => file.endsWith(".json"));
  const files = [...ofService, ...ofAdmin].sort();
  return Object.fromEntries(files.map((file) => [file, readSchema(pathOf(file))]));
}

/** A schema with the names of files in its references: they are unique, and so are the types. @param {string} path */
function readSchema(path) {
  try {
    return JSON.parse(readFileSync(new URL(path, folder), "utf8"), (key, value) =>
      /^\$(ref|id)$/.test(key) && typeof value === "string" ? value.replace(/^(\.\.|admin)\//, "") : value,
    );
  } catch (error) {
    throw new UnusableSchema(`schemas/${path} is not JSON: ${messageOf(error)}.`, { cause: error });
  }
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The schemas of requests, responses and fixtures: not those of the config file and of profiles.
 * @param {Schemas} schemas
 * @returns {Schemas}
 */
export function schemasOfMessages(schemas = readSchemas()) {
  const files = Object.entries(schemas).filter(([file]) => !/^(config|profile)\.json$/.test(file));
  return Object.fromEntries(files);
}

/** Whether the code reads a schema: all of the service, and of the admin API the queries and the defaults of a wait. @param {string} file */
function isRead(file) {
  if (ofAdmin.has(file)) return file.endsWith(".query.json") || file === "wait.request.json";
  return !/^(config|fixture|profile)\.json$/.test(file);
}

/** Without texts: every import of the package loads these schemas. @param {Schemas} schemas */
function shippedSchemas(schemas) {
  const read = Object.entries(schemas).filter(([file]) => isRead(file));
  const resolved = Object.fromEntries(read.map(([file, schema]) => [file, resolve(schema, schemas)]));
  const texts = /^(\$schema|\$id|title|description|examples)$/;
  /** A field can have these names, too. @param {string} key @param {unknown} value */
  const withoutText = (key, value) =>
    texts.test(key) && (typeof value === "string" || Array.isArray(value)) ? undefined : value;
  return `${banner}
/** The schemas of the service, and those of queries and waits, by file name. */
export const shippedSchemas = ${JSON.stringify(resolved, withoutText, 2)};\n`;
}

/** A schema in which what a reference names stands in its place. @param {any} schema @param {Schemas} schemas @returns {any} */
function resolve(schema, schemas) {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    if (typeof value?.$ref !== "string") return value;
    const { $ref, unevaluatedProperties, ...own } = value;
    return { ...resolve(targetOf($ref, schemas), schemas), ...own };
  });
}

/** What a reference such as `user-group.json#/properties/name` names. @param {string} ref @param {Schemas} schemas */
function targetOf(ref, schemas) {
  const [file = "", ...place] = ref.split(/#?\//);
  return place.reduce((part, key) => part[key], schemas[file]);
}

/** @param {Schemas} schemas */
async function types(schemas) {
  const $defs = Object.fromEntries(
    Object.values(schemas).map((schema) => [schema.title, asDefinition(schema, schemas)]),
  );
  const text = await compile({ $defs }, "Unused", {
    additionalProperties: false,
    bannerComment: banner,
    unreachableDefinitions: true,
    format: true,
    style: { printWidth: 110 },
  });
  const byFile = Object.entries(schemas).map(([file, { title }]) => `  ${JSON.stringify(file)}: ${title};`);
  return `${text
    // The root schema only carries the definitions.
    .replace(/export interface Unused \{[^}]*\}\n/, "")
    .replace(
      / \*\n \* This \w+ was referenced by `Unused`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g,
      "",
    )}
/** The type of every schema, by file name. */
export interface SchemaTypes {\n${byFile.join("\n")}\n}\n
export type SchemaFile = keyof SchemaTypes;\n`;
}

/** @param {any} schema @param {Schemas} schemas */
function asDefinition(schema, schemas) {
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

const annotations = /^(\$id|\$schema|title|description|examples|default|type|x-option)$/;

/**
 * Merges a `$ref` with the rules beside it to one object schema. So TypeScript gets one interface, and the validator is
 * as fast and its messages are as clear as if the schema were written in one piece.
 * @param {any} schema
 * @param {Schemas} schemas
 * @returns {any}
 */
function flatten(schema, schemas) {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    if (value?.$ref === undefined) return value;
    const { $ref, unevaluatedProperties, ...own } = value;
    const addsRules = Object.keys(own).some((key) => !annotations.test(key));
    // A reference without a title that only closes its target stays a reference, so that its type keeps its name.
    if (!addsRules && (unevaluatedProperties === undefined || own.title === undefined))
      return { ...own, $ref };
    const { title, description, $id, $schema, ...base } = flatten(targetOf($ref, schemas), schemas);
    return {
      ...base,
      ...own,
      ...(base.properties && { properties: { ...base.properties, ...own.properties } }),
      ...(base.required && { required: [...base.required, ...(own.required ?? [])] }),
      ...(unevaluatedProperties === false && { additionalProperties: false }),
    };
  });
}

/** @param {Ajv2020} ajv @param {string} file */
function compileOne(ajv, file) {
  try {
    ajv.getSchema(file);
  } catch (error) {
    const problem = messageOf(error);
    const advice = problem.startsWith("unknown format")
      ? "The validators do not have formats. Use pattern."
      : "Correct the schema, then run npm run generate.";
    const where = `schemas/${pathOf(file)}, or a schema that it refers to`;
    throw new UnusableSchema(`${where}: ${problem}. ${advice}`, { cause: error });
  }
}

/**
 * Compiling takes ajv about 40 ms, too long for every start of a mock. What only some starts need is apart: it would be most
 * of the code.
 * @param {Schemas} schemas
 */
function validators(schemas) {
  // Fixtures, profiles and assumptions in options are validated where they are used, with better messages.
  const compiled = JSON.parse(JSON.stringify(Object.values(schemas)), (_key, value) =>
    /^(fixture|profile|assumptions\.request)\.json$/.test(value?.$ref) ? { type: "object" } : value,
  );
  const profile = compiled.find((/** @type {any} */ { $id }) => $id === "profile.json");
  // The table knows the names of situations, and what can be said of each.
  if (profile) Object.assign(profile.properties.situations, { properties: {}, additionalProperties: true });
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    // Measures lengths in UTF-16 units, which needs no code of ajv at run time.
    unicode: false,
    // A program may have added a key to Object.prototype, which is not a field of a body.
    ownProperties: true,
    logger: false,
    // 162 instead of 357 kB of code: a profile refers to the same schema for each name.
    inlineRefs: false,
    code: { source: true, esm: true },
  });
  ajv.addVocabulary(["x-problem", "x-option", "tsType"]);
  // Not a pattern: few languages agree on how to write surrogates, and a profile may have a pattern of its own.
  ajv.addKeyword({
    keyword: "x-stored-text",
    type: "string",
    code: (context) => context.fail(_`${context.data}.includes("\0") || !${context.data}.isWellFormed()`),
  });
  ajv.addKeyword({
    keyword: "x-well-formed",
    type: "string",
    code: (context) => context.fail(_`!${context.data}.isWellFormed()`),
  });
  ajv.addSchema(compiled);
  for (const file of Object.keys(schemas)) compileOne(ajv, file);
  const validated = Object.keys(schemas)
    .filter((file) => /\.(request|query)\.json$|^(fixture|config)\.json$/.test(file))
    // The tables check them, and would make a third of this code.
    .filter((file) => file !== "assumptions.request.json");
  // What every start needs: the options, and requests to the service.
  const isOfStart = (/** @type {string} */ file) => file !== "fixture.json" && !ofAdmin.has(file);
  const shapes = Object.keys(profile?.$defs ?? {});
  const ofProfile = standalone.default(ajv, {
    validate_profile: "profile.json",
    ...Object.fromEntries(shapes.map((name) => [`validate_${name}`, `profile.json#/$defs/${name}`])),
  });
  const head = `${banner}\n// @ts-nocheck`;
  return {
    "profile-validator.mjs": `${head}
${ofProfile}
/** @type {Readonly<Record<import("../fake/contract/situations.js").KnownShape | "profile", import("ajv").ValidateFunction>>} */
export const profileValidators = { profile: validate_profile, ${shapes.map((name) => `${name}: validate_${name}`).join(", ")} };\n`,
    "validators.mjs": `${head}
${validatorsOf(validated.filter(isOfStart))}
/** @type {Readonly<Record<import("../fake/contract/schemas.js").RequestSchema | "config.json", import("ajv").ValidateFunction>>} */
export const validators = byFile;\n`,
    "input-validators.mjs": `${head}
${validatorsOf(validated.filter((file) => !isOfStart(file)))}
/** @type {Readonly<Record<import("../fake/contract/schemas.js").InputSchema, import("ajv").ValidateFunction>>} */
export const inputValidators = byFile;\n`,
  };

  /** @param {readonly string[]} files */
  function validatorsOf(files) {
    const names = files.map((file, i) => [`validate${i}`, file]);
    const members = names.map(([name, file]) => `${JSON.stringify(file)}: ${name}`);
    return `${standalone.default(ajv, Object.fromEntries(names))}\nconst byFile = { ${members.join(", ")} };`;
  }
}
