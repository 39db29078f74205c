// Writes src/generated/, the tables in docs/, the assumptions in a schema, and what is bundled into package.json. `--check`
// fails if a file is out of date.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { argv, pid } from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleForNode } from "./bundle.mjs";
import { inlinedDependencies, packagesIn } from "./bundled-packages.mjs";
import { root, takeFingerprint } from "./ensure-built.mjs";
import { fromSchemas, UnusableSchema } from "./from-schemas.mjs";
import { openApiModule } from "./openapi.mjs";

const folder = "src/generated";

/** Writes src/generated/. Returns the bundle of the inspector. */
export async function generate() {
  // Read first: the files may not have later edits.
  const fingerprint = takeFingerprint();
  mkdirSync(join(root, folder, "inspector"), { recursive: true });
  for (const [name, text] of Object.entries(await fromSchemas())) write(`${folder}/${name}`, text);
  // The tables and the inspector import some of these files.
  write(`${folder}/openapi-document.ts`, await openApiModule());
  const inspector = await bundleInspector();
  for (const { path, text } of inspector.outputFiles) write(`${folder}/inspector/${basename(path)}`, text);
  write(`${folder}/made-from.txt`, fingerprint);
  return inspector;
}

function bundleInspector() {
  return build({
    absWorkingDir: root,
    entryPoints: [
      { in: "src/inspector/main.tsx", out: "inspector" },
      { in: "src/inspector/styles/layout.css", out: "inspector" },
      { in: "src/inspector/index.html", out: "index" },
    ],
    loader: { ".html": "copy" },
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
}

/**
 * Updates the generated parts of committed files. Returns those that were out of date.
 * @param {import("esbuild").Metafile} inspector
 * @param {boolean} check writes nothing
 */
async function updateCommitted(inspector, check) {
  const { main, others } = await bundleForNode("dist");
  const packages = packagesIn([...[main, ...others].map(({ metafile }) => metafile), inspector]);
  // Loads the tables, which read the list of schemas.
  const { withAssumptions, withSituations, withTables } = await import("./from-tables.mjs");
  const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  const updates = {
    "package.json": (/** @type {string} */ text) => withInlined(text, inlinedDependencies(packages)),
    "schemas/admin/assumptions.request.json": withAssumptions,
    "schemas/profile.json": withSituations,
    ...Object.fromEntries(pages.map((name) => [`docs/${name}`, withTables])),
  };
  return Object.entries(updates).flatMap(([file, update]) => {
    const before = readFileSync(join(root, file), "utf8");
    const after = update(before);
    if (before === after) return [];
    if (!check) write(file, after);
    return file;
  });
}

/**
 * npm publishes package.json, so what is bundled is visible without the package.
 * @param {string} text of package.json
 * @param {Record<string, string | string[]>} inlined
 */
function withInlined(text, inlined) {
  return `${JSON.stringify({ ...JSON.parse(text), inlinedDependencies: inlined }, undefined, 2)}\n`;
}

/** Replaces the file in one step: another process may build at the same time. @param {string} file @param {string} text */
function write(file, text) {
  const unfinished = join(root, `${file}.${pid}`);
  writeFileSync(unfinished, text);
  renameSync(unfinished, join(root, file));
}

/** @param {boolean} check */
async function main(check) {
  const { metafile } = await generate();
  const stale = await updateCommitted(metafile, check);
  for (const file of check ? stale : []) {
    console.error(`A generated part of ${file} is out of date. Run npm run generate and commit the file.`);
    process.exitCode = 1;
  }
  // One of the files may be a schema.
  if (!check && stale.length > 0) await generate();
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await main(argv.includes("--check"));
  } catch (error) {
    if (!(error instanceof UnusableSchema)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
