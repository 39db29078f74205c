// In a clone of the repository: builds dist/ and generates src/generated/ if they are missing or out of date.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Throws an error of one line if the build fails. */
export function ensureBuilt() {
  if (isMadeFromSources("dist")) return;
  // Standard output belongs to the command that needs the build.
  const build = join(root, "src/build/build.mjs");
  const { status } = spawnSync(process.execPath, [build], { stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error("usergroup-mock could not be built. Run npm install && npm run build.");
}

/** Generates src/generated/ if it is missing or out of date. */
export async function ensureGenerated() {
  if (isMadeFromSources("src/generated")) return;
  const { generate } = await import("./generate.mjs");
  await generate();
}

/** @param {string} folder its `made-from.txt` has the fingerprint of its sources */
function isMadeFromSources(folder) {
  const madeFrom = join(root, folder, "made-from.txt");
  return existsSync(madeFrom) && readFileSync(madeFrom, "utf8") === takeFingerprint();
}

/** A hash of the names and contents of all sources, because a checkout changes time stamps. */
export function takeFingerprint() {
  const hash = createHash("sha256");
  const folders = ["schemas", "fixtures", "src"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  for (const file of ["package.json", "package-lock.json", ...folders.sort()]) {
    const path = join(root, file);
    if (file.startsWith(join("src", "generated")) || statSync(path).isDirectory()) continue;
    hash.update(`${file}\n`).update(readFileSync(path));
  }
  return hash.digest("hex");
}
