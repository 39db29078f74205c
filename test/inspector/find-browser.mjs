import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Nothing that Chromium does on its own account is wanted in a test. */
export const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const installWithinMs = 180_000;

/** The path of a Chromium: CHROME_PATH, one that is installed, or one that Debian brings. Undefined without any. */
export function findBrowser() {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH !== undefined) return existsSync(CHROME_PATH) ? CHROME_PATH : undefined;
  return installed() ?? (install() ? installed() : undefined);
}

/** @returns {string | undefined} */
function installed() {
  const found = names.map((name) => spawnSync("which", [name], { encoding: "utf8" }));
  return found.find(({ status }) => status === 0)?.stdout.trim();
}

/** Where it can be done without asking anybody: as root on Debian. */
function install() {
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return false;
  try {
    const options = { stdio: /** @type {const} */ ("ignore"), timeout: installWithinMs };
    execFileSync("apt-get", ["update"], options);
    execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], options);
    return true;
  } catch {
    return false;
  }
}
