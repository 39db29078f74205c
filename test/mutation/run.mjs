// Mutation tests. `node test/mutation/run.mjs --mutate 'src/fake/service/*.ts'` tries every mutant of these files.
// With `LINES=25 SEED=1`, it tries those of 25 lines of each part below: the same ones until the sources change.
// All arguments are passed to Stryker: `--disableBail` finds all tests that catch a mutant, instead of the first.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { argv, env, execPath } from "node:process";
import { root } from "../../src/build/ensure-built.mjs";
import { installInCache } from "../stacks/install-in-cache.mjs";

const parts = [
  "src/fake/contract",
  "src/fake/server",
  "src/fake/service",
  "src/fake/world",
  "src/lab/explore",
  "src/lab/verify/learn",
  "src/report",
];

/** A line with something that can be changed: not a comment, an import, or the end of a block. */
const code = /^(?!import |\s*(\/?\*|\/\/)).*[\w"'`]/;

/**
 * Places in the form of Stryker: `src/report/moment.ts:12-12`.
 * @param {string} part
 */
function drawLines(part) {
  const files = readdirSync(join(root, part), { recursive: true, encoding: "utf8" });
  const places = files
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) =>
      readFileSync(join(root, part, file), "utf8")
        .split("\n")
        .flatMap((line, n) => (code.test(line) ? [`${part}/${file}:${n + 1}-${n + 1}`] : [])),
    );
  /** @param {string} place */
  const draw = (place) =>
    createHash("sha256")
      .update(`${env.SEED ?? "1"} ${place}`)
      .digest("hex");
  return places.sort((a, b) => draw(a).localeCompare(draw(b))).slice(0, Number(env.LINES));
}

const folder = await installInCache("stryker", [
  "@stryker-mutator/core@9",
  "@stryker-mutator/vitest-runner@9",
]);
const stryker = join(folder, "node_modules/@stryker-mutator/core/bin/stryker.js");
const drawn = env.LINES === undefined ? [] : ["--mutate", parts.flatMap(drawLines).join()];
const args = [stryker, "run", "test/mutation/stryker.config.json", ...drawn, ...argv.slice(2)];
const { status } = spawnSync(execPath, args, { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 1;
