// Runs every check, also after one that failed: while a table is out of date, the compiler names what else is missing.
import { exec } from "node:child_process";

const checks = [
  "node src/build/generate.mjs --check",
  "tsc -p .",
  "tsc -p src/inspector",
  "biome check",
  "knip",
];

/**
 * Prints what the command has printed when it ends: several run at once.
 * @param {string} command
 * @returns {Promise<boolean>} whether it succeeded
 */
function check(command) {
  return new Promise((resolve) => {
    exec(command, { maxBuffer: 100_000_000 }, (error, stdout, stderr) => {
      process.stdout.write(stdout);
      process.stderr.write(stderr);
      resolve(error === null);
    });
  });
}

const succeeded = await Promise.all(checks.map(check));
const failed = checks.filter((_, n) => !succeeded[n]);
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}
