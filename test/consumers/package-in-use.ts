import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { type Line, specOf } from "../stacks/versions.js";
import { run } from "./processes.js";

export const repository = fileURLToPath(new URL("../../", import.meta.url));
export const projects = fileURLToPath(new URL("projects/", import.meta.url));

/** The package as it would be published, and temporary directories to use it in. */
export interface PackageInUse {
  readonly tarball: string;
  /** An empty directory. */
  folder(name: string): Promise<string>;
  /** Copies the files of `projects/<name>`. */
  copy(name: string, to: string): Promise<void>;
  /** A copy of `projects/<name>` with the package and with packages of our own node_modules. Returns its path. */
  link(name: string, packages?: readonly string[]): Promise<string>;
  /** A copy of `projects/<name>` with the package and with packages of the registry, if any. Returns its path. */
  install(name: string, packages: readonly Line[]): Promise<string>;
  remove(): Promise<void>;
}

export async function usePackage(): Promise<PackageInUse> {
  const { tarball, installed } = inject("packed");
  const temporary = await mkdtemp(join(tmpdir(), "usergroup-mock-consumers-"));
  const folder = async (name: string) => {
    const path = join(temporary, name);
    await mkdir(path);
    return path;
  };
  const copy = async (name: string, to: string) => {
    // Without it, npm and Node would use one of a parent directory.
    if (!existsSync(join(to, "package.json")))
      await writeFile(join(to, "package.json"), '{ "private": true }');
    await cp(join(projects, name), to, { recursive: true });
    for (const program of ["program.cjs", "customers.cjs"])
      await cp(join(projects, program), join(to, program));
  };
  const copyTo = async (name: string) => {
    const path = await folder(name);
    await copy(name, path);
    return path;
  };
  return {
    tarball,
    folder,
    copy,
    async link(name, packages = []) {
      const path = await copyTo(name);
      const modules = join(path, "node_modules");
      await cp(join(installed, "node_modules"), modules, { recursive: true, verbatimSymlinks: true });
      for (const linked of packages) {
        await mkdir(dirname(join(modules, linked)), { recursive: true });
        await symlink(join(repository, "node_modules", linked), join(modules, linked), "junction");
      }
      return path;
    },
    async install(name, packages) {
      const path = await copyTo(name);
      const source = packages.length === 0 ? "--offline" : "--prefer-offline";
      const flags = ["--no-audit", "--no-fund", source, "--save-dev", "--save-exact"];
      await run("npm", ["install", ...flags, tarball, ...packages.map(specOf)], { cwd: path });
      return path;
    },
    remove: () => rm(temporary, { recursive: true, force: true }),
  };
}
