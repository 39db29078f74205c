import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/** Name and version of every package with code in the bundles, found without the build script's help. */
export async function bundledPackages(repository: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: repository,
    entryPoints: ["src/index.ts", "src/bin.ts"],
    outdir: "unwritten",
    write: false,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["body-parser"],
    metafile: true,
    logLevel: "silent",
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
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
