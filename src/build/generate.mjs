// Writes src/generated/, the tables in docs/, and the assumptions in a schema. `--check` fails if a file is out of date.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { argv, pid } from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { root } from "./fingerprint.mjs";
import { withAssumptions, withResponseNames, withTables } from "./from-tables.mjs";
import { shippedSchemas } from "./list-schemas.mjs";

const folder = "src/generated";

/** Writes src/generated/. Returns the inspector. */
export async function generate() {
  // Reads the schemas when it is loaded.
  const { types, validators } = await import("./from-schemas.mjs");
  writeList();
  const files = {
    "types.ts": await types(),
    "validators.mjs": validators(),
  };
  for (const [name, text] of Object.entries(files)) write(`${folder}/${name}`, text);
  // The inspector imports some of these files.
  const inspector = await bundleInspector();
  for (const [name, text] of Object.entries(inspector.files)) write(`${folder}/inspector/${name}`, text);
  return inspector;
}

function writeList() {
  mkdirSync(join(root, folder, "inspector"), { recursive: true });
  write(`${folder}/shipped-schemas.ts`, shippedSchemas());
}

/** The files of the inspector by name, and the inputs of its bundle. */
async function bundleInspector() {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: "src/inspector/main.tsx", out: "inspector" },
      { in: "src/inspector/styles/layout.css", out: "inspector" },
    ],
    outdir: "inspector",
    bundle: true,
    platform: "browser",
    target: ["chrome120", "firefox121", "safari17"],
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  const bundled = outputFiles.map(({ path, text }) => [basename(path), text]);
  /** @type {Record<string, string>} */
  const files = {
    "index.html": readFileSync(join(root, "src/inspector/index.html"), "utf8"),
    ...Object.fromEntries(bundled),
  };
  return { files, inputs: metafile.inputs };
}

/** Updates the tables in committed files. With `check`, writes nothing and returns the files that are out of date. */
async function updateTables(/** @type {boolean} */ check) {
  const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  const stale = [];
  /** @type {Record<string, (text: string) => Promise<string>>} */
  const updates = {
    "schemas/config.json": withAssumptions,
    "schemas/profile.json": withResponseNames,
    ...Object.fromEntries(pages.map((name) => [`docs/${name}`, withTables])),
  };
  for (const [file, update] of Object.entries(updates)) {
    const before = readFileSync(join(root, file), "utf8");
    const after = await update(before);
    if (before === after) continue;
    if (check) stale.push(file);
    else write(file, after);
  }
  return stale;
}

/** Replaces the file in one step: another process may build at the same time. @param {string} file @param {string} text */
function write(file, text) {
  const unfinished = join(root, `${file}.${pid}`);
  writeFileSync(unfinished, text);
  renameSync(unfinished, join(root, file));
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  // The tables read the list of schemas, and may change a schema.
  writeList();
  const stale = await updateTables(argv.includes("--check"));
  await generate();
  for (const file of stale) {
    console.error(`A table in ${file} is out of date. Run npm run generate and commit the file.`);
    process.exitCode = 1;
  }
}
