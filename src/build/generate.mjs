// Writes every file that derives from another one. `--check` writes nothing and fails when a file is stale.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { shippedSchemas, types, validators } from "./from-schemas.mjs";
import { configSchema, mockOptions, withTables } from "./from-tables.mjs";

const root = new URL("../../", import.meta.url);

// In this order: the list of schemas is what the tables of contract/ import.
await update("src/contract/shipped-schemas.ts", () => shippedSchemas());
await update("src/contract/types.ts", () => types());
await update("src/contract/validators.mjs", () => validators());
await update("src/mock/mock-options.ts", () => mockOptions());
await update("schemas/config.json", () => configSchema());
for (const page of readdirSync(new URL("docs/", root)).filter((name) => name.endsWith(".md"))) {
  await update(`docs/${page}`, (text) => withTables(text));
}

/** @param {string} path @param {(text: string) => string | Promise<string>} make */
async function update(path, make) {
  const file = new URL(path, root);
  const before = readIfThere(file);
  const after = await make(before);
  if (before === after) return;
  if (!process.argv.includes("--check")) return writeFileSync(file, after);
  console.error(`${path} is stale: run npm run generate and commit it.`);
  process.exitCode = 1;
}

/** @param {URL} file */
function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
