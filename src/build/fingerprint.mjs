// Finds out whether sources have changed, by their content, because a checkout changes time stamps.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** A hash of the names and contents of all sources. `dist/made-from.txt` has that of the last build. */
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
