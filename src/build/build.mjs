// Makes dist/: one bundle for each entry, without dependencies, and the types of what is exported.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));
const require = createRequire(import.meta.url);
process.chdir(root);

rmSync("dist", { recursive: true, force: true });
const bundles = await bundle();
const inspector = await bundleInspector();
writeEsmEntry("index");
await bundleVitestFixture();
emitTypes(["index", "vitest"]);
writeNotices({ ...bundles.inputs, ...inspector.inputs });

/** The code is CommonJS once, so that `import` and `require` in one process get the same classes. */
async function bundle() {
  const { metafile } = await build({
    entryPoints: { index: "src/index.ts", bin: "src/bin.ts" },
    outdir: "dist/cjs",
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    // Express brings a body parser with 600 kB of character tables, which nothing here calls: http/body.ts reads. And
    // its router tells every step to `debug`, which costs a call 1 % even when nobody listens.
    alias: { "body-parser": "./src/build/nothing.cjs", debug: "./src/build/nothing.cjs" },
    // yargs asks where it lies in order to find its translations.
    banner: { js: 'const bundleUrl=require("node:url").pathToFileURL(__filename).href;' },
    define: { "import.meta.url": "bundleUrl" },
  });
  writeFileSync("dist/cjs/package.json", '{ "type": "commonjs" }\n');
  const bin = "dist/cjs/bin.js";
  writeFileSync(bin, `#!/usr/bin/env node\n${readFileSync(bin, "utf8")}`);
  chmodSync(bin, 0o755);
  return metafile;
}

/** vitest is an ES module, and so is what is made for it. It shares the one bundle of the rest. */
async function bundleVitestFixture() {
  await build({
    entryPoints: ["src/vitest.ts"],
    outdir: "dist/esm",
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "esm",
    external: ["vitest", "./index.js"],
    logLevel: "warning",
  });
}

/** The page, which the server reads and sends as it is. */
async function bundleInspector() {
  const { metafile } = await build({
    entryPoints: [
      { in: "src/inspector/main.tsx", out: "inspector" },
      { in: "src/inspector/styles/inspector.css", out: "inspector" },
    ],
    outdir: "dist/inspector",
    bundle: true,
    platform: "browser",
    target: ["chrome120", "firefox121", "safari17"],
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  cpSync("src/inspector/index.html", "dist/inspector/index.html");
  return metafile;
}

/** @param {string} name */
function writeEsmEntry(name) {
  const names = Object.keys(require(join(root, `dist/cjs/${name}.js`)));
  mkdirSync("dist/esm", { recursive: true });
  writeFileSync(`dist/esm/${name}.js`, `export { ${names.join(", ")} } from "../cjs/${name}.js";\n`);
}

/**
 * The declarations that the entries reach, once as ES modules and once as CommonJS: they are the same words, and
 * the package.json beside them says which they are.
 * @param {string[]} entries
 */
function emitTypes(entries) {
  const emitted = mkdtempSync(join(tmpdir(), "usergroup-mock-types-"));
  const tsc = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");
  const config = fileURLToPath(new URL("tsconfig.json", import.meta.url));
  execFileSync(process.execPath, [tsc, "-p", config, "--outDir", emitted], { stdio: "inherit" });
  const reached = new Set(entries.map((entry) => join(emitted, "src", `${entry}.d.ts`)));
  for (const file of reached) {
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)\.js"/g)) {
      reached.add(join(dirname(file), `${path}.d.ts`));
    }
  }
  for (const file of reached) {
    for (const format of ["esm", "cjs"])
      cpSync(file, join("dist", format, relative(join(emitted, "src"), file)));
  }
  rmSync(emitted, { recursive: true });
}

/**
 * The licences of everything that the bundles hold.
 * @param {import("esbuild").Metafile["inputs"]} inputs
 */
function writeNotices(inputs) {
  const folders = Object.keys(inputs)
    .map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
    .filter((folder) => folder !== undefined);
  const notices = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} is bundled and has no licence file`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  });
  const head = "usergroup-mock contains the following packages.\n";
  writeFileSync("THIRD-PARTY-NOTICES", [head, ...notices].join(`\n${"-".repeat(80)}\n\n`));
}
