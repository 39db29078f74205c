// Mutation tests: `node test/mutation/run.mjs --mutate 'src/fake/service/*.ts'`. All arguments are passed to Stryker.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { argv, execPath } from "node:process";
import { root } from "../../src/build/ensure-built.mjs";
import { installInCache } from "../stacks/install-in-cache.mjs";

const folder = await installInCache("stryker", [
  "@stryker-mutator/core@9",
  "@stryker-mutator/vitest-runner@9",
]);
const stryker = join(folder, "node_modules/@stryker-mutator/core/bin/stryker.js");
const args = [stryker, "run", "test/mutation/stryker.config.json", ...argv.slice(2)];
const { status } = spawnSync(execPath, args, { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 1;
