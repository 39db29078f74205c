import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Imports a TypeScript module of this project: Node 20 cannot read TypeScript itself.
 * @param {string} path
 */
export async function load(path) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../${path}`, import.meta.url))],
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? "").toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}
