import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { run } from "./processes.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The package as it would be published, and a directory in which npm has installed it. */
    packed: { readonly tarball: string; readonly installed: string };
  }
}

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** Packs the package and installs it once for all test files. Needs npm, but no registry. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "usergroup-mock-packed-"));
  const installed = join(folder, "installed");
  await mkdir(installed);
  // Without it, npm would install into a parent directory that looks like a project.
  await writeFile(join(installed, "package.json"), '{ "private": true }');
  const flags = ["--offline", "--no-update-notifier"];
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const packed = await run("npm", [...pack, ...flags], { cwd: repository });
  const [, file = ""] = /"filename": "([^"]+)"/.exec(packed) ?? [];
  const tarball = join(folder, file);
  await run("npm", ["install", "--no-audit", "--no-fund", ...flags, tarball], { cwd: installed });
  provide("packed", { tarball, installed });
  return () => rm(folder, { recursive: true, force: true });
}
