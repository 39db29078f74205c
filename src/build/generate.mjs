// Generates files from the schemas and the source. `--check` writes nothing and fails if a file is out of date.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import { compile } from "json-schema-to-typescript";

const root = new URL("../../", import.meta.url);

const generated = {
  "src/contract/types.ts": await typesFromSchemas(),
  "src/contract/validators.mjs": await validatorsFromSchemas(),
  "README.md": await readme(),
};

const stale = Object.entries(generated).filter(([path, text]) => read(path) !== text);
if (process.argv.includes("--check")) {
  for (const [path] of stale) console.error(`${path} is out of date: run npm run generate and commit it.`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const [path, text] of stale) writeFileSync(new URL(path, root), text);
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(new URL(path, root), "utf8");
  } catch {
    return "";
  }
}

async function typesFromSchemas() {
  const files = readdirSync(new URL("schemas/", root)).sort();
  const texts = files.map((file) => read(`schemas/${file}`));
  const titles = new Map(files.map((file, i) => [file, JSON.parse(texts[i] ?? "").title]));
  const $defs = Object.fromEntries(
    texts.map((text) => {
      const schema = JSON.parse(text, (key, value) => {
        if (key === "$ref") return `#/$defs/${titles.get(value)}`;
        if (key === "$id") return undefined;
        // A schema with only a description allows any JSON value.
        return Object.keys(value).join() === "description" ? { ...value, tsType: "unknown" } : value;
      });
      return [schema.title, schema];
    }),
  );
  const text = await compile({ $defs }, "Unused", {
    additionalProperties: false,
    bannerComment: "// Made from schemas/ by `npm run generate`. Change the schemas, not this file.",
    unreachableDefinitions: true,
    format: true,
    style: { printWidth: 110 },
  });
  // The root schema only holds the definitions: remove its type and the comments that mention it.
  return text
    .replace(/export interface Unused \{[^}]*\}\n/, "")
    .replace(
      / \*\n \* This \w+ was referenced by `Unused`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g,
      "",
    );
}

/** ajv needs about 40 ms to compile the schemas, so do it here and not at every start. */
async function validatorsFromSchemas() {
  const { checkedSchemas, shippedSchemas } = await load("src/contract/shipped-schemas.ts");
  const { maxProblems } = await load("src/foundation/mock-error.ts");
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    code: { source: true, esm: true },
  });
  ajv.addVocabulary(["x-problem"]);
  ajv.addSchema(Object.values(shippedSchemas));
  const names = checkedSchemas.map((/** @type {string} */ name, /** @type {number} */ i) => [
    `validate${i}`,
    name,
  ]);
  const code = standalone.default(ajv, Object.fromEntries(names));
  const exports = names.map((/** @type {string[]} */ [local, name]) => `${local} as "${name}"`);
  // JSON Schema counts a surrogate pair as one character. Replace ajv's helper for that: bundlers and Node import
  // its module in different ways.
  return [
    "// Made from schemas/ by `npm run generate`. Change the schemas, not this file.",
    "// @ts-nocheck",
    "const lengthOf = (text) => text.replace(/[\\ud800-\\udbff][\\udc00-\\udfff]/g, ' ').length;",
    code
      .replace(/export const /g, "const ")
      .replace(/function validate\d+\(.*?return errors === 0;\}/gs, (validate) =>
        // The service ignores some problems of a call, so it needs all of them. --body-limit limits their number.
        /sourceURL="(get-or-create|rotate)\.request/.test(validate)
          ? validate
          : limitErrors(validate, maxProblems),
      )
      // A check for an empty string needs no character count. It runs for every call, so keep it fast.
      .replace(/func\d+\((\w+)\) < 1\b/g, "$1.length < 1")
      .replaceAll('require("ajv/dist/runtime/ucs2length").default', "lengthOf"),
    `export { ${exports.join(", ")} };`,
    "",
  ].join("\n");
}

/**
 * A large state can have a million errors, which would need gigabytes. Keep one more than are reported.
 * @param {string} validate
 * @param {number} max
 */
function limitErrors(validate, max) {
  return validate
    .replace(/vErrors\.push\((\w+)\)/g, `vErrors.length <= ${max} && vErrors.push($1)`)
    .replace(/vErrors\.length = (_errs\d+)/g, "vErrors.length = Math.min(vErrors.length, $1)");
}

/** The README with updated tables. */
async function readme() {
  const { optionTable } = await load("src/mock/option-table.ts");
  const { flagName } = await load("src/cli/options-from.ts");
  const options = Object.entries(optionTable).map(([name, { fallback, describe }]) => [
    `\`${flagName(name)}\``,
    fallback,
    describe,
  ]);
  const { assumptions } = await load("src/service/assumptions.ts");
  const questions = Object.entries(assumptions).map(([id, { question, values }]) => {
    const [first = "", ...others] = Object.keys(values).map((value) => `\`${value}\` (${values[value]})`);
    return [`\`${id}\``, question, first, others.join(", ")];
  });
  const { decisions, notModelled } = await load("src/service/decisions.ts");
  const decided = decisions.map(
    (/** @type {{ decided: string, why: string }} */ { decided, why }) => `- ${decided} ${why}`,
  );
  let text = withTable(read("README.md"), "options", ["flag", "default", ""], options);
  text = withTable(text, "assumptions", ["id", "the question", "default", "or"], questions);
  text = withText(text, "decisions", decided.join("\n"));
  return withText(
    text,
    "not modelled",
    `Not modelled, because nothing is shown of it: ${notModelled.join(", ")}.`,
  );
}

/**
 * @param {string} text
 * @param {string} name
 * @param {string[]} head
 * @param {string[][]} rows
 */
function withTable(text, name, head, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");
  const table = [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
  return withText(text, name, table);
}

/**
 * @param {string} text
 * @param {string} name
 * @param {string} content
 */
function withText(text, name, content) {
  const section = new RegExp(`(<!-- ${name}: [^\n]*-->\n)[^]*(<!-- /${name} -->)`);
  if (!section.test(text)) throw new Error(`README.md has no <!-- ${name}: --> section: add it again`);
  return text.replace(section, (_, before, after) => `${before}${content}\n${after}`);
}

/**
 * Bundles a TypeScript module and imports it, because Node 20 cannot import TypeScript.
 * @param {string} path
 */
async function load(path) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(path, root))],
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? "").toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}
