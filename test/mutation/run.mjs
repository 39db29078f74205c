// Mutation tests. `node test/mutation/run.mjs fake --mutate 'src/fake/service/*.ts'` tries every mutant of these files
// with the tests of a part: fake, explore, learn or report. With `LINES=25 SEED=1`, it tries those of 25 lines of each
// directory of the part, the same ones until the sources change. More arguments are passed to Stryker: `--disableBail`
// finds all tests that catch a mutant, instead of the first.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { argv, env, execPath } from "node:process";
import { root } from "../../src/build/ensure-built.mjs";
import { installInCache } from "../stacks/install-in-cache.mjs";

/**
 * The sources of each part, and the tests that are run for its mutants.
 * @type {Readonly<Record<string, { readonly sources: readonly string[], readonly tests: readonly string[] }>>}
 */
const parts = {
  fake: {
    sources: ["src/fake/contract", "src/fake/server", "src/fake/service", "src/fake/world"],
    tests: ["test/fake/**/*.test.ts", "test/model/*.test.ts", "test/interface-document.test.ts"],
  },
  explore: { sources: ["src/lab/explore"], tests: ["test/lab/explore/*.test.ts"] },
  learn: { sources: ["src/lab/verify/learn"], tests: ["test/lab/verify/**/*.test.ts"] },
  report: { sources: ["src/report"], tests: ["test/report/*.test.ts", "test/inspector/*.test.ts"] },
};

/** A line with something that can be changed: not a comment, an import, or the end of a block. */
const code = /^(?!import |\s*(\/?\*|\/\/)).*[\w"'`]/;

/**
 * Places in the form of Stryker: `src/report/moment.ts:12-12`.
 * @param {string} directory
 */
function drawLines(directory) {
  const files = readdirSync(join(root, directory), { recursive: true, encoding: "utf8" });
  const places = files
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) =>
      readFileSync(join(root, directory, file), "utf8")
        .split("\n")
        .flatMap((line, n) => (code.test(line) ? [`${directory}/${file}:${n + 1}-${n + 1}`] : [])),
    );
  /** @param {string} place */
  const draw = (place) =>
    createHash("sha256")
      .update(`${env.SEED ?? "1"} ${place}`)
      .digest("hex");
  return places.sort((a, b) => draw(a).localeCompare(draw(b))).slice(0, Number(env.LINES));
}

const [, , name = "", ...more] = argv;
const part = parts[name];
if (part === undefined) throw new Error(`Name a part: ${Object.keys(parts).join(", ")}`);
const folder = await installInCache("stryker", [
  "@stryker-mutator/core@9",
  "@stryker-mutator/vitest-runner@9",
]);
const stryker = join(folder, "node_modules/@stryker-mutator/core/bin/stryker.js");
const drawn = env.LINES === undefined ? part.sources : part.sources.flatMap(drawLines);
const args = [stryker, "run", "test/mutation/stryker.config.json", "--mutate", drawn.join(), ...more];
const { status } = spawnSync(execPath, args, {
  cwd: root,
  stdio: "inherit",
  env: { ...env, MUTATION_TESTS: part.tests.join() },
});
process.exitCode = status ?? 1;
