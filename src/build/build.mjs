// Builds dist/: the package with all dependencies included, the inspector, and the types of the public API.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { transform } from "esbuild";
import { bundleForNode, commonJsModules, esModules, moduleUrl, target } from "./bundle.mjs";
import { notices, packagesIn, sbom } from "./bundled-packages.mjs";
import { root, takeFingerprint } from "./ensure-built.mjs";
import { generate } from "./generate.mjs";

const require = createRequire(import.meta.url);
process.chdir(root);

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
  const { main, others } = await bundleForNode(out);
  await writeMain(main.outputFiles);
  for (const { path, contents } of others.flatMap(({ outputFiles }) => outputFiles)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
  for (const { path, text } of inspector.outputFiles)
    writeFileSync(join(out, "inspector", basename(path)), text);
  writeEsmEntries();
  emitTypes(["index", ...esModules, ...commonJsModules]);
  const packages = packagesIn([main, ...others, inspector].map(({ metafile }) => metafile));
  writeFileSync("THIRD-PARTY-NOTICES", notices(packages));
  writeFileSync("sbom.cdx.json", sbom(packages));
  writeFileSync(`${out}/made-from.txt`, fingerprint);
  rmSync("dist", { recursive: true, force: true });
  renameSync(out, "dist");
}

/**
 * CommonJS for both formats, so that `import` and `require` load the same classes.
 * @param {readonly import("esbuild").OutputFile[]} outputFiles
 */
async function writeMain(outputFiles) {
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
 * Loads the CommonJS bundle by the name of the package, so that a bundler leaves the package where it is, beside the
 * files of the inspector. Node also loads it faster, because it does not search the bundle for its exports. In a bundle
 * that is CommonJS, import.meta is empty.
 */
function writeEsmEntries() {
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
  for (const name of commonJsModules)
    writeFileSync(`${out}/esm/${name}.js`, `export * from "../../cjs/${name}.js";\n`);
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
