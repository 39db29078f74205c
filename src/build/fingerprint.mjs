// Decides whether generated files are up to date. By content: a checkout changes time stamps.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** The inputs of each output directory. Its `made-from.txt` has their fingerprint. */
const inputs = {
  "src/generated": [
    "schemas",
    ...["build", "contract", "foundation", "inspector", "options"].map((name) => `src/${name}`),
  ],
  dist: ["package.json", "package-lock.json", "schemas", "fixtures", "src"],
};

/**
 * A hash of the names and contents of all inputs.
 * @param {keyof typeof inputs} output
 */
export function takeFingerprint(output) {
  const hash = createHash("sha256");
  for (const file of inputs[output].flatMap(filesIn)) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\n${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

/** @param {keyof typeof inputs} output */
export function isUpToDate(output) {
  const madeFrom = join(root, output, "made-from.txt");
  return existsSync(madeFrom) && readFileSync(madeFrom, "utf8") === takeFingerprint(output);
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesIn(path) {
  if (path === "src/generated") return [];
  if (!statSync(join(root, path)).isDirectory()) return [path];
  const names = readdirSync(join(root, path)).sort();
  return names.flatMap((name) => filesIn(`${path}/${name}`));
}
