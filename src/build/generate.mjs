// Writes src/generated/ and the tables of the pages. `--check` fails when a table of a page is stale.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { generatorFingerprint, root, writtenFingerprint } from "./fingerprint.mjs";

const folder = "src/generated";
const madeFrom = `${folder}/made-from.txt`;

/** Writes src/generated/, unless it was made from the files that are here now. */
export async function generate() {
  const fingerprint = generatorFingerprint();
  if (writtenFingerprint(madeFrom) === fingerprint) return;
  mkdirSync(join(root, folder), { recursive: true });
  const { shippedSchemas, types, validators } = await import("./from-schemas.mjs");
  const { configSchema, mockOptions } = await import("./from-tables.mjs");
  // In this order: the list of schemas is what the tables of contract/ import.
  write(`${folder}/shipped-schemas.ts`, shippedSchemas());
  write(`${folder}/types.ts`, await types());
  write(`${folder}/validators.mjs`, await validators());
  write(`${folder}/mock-options.ts`, await mockOptions());
  write(`${folder}/config.schema.json`, await configSchema());
  write(madeFrom, fingerprint);
}

/** Writes the tables of the pages anew. With `check` it writes nothing, and gives the pages that are stale. */
async function renewPages(/** @type {boolean} */ check) {
  const { withTables } = await import("./from-tables.mjs");
  const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  const stale = [];
  for (const page of pages.map((name) => `docs/${name}`)) {
    const before = readFileSync(join(root, page), "utf8");
    const after = await withTables(before);
    if (before === after) continue;
    if (check) stale.push(page);
    else write(page, after);
  }
  return stale;
}

/** @param {string} file @param {string} text */
function write(file, text) {
  writeFileSync(join(root, file), text);
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  await generate();
  for (const page of await renewPages(argv.includes("--check"))) {
    console.error(`${page} has a stale table: run npm run generate and commit it.`);
    process.exitCode = 1;
  }
}
