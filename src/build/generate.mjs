// Makes what comes from a single source elsewhere. `--check` writes nothing and fails when something is stale.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

const root = new URL("../../", import.meta.url);

const generated = { "src/contract/types.ts": await typesFromSchemas() };

const stale = Object.entries(generated).filter(([path, text]) => read(path) !== text);
if (process.argv.includes("--check")) {
  for (const [path] of stale) console.error(`${path} is stale: run npm run generate and commit it.`);
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
      const schema = JSON.parse(text, (key, value) =>
        key === "$ref" ? `#/$defs/${titles.get(value)}` : key === "$id" ? undefined : value,
      );
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
  // The root schema only carries the definitions: neither its own type nor the mention of it says anything.
  return text
    .replace(/export interface Unused \{[^}]*\}\n/, "")
    .replace(
      / \*\n \* This \w+ was referenced by `Unused`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g,
      "",
    );
}
