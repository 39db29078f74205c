// Bundles the sources for Node with all dependencies included. Writes nothing.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./ensure-built.mjs";

export const target = "node20.19";

/** @type {import("esbuild").BuildOptions & { metafile: true, write: false }} */
const forNode = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target,
  logLevel: "warning",
  metafile: true,
  write: false,
};

/** CommonJS has no import.meta.url. */
export const moduleUrl = {
  banner: { js: 'const bundleUrl=require("node:url").pathToFileURL(__filename).href;' },
  define: { "import.meta.url": "bundleUrl" },
};

/** vitest has no CommonJS, and two set-ups use top-level await. */
export const esModules = ["vitest", "vitest-setup", "node-test-setup"].map((name) => `frameworks/${name}`);
/** All other framework entries, with a module that lets `import` load them. */
export const commonJsModules = ["playwright", "playwright-setup", "jest", "jest-setup", "node-test"].map(
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

/**
 * esbuild can split only ES modules, so the main bundle is one, to be converted. A module that the source imports with
 * `import()` becomes a file that is loaded on demand. All else is ready.
 * @param {string} out the folder of the bundles
 */
export async function bundleForNode(out) {
  const main = await build({
    ...forNode,
    entryPoints: { index: "src/index.ts", bin: "src/bin.ts" },
    outdir: `${out}/cjs`,
    splitting: true,
    format: "esm",
    plugins: [mediaTypesInFile, encodingsOnDemand],
  });
  const onDemand = await build({
    ...forNode,
    entryPoints: { [encodings.name]: encodings.source },
    outdir: `${out}/cjs`,
    format: "cjs",
    minifySyntax: true,
    minifyWhitespace: true,
  });
  return { main, others: [onDemand, ...(await bundleFrameworks(out))] };
}

/** The framework entries import the shared bundle through ../index.js. @param {string} out */
async function bundleFrameworks(out) {
  const shared = {
    ...forNode,
    external: ["vitest", "@playwright/test", "@jest/globals", "../index.js"],
    // Not white space: frameworks and Node print the line that threw an error.
    minifySyntax: true,
    // The set-up of Jest sets module.exports.
    logOverride: { "commonjs-variable-in-esm": /** @type {const} */ ("silent") },
    outbase: "src",
  };
  const sources = (/** @type {string[]} */ entries) => entries.map((entry) => `src/${entry}.ts`);
  const commonJs = { entryPoints: sources(commonJsModules), outdir: `${out}/cjs`, ...moduleUrl };
  return [
    await build({ ...shared, entryPoints: sources(esModules), outdir: `${out}/esm`, format: "esm" }),
    await build({ ...shared, ...commonJs, format: "cjs" }),
  ];
}
