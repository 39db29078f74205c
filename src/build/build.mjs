// Builds dist/: the package with all dependencies included, the inspector, and the types of the public API.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { build, transform } from "esbuild";
import { listBundledPackages } from "./bundled-packages.mjs";
import { root, takeFingerprint } from "./fingerprint.mjs";
import { generate } from "./generate.mjs";

const require = createRequire(import.meta.url);
process.chdir(root);
const target = "node20.19";

/** @type {import("esbuild").BuildOptions} */
const forNode = { absWorkingDir: root, bundle: true, platform: "node", target, logLevel: "warning" };

/** CommonJS has no import.meta.url. */
const moduleUrl = {
  banner: { js: 'const bundleUrl=require("node:url").pathToFileURL(__filename).href;' },
  define: { "import.meta.url": "bundleUrl" },
};

const checkNode = 'require("./check-node.js");';
/** @type {Record<string, string>} What an entry does before it loads anything else. */
const entryStarts = {
  "index.js": checkNode,
  "bin.js": `try{${checkNode}}catch(error){console.error(error.message);process.exit(1)}\n`,
};

/** Replaces dist/ when it is complete. Another process may build at the same time. */
const out = `.building-${process.pid}`;

try {
  await buildAll();
} finally {
  rmSync(out, { recursive: true, force: true });
}

async function buildAll() {
  // Read first: the build may not include later edits.
  const fingerprint = takeFingerprint();
  const inspector = await generate();
  const bundles = await bundle();
  mkdirSync(`${out}/inspector`);
  for (const [name, text] of Object.entries(inspector.files)) writeFileSync(`${out}/inspector/${name}`, text);
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
    ...forNode,
    entryPoints: { index: "src/index.ts", bin: "src/bin.ts" },
    outdir: `${out}/cjs`,
    splitting: true,
    format: "esm",
    metafile: true,
    write: false,
  });
  mkdirSync(`${out}/cjs`, { recursive: true });
  const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
  const oldest = engines.node.replace(/^>=|\.0$/g, "");
  const check = readFileSync("src/build/check-node.cjs", "utf8").replace('"@oldest"', JSON.stringify(oldest));
  writeFileSync(`${out}/cjs/check-node.js`, check);
  for (const { path, text } of outputFiles)
    writeFileSync(path, (entryStarts[basename(path)] ?? "") + (await toCommonJs(text)));
  writeFileSync(`${out}/cjs/package.json`, '{ "type": "commonjs" }\n');
  return metafile;
}

/** @param {string} esm */
async function toCommonJs(esm) {
  // In an ES module, esbuild replaces require() of CommonJS packages by a helper, which bundlers of users cannot follow.
  const text = esm.replace(/\b__require\((?=")/g, "require(");
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
  return code;
}

/**
 * The framework entries import the shared bundle through ../index.js. vitest has no CommonJS, and two set-ups use
 * top-level await: these are ES modules.
 */
async function bundleFrameworks() {
  /** @type {import("esbuild").BuildOptions} */
  const shared = {
    ...forNode,
    external: ["vitest", "@playwright/test", "@jest/globals", "../index.js"],
    // Not white space: frameworks and Node print the line that threw an error.
    minifySyntax: true,
  };
  await build({
    ...shared,
    entryPoints: ["vitest", "vitest-setup", "node-test-setup"].map((name) => `src/frameworks/${name}.ts`),
    outdir: `${out}/esm/frameworks`,
    format: "esm",
  });
  const names = ["playwright", "playwright-setup", "jest", "node-test"];
  /** @type {import("esbuild").BuildOptions} */
  const commonJs = { ...shared, outdir: `${out}/cjs/frameworks`, format: "cjs", ...moduleUrl };
  await build({ ...commonJs, entryPoints: names.map((name) => `src/frameworks/${name}.ts`) });
  // Jest calls the export of a set-up, and awaits it.
  const footer = { js: "module.exports = module.exports.setUpJest;" };
  await build({ ...commonJs, entryPoints: ["src/frameworks/jest-setup.ts"], footer });
  for (const name of names) {
    writeFileSync(`${out}/esm/frameworks/${name}.js`, `export * from "../../cjs/frameworks/${name}.js";\n`);
  }
}

/**
 * Loads the CommonJS bundle by the name of the package, so that a bundler leaves the package where it is, beside the
 * files of the inspector. Node also loads it faster, because it does not search the bundle for its exports. In a bundle
 * that is CommonJS, import.meta is empty.
 */
function writeMainEsmEntry() {
  const names = Object.keys(require(join(root, out, "cjs/index.js"))).join(", ");
  const advice =
    "usergroup-mock cannot be part of a bundle. Keep it external, and install it where the bundle runs.";
  const lines = [
    'import { createRequire } from "node:module";',
    "let all;",
    "try {",
    '  all = createRequire(import.meta.url ?? __filename)("usergroup-mock");',
    "} catch (cause) {",
    '  if (cause.code !== "MODULE_NOT_FOUND") throw cause;',
    `  throw new Error("${advice}", { cause });`,
    "}",
    `export const { ${names} } = all;`,
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
