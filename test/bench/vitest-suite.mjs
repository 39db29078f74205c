// The time that the vitest fixture adds to a test file: a suite of many files with one test each, with and without it.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
const files = 100;

const texts = {
  without: 'import { test } from "vitest";\ntest("passes", () => {});\n',
  with: 'import { test } from "usergroup-mock/vitest";\ntest("passes", async ({ mock }) => void mock.url);\n',
};

/** Milliseconds per file, of each round. @param {string} cache @returns {{ without: number[], with: number[] }} */
export function suiteTimes(cache) {
  const folder = join(cache, "suite");
  rmSync(folder, { recursive: true, force: true });
  install(folder);
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(join(folder, name));
    // Without it, vitest would use the configuration of this repository.
    writeFileSync(join(folder, name, "vitest.config.mjs"), "export default {};\n");
    for (let i = 0; i < files; i++) writeFileSync(join(folder, name, `file-${i}.test.mjs`), text);
  }
  /** @type {{ without: number[], with: number[] }} */
  const times = { without: [], with: [] };
  for (let round = 0; round < 3; round++) {
    for (const name of /** @type {const} */ (["without", "with"])) times[name].push(run(join(folder, name)));
  }
  return times;
}

/** Installs the packed package for the test files. vitest is in a parent folder. @param {string} folder */
function install(folder) {
  const modules = join(folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], { cwd: root });
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  execFileSync("tar", ["-xzf", join(folder, tarball), "-C", modules]);
  execFileSync("mv", [join(modules, "package"), join(modules, "usergroup-mock")]);
}

/** One file after the other, each in a process of its own, which is the default of vitest. @param {string} folder */
function run(folder) {
  const began = performance.now();
  execFileSync(process.execPath, [vitest, "run", "--no-file-parallelism"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return (performance.now() - began) / files;
}
