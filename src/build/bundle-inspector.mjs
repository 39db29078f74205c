import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { root } from "./fingerprint.mjs";

/** The files of the inspector by name, and the inputs of its bundle. */
export async function bundleInspector() {
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
