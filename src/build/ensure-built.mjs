// In a clone of the repository: builds dist/ if it is missing or out of date.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, takeFingerprint } from "./fingerprint.mjs";

/** Throws an error of one line if the build fails. */
export function ensureBuilt() {
  const madeFrom = join(root, "dist/made-from.txt");
  if (existsSync(madeFrom) && readFileSync(madeFrom, "utf8") === takeFingerprint()) return;
  // Standard output belongs to the command that needs the build.
  const build = join(root, "src/build/build.mjs");
  const { status } = spawnSync(process.execPath, [build], { stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error("usergroup-mock could not be built. Run npm install && npm run build.");
}
