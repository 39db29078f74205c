import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runnerImport } from "vite";
import { root } from "../../src/build/ensure-built.mjs";

/**
 * Installs packages at the exact versions of versions.ts into .cache/<name>/, unless they are there. Returns its path.
 * For what only one command needs: `npm install` of the repository stays small.
 * @param {string} name
 * @param {readonly import("./versions.js").Line[]} lines
 */
export async function installInCache(name, lines) {
  /** @type {{ module: typeof import("./versions.js") }} */
  const { module } = await runnerImport(join(root, "test/stacks/versions.ts"));
  const specs = lines.map(module.specOf);
  const folder = join(root, ".cache", name);
  const list = join(folder, "installed.txt");
  if (existsSync(list) && readFileSync(list, "utf8") === specs.join("\n")) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  // Peers are in the node_modules of the repository, which are in a parent folder.
  const flags = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", "--legacy-peer-deps"];
  execFileSync("npm", ["install", ...flags, ...specs], { cwd: folder, stdio: ["ignore", 2, 2] });
  writeFileSync(list, specs.join("\n"));
  return folder;
}
