// Builds dist/: the package with all dependencies included, the inspector, and the types of the public API.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { build, transform } from "esbuild";
import { root, takeFingerprint } from "./ensure-built.mjs";
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

/** vitest has no CommonJS, and two set-ups use top-level await. */
const esModules = ["vitest", "vitest-setup", "node-test-setup"].map((name) => `frameworks/${name}`);
/** All other framework entries, with a module that lets `import` load them. */
const commonJsModules = ["playwright", "playwright-setup", "jest", "jest-setup", "node-test"].map(
  (name) => `frameworks/${name}`,
);

/**
 * Leaves the media types that Express needs, 200 kB, in a JSON file, which Node parses. With the object literal that
 * esbuild makes of it, an import with the first start takes 5 % longer.
 * @type {import("esbuild").Plugin}
 */
const mediaTypesInFile = {
  name: "media-types-in-file",
  setup: ({ onLoad }) =>
    onLoad({ filter: /mime-db.*\.json$/ }, ({ path }) => ({ contents: readFileSync(path), loader: "copy" })),
};

/**
 * iconv-lite, a part of Express, requires its encodings when one is used: these are half of the bytes of Express. The mock
 * reads bodies as bytes and uses none, but in the bundle of Express, Node would read them with every start.
 */
const encodings = { name: "encodings", source: "" };

/** @type {import("esbuild").Plugin} */
const encodingsOnDemand = {
  name: "encodings-on-demand",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.\/encodings$/ }, ({ path, importer, resolveDir }) => {
      if (!importer.includes("iconv-lite")) return undefined;
      encodings.source = join(resolveDir, path);
      return { path: `./${encodings.name}.js`, external: true };
    }),
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
  for (const name of ["cjs", "esm", "inspector"]) mkdirSync(join(out, name), { recursive: true });
  const bundles = await bundle();
  for (const { path, text } of inspector.outputFiles)
    writeFileSync(join(out, "inspector", basename(path)), text);
  writeMainEsmEntry();
  await bundleFrameworks();
  emitTypes(["index", ...esModules, ...commonJsModules]);
  writeNotices({ ...bundles.inputs, ...inspector.metafile.inputs });
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
    plugins: [mediaTypesInFile, encodingsOnDemand],
  });
  await build({
    ...forNode,
    entryPoints: { [encodings.name]: encodings.source },
    outdir: `${out}/cjs`,
    format: "cjs",
    minifySyntax: true,
    minifyWhitespace: true,
  });
  cpSync("src/build/check-node.cjs", `${out}/cjs/check-node.js`);
  for (const { path, text, contents } of outputFiles) {
    if (!path.endsWith(".js")) {
      writeFileSync(path, contents);
      continue;
    }
    const start = /^(index|bin)\.js$/.test(basename(path)) ? 'require("./check-node.js");' : "";
    writeFileSync(path, start + (await toCommonJs(text)));
  }
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

/** The framework entries import the shared bundle through ../index.js. */
async function bundleFrameworks() {
  /** @type {import("esbuild").BuildOptions} */
  const shared = {
    ...forNode,
    external: ["vitest", "@playwright/test", "@jest/globals", "../index.js"],
    // Not white space: frameworks and Node print the line that threw an error.
    minifySyntax: true,
    // The set-up of Jest sets module.exports.
    logOverride: { "commonjs-variable-in-esm": "silent" },
    outbase: "src",
  };
  const sources = (/** @type {string[]} */ entries) => entries.map((entry) => `src/${entry}.ts`);
  await build({ ...shared, entryPoints: sources(esModules), outdir: `${out}/esm`, format: "esm" });
  const commonJs = { entryPoints: sources(commonJsModules), outdir: `${out}/cjs`, ...moduleUrl };
  await build({ ...shared, ...commonJs, format: "cjs" });
  for (const entry of commonJsModules) {
    writeFileSync(`${out}/esm/${entry}.js`, `export * from "../../cjs/${entry}.js";\n`);
  }
}

/**
 * Loads the CommonJS bundle by the name of the package, so that a bundler leaves the package where it is, beside the
 * files of the inspector. Node also loads it faster, because it does not search the bundle for its exports. In a bundle
 * that is CommonJS, import.meta is empty.
 */
function writeMainEsmEntry() {
  const names = Object.keys(require(join(root, out, "cjs/index.js"))).join(", ");
  const entry = `import { createRequire } from "node:module";
let all;
try {
  all = createRequire(import.meta.url ?? __filename)("usergroup-mock");
} catch (cause) {
  if (cause.code !== "MODULE_NOT_FOUND") throw cause;
  const advice = "Keep it external, and install it where the bundle runs.";
  throw new Error(\`usergroup-mock cannot be part of a bundle. \${advice}\`, { cause });
}
export const { ${names} } = all;
`;
  writeFileSync(`${out}/esm/index.js`, entry);
}

/**
 * Copies the declarations that the entries import to esm/ and cjs/. The files are equal: the nearest package.json
 * decides which module format TypeScript reads.
 * @param {string[]} entries
 */
function emitTypes(entries) {
  const emitted = `${out}/types`;
  const tsc = "node_modules/typescript/bin/tsc";
  // `npm run check` finds errors.
  const flags = ["--noCheck", "--noEmit", "false", "--declaration", "--emitDeclarationOnly"];
  const places = ["-p", ".", "--rootDir", ".", "--outDir", emitted];
  execFileSync(process.execPath, [tsc, ...flags, ...places], { stdio: "inherit" });
  const reached = new Set(entries.map((entry) => join(emitted, "src", `${entry}.d.ts`)));
  for (const file of reached) {
    for (const format of ["esm", "cjs"]) cpSync(file, join(out, format, relative(`${emitted}/src`, file)));
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)\.js"/g)) {
      reached.add(join(dirname(file), `${path}.d.ts`));
    }
  }
  rmSync(emitted, { recursive: true });
}

/**
 * Lists the packages in the bundles, with their versions and licences.
 * @param {Record<string, unknown>} inputs the files in the bundles
 */
function writeNotices(inputs) {
  const paths = Object.keys(inputs).map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const folders = [...new Set(paths.filter((path) => path !== undefined))].sort();
  const notices = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence file, so it must not be bundled.`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  });
  const head = "usergroup-mock contains the following packages.\n";
  writeFileSync("THIRD-PARTY-NOTICES", [head, ...notices].join(`\n${"-".repeat(80)}\n\n`));
}
