import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";

/** Name and version of every package with code in the bundles, found without using the build script. */
export async function bundledPackages(repository: string): Promise<string[]> {
  const built = await Promise.all([
    outputsOf(repository, ["src/index.ts", "src/bin.ts"], { platform: "node" }),
    outputsOf(repository, ["src/inspector/main.tsx"], { jsx: "automatic", jsxImportSource: "preact" }),
  ]);
  const inputs = built.flat().flatMap((output) => Object.entries(output.inputs));
  const folders = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path.split("/"))
    .filter((parts) => parts.includes("node_modules"))
    .map((parts) => {
      const name = parts.lastIndexOf("node_modules") + 1;
      return parts.slice(0, name + (parts[name]?.startsWith("@") ? 2 : 1)).join("/");
    });
  return [...new Set(folders)].map((folder) => {
    const manifest: { name: string; version: string } = JSON.parse(
      readFileSync(join(repository, folder, "package.json"), "utf8"),
    );
    return `${manifest.name} ${manifest.version}`;
  });
}

async function outputsOf(
  repository: string,
  entryPoints: string[],
  options: BuildOptions,
): Promise<Metafile["outputs"][string][]> {
  const { metafile } = await build({
    absWorkingDir: repository,
    entryPoints,
    outdir: "unwritten",
    write: false,
    bundle: true,
    format: "esm",
    metafile: true,
    logLevel: "silent",
    ...options,
  });
  return Object.values(metafile?.outputs ?? {});
}
