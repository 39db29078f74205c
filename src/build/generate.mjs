// Writes src/generated/, the tables of the pages, and the assumptions in a schema. `--check` fails when one is stale.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder));
  const { shippedSchemas, types, validators } = await import("./from-schemas.mjs");
  const { assumptionChoice } = await import("./from-tables.mjs");
  // In this order: the list of schemas is what the tables of contract/ import.
  write(`${folder}/shipped-schemas.ts`, shippedSchemas());
  write(`${folder}/types.ts`, await types());
  write(`${folder}/validators.mjs`, await validators());
  write(`${folder}/assumption-choice.ts`, await assumptionChoice());
  write(madeFrom, fingerprint);
}

/** Writes the tables of committed files anew. With `check` it writes nothing, and gives the files that are stale. */
async function renewTables(/** @type {boolean} */ check) {
  const { withAssumptions, withTables } = await import("./from-tables.mjs");
  const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  const stale = [];
  for (const file of ["schemas/config.json", ...pages.map((name) => `docs/${name}`)]) {
    const before = readFileSync(join(root, file), "utf8");
    const after = await (file.endsWith(".md") ? withTables(before) : withAssumptions(before));
    if (before === after) continue;
    if (check) stale.push(file);
    else write(file, after);
  }
  return stale;
}

/** @param {string} file @param {string} text */
function write(file, text) {
  writeFileSync(join(root, file), text);
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  await generate();
  for (const file of await renewTables(argv.includes("--check"))) {
    console.error(`${file} has a stale table: run npm run generate and commit it.`);
    process.exitCode = 1;
  }
}
