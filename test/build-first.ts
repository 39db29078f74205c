import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

/** The last file that the build writes. */
const built = join(root, "THIRD-PARTY-NOTICES");

/** Builds when there is nothing built, or something older than its source: a test of it alone needs no other command. */
export function setup(): void {
  const sources = ["package.json", ...["src", "schemas", "fixtures"].flatMap(filesIn)];
  const isFresh =
    existsSync(join(root, "dist")) &&
    existsSync(built) &&
    sources.every((file) => statSync(join(root, file)).mtimeMs <= statSync(built).mtimeMs);
  if (!isFresh) execFileSync(process.execPath, [join(root, "src/build/build.mjs")], { stdio: "inherit" });
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return entries.map((entry) => join(folder, entry));
}
