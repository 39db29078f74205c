// Runs every check, also after one that failed: while a table is out of date, the compiler names what else is missing.
import { spawnSync } from "node:child_process";

const checks = [
  "node src/build/generate.mjs --check",
  "tsc -p .",
  "tsc -p src/inspector",
  "biome check",
  "knip",
];

const failed = checks.filter((command) => spawnSync(command, { shell: true, stdio: "inherit" }).status !== 0);
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}
