// Mutation tests. `node test/mutation/run.mjs --mutate 'src/fake/service/*.ts'` tries every mutant of these files.
// With `SAMPLE=25 SEED=1`, it tries 25 mutants of each part of the sources (sample.mjs), the same ones every time.
// All arguments are passed to Stryker: `--disableBail` finds all tests that catch a mutant, instead of the first.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { argv, env, execPath } from "node:process";
import { root } from "../../src/build/ensure-built.mjs";
import { installInCache } from "../stacks/install-in-cache.mjs";

const folder = await installInCache("stryker", [
  "@stryker-mutator/core@9",
  "@stryker-mutator/vitest-runner@9",
]);
const stryker = join(folder, "node_modules/@stryker-mutator/core/bin/stryker.js");
const sampled = env.SAMPLE === undefined ? [] : ["--checkers", "sample"];
const args = [stryker, "run", "test/mutation/stryker.config.json", ...sampled, ...argv.slice(2)];
const { status } = spawnSync(execPath, args, { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 1;
