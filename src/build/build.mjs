// Builds dist/: the package with all dependencies included, the inspector, and the types of the public API.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { build, transform } from "esbuild";
import { listBundledPackages } from "./bundled-packages.mjs";
import { fingerprintOf, isUpToDate, root } from "./fingerprint.mjs";
import { generate } from "./generate.mjs";
import { oneAtATime } from "./one-at-a-time.mjs";

const require = createRequire(import.meta.url);
process.chdir(root);
const target = "node20.19";

/** CommonJS has no import.meta.url. */
const moduleUrl = {
  banner: { js: 'const bundleUrl=require("node:url").pathToFileURL(__filename).href;' },
  define: { "import.meta.url": "bundleUrl" },
};

/** Replaces dist/ when it is complete. */
const out = ".building";

await oneAtATime(".building.lock", async () => {
  // Another process may have built it while this one waited, and its command may be running from dist/.
  if (!process.argv.includes("--if-stale") || !isUpToDate("dist")) await buildAll();
});

async function buildAll() {
  // Read first: the build may not include later edits.
  const fingerprint = fingerprintOf("dist");
  await generate();
  rmSync(out, { recursive: true, force: true });
  const bundles = await bundle();
  const inspector = await bundleInspector();
  writeMainEsmEntry();
  await bundleFrameworks();
  const frameworks = ["vitest", "playwright", "jest", "node-test"].flatMap((name) => [name, `${name}-setup`]);
  emitTypes(["index", ...frameworks.map((name) => `frameworks/${name}`)]);
  const jestSetup = "declare function setUpJest(): Promise<void>;\nexport = setUpJest;\n";
  writeFileSync(`${out}/cjs/frameworks/jest-setup.d.ts`, jestSetup);
  listBundledPackages({ ...bundles.inputs, ...inspector.inputs });
  writeFileSync(`${out}/made-from.txt`, fingerprint);
  rmSync("dist", { recursive: true, force: true });
  renameSync(out, "dist");
}

/**
 * CommonJS for both formats, so that `import` and `require` load the same classes. esbuild can split only ES modules, so
 * each of these is converted. A module that the source imports with `import()` becomes a file that is loaded on demand.
 */
async function bundle() {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { index: "src/index.ts", bin: "src/bin.ts" },
    outdir: `${out}/cjs`,
    bundle: true,
    splitting: true,
    platform: "node",
    target,
    format: "esm",
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  mkdirSync(`${out}/cjs`, { recursive: true });
  for (const { path, text } of outputFiles) writeFileSync(path, await commonJsOf(text));
  writeFileSync(`${out}/cjs/package.json`, '{ "type": "commonjs" }\n');
  guardEntries();
  return metafile;
}

/** @param {string} esm */
async function commonJsOf(esm) {
  // By default, esbuild looks up an imported name in the exports of the other file at every use: 2 % of a request.
  const text = esm.replace(
    /^import \{([^}]*)\} from ("\.\/[^"]+");$/gm,
    (_, names, file) => `const {${names.replaceAll(" as ", ": ")}} = require(${file});`,
  );
  const { code } = await transform(text, {
    format: "cjs",
    platform: "node",
    target,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    // Jest can load a file on demand with require(), but not with import().
    supported: { "dynamic-import": false },
    define: moduleUrl.define,
    banner: esm.includes("import.meta.url") ? moduleUrl.banner.js : "",
  });
  // In an ES module, esbuild replaces require() of CommonJS packages by a helper, which bundlers of users cannot follow.
  return code.replace(/\b__require\((?=")/g, "require(");
}

/** Lets each entry check the version of Node first, because an old Node cannot parse the bundles. */
function guardEntries() {
  const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
  const oldest = engines.node.replace(/^>=|\.0$/g, "");
  const check = readFileSync("src/build/check-node.cjs", "utf8").replace('"@oldest"', JSON.stringify(oldest));
  writeFileSync(`${out}/cjs/check-node.js`, check);
  renameSync(`${out}/cjs/index.js`, `${out}/cjs/index-bundle.js`);
  renameSync(`${out}/cjs/bin.js`, `${out}/cjs/bin-bundle.js`);
  const guard = 'require("./check-node.js");';
  writeFileSync(`${out}/cjs/index.js`, `${guard}\nmodule.exports = require("./index-bundle.js");\n`);
  const printed = `try { ${guard} } catch (error) { console.error(error.message); process.exit(1); }`;
  writeFileSync(`${out}/cjs/bin.js`, `${printed}\nrequire("./bin-bundle.js");\n`);
}

/**
 * The framework entries import the shared bundle through ../index.js. vitest has no CommonJS, and two set-ups use
 * top-level await: these are ES modules.
 */
async function bundleFrameworks() {
  /** @type {import("esbuild").BuildOptions} */
  const shared = {
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    // An older Node must be able to parse them, to report that it is too old.
    target: "node12.20",
    // "node:test" has no other name.
    supported: {
      "node-colon-prefix-require": true,
      "node-colon-prefix-import": true,
      "top-level-await": true,
    },
    external: ["vitest", "@playwright/test", "@jest/globals", "../index.js"],
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: "warning",
  };
  await build({
    ...shared,
    entryPoints: ["vitest", "vitest-setup", "node-test-setup"].map((name) => `src/frameworks/${name}.ts`),
    outdir: `${out}/esm/frameworks`,
    format: "esm",
  });
  /** The CommonJS entries, and the names that their ES modules export. */
  const exported = {
    playwright: "test, testWith",
    "playwright-setup": "mockServers",
    jest: "useMock",
    "node-test": "useMock",
  };
  /** @type {import("esbuild").BuildOptions} */
  const commonJs = {
    ...shared,
    outdir: `${out}/cjs/frameworks`,
    format: "cjs",
    ...moduleUrl,
    banner: { js: `require("../check-node.js");\n${moduleUrl.banner.js}` },
  };
  await build({
    ...commonJs,
    entryPoints: Object.keys(exported).map((name) => `src/frameworks/${name}.ts`),
  });
  // Jest calls the export of a set-up, and awaits it.
  const footer = { js: "module.exports = module.exports.setUpJest;" };
  await build({ ...commonJs, entryPoints: ["src/frameworks/jest-setup.ts"], footer });
  for (const [name, list] of Object.entries(exported)) {
    const entry = `export { ${list} } from "../../cjs/frameworks/${name}.js";\n`;
    writeFileSync(`${out}/esm/frameworks/${name}.js`, entry);
  }
}

/** The static files of the inspector. */
async function bundleInspector() {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: "src/inspector/main.tsx", out: "inspector" },
      { in: "src/inspector/styles/layout.css", out: "inspector" },
    ],
    outdir: `${out}/inspector`,
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
  cpSync("src/inspector/index.html", `${out}/inspector/index.html`);
  return metafile;
}

/**
 * Loads the CommonJS bundle by the name of the package, so that a bundler leaves the package where it is, beside the
 * files of the inspector. Node also loads it faster, because it does not search the bundle for its exports.
 */
function writeMainEsmEntry() {
  const names = Object.keys(require(join(root, out, "cjs/index.js"))).join(", ");
  const lines = [
    'import { createRequire } from "node:module";',
    `const { ${names} } = createRequire(import.meta.url)("usergroup-mock");`,
    `export { ${names} };`,
  ];
  mkdirSync(`${out}/esm`, { recursive: true });
  writeFileSync(`${out}/esm/index.js`, `${lines.join("\n")}\n`);
}

/**
 * Copies the declarations that the entries import to esm/ and cjs/. The files are equal: the nearest package.json
 * decides which module format TypeScript reads.
 * @param {string[]} entries
 */
function emitTypes(entries) {
  const emitted = join(root, out, "types");
  mkdirSync(emitted);
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    checkJs: false,
    rootDir: root,
    outDir: emitted,
  };
  const files = entries.map((entry) => join(root, "src", `${entry}.ts`));
  const config = { extends: join(root, "tsconfig.json"), compilerOptions, include: [], exclude: [], files };
  writeFileSync(join(emitted, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", emitted], { stdio: "inherit" });
  const reached = new Set(entries.map((entry) => join(emitted, "src", `${entry}.d.ts`)));
  for (const file of reached) {
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)\.js"/g)) {
      reached.add(join(dirname(file), `${path}.d.ts`));
    }
  }
  for (const file of reached) {
    for (const format of ["esm", "cjs"])
      cpSync(file, join(out, format, relative(join(emitted, "src"), file)));
  }
  rmSync(emitted, { recursive: true });
}
