import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./processes.js";

export const repository = fileURLToPath(new URL("../../", import.meta.url));
const projects = fileURLToPath(new URL("projects/", import.meta.url));

/** The package as it would be published, and temporary folders to use it in. */
export interface PackageInUse {
  readonly tarball: string;
  /** An empty folder. */
  folder(name: string): Promise<string>;
  /** A copy of `projects/<name>` with the package installed in it; gives its folder. */
  install(name: string): Promise<string>;
  /** Copies the files of `projects/<name>`. */
  copy(name: string, to: string): Promise<void>;
  remove(): Promise<void>;
}

/** Packs the package; `npm test` has built it. */
export async function pack(): Promise<PackageInUse> {
  const temporary = await mkdtemp(join(tmpdir(), "usergroup-mock-consumers-"));
  const folder = async (name: string) => {
    const path = join(temporary, name);
    await mkdir(path);
    return path;
  };
  const copy = async (name: string, to: string) => {
    await cp(join(projects, name), to, { recursive: true });
    for (const program of ["program.cjs", "customers.cjs"])
      await cp(join(projects, program), join(to, program));
  };
  const packed = await folder("packed");
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", packed], { cwd: repository });
  const [file = ""] = await readdir(packed);
  const tarball = join(packed, file);
  return {
    tarball,
    folder,
    copy,
    async install(name) {
      const path = await folder(name);
      await copy(name, path);
      const flags = ["--no-audit", "--no-fund", "--prefer-offline", "--save-dev"];
      await run("npm", ["install", ...flags, tarball], { cwd: path });
      return path;
    },
    remove: () => rm(temporary, { recursive: true, force: true }),
  };
}
