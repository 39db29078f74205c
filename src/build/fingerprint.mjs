// Tells whether something was made from the files that are here now. Time stamps cannot: a checkout sets them anew.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * A hash of the names and contents of these files, and of all files in these folders of the repository.
 * @param {readonly string[]} places
 */
export function fingerprintOf(places) {
  const hash = createHash("sha256");
  for (const file of places.flatMap(filesIn)) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\n${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

/** What `src/generated/` is made from. */
const generatorInputs = ["schemas", ...["build", "contract", "foundation", "options", "service"].map(inSrc)];

export const generatorFingerprint = () => fingerprintOf(generatorInputs);

/** The file of `dist/` that says what it was built from. */
export const builtFrom = "dist/made-from.txt";

/** What `dist/` is made from. What is generated follows from the rest. */
export const buildFingerprint = () =>
  fingerprintOf([
    "package.json",
    "package-lock.json",
    "schemas",
    "fixtures",
    ...readdirSync(join(root, "src"))
      .filter((name) => name !== "generated")
      .map(inSrc),
  ]);

/**
 * The fingerprint that was written to a file, or nothing where there is no such file.
 * @param {string} file
 */
export function writtenFingerprint(file) {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** @param {string} name */
function inSrc(name) {
  return `src/${name}`;
}

/**
 * @param {string} place
 * @returns {string[]}
 */
function filesIn(place) {
  if (!statSync(join(root, place)).isDirectory()) return [place];
  return readdirSync(join(root, place))
    .sort()
    .flatMap((name) => filesIn(`${place}/${name}`));
}
