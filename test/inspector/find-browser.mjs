import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Nothing that Chromium does on its own account is wanted in a test. */
export const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** What to do where there is none. */
export const howToGetOne =
  "install a Chromium (Debian, Ubuntu: apt-get install chromium), or set CHROME_PATH to the path of one";

/**
 * The path of a Chromium: CHROME_PATH, or the first one on PATH. Undefined without any.
 * @param {NodeJS.ProcessEnv} env
 */
export function findBrowser(env = process.env) {
  if (env.CHROME_PATH) return isProgram(env.CHROME_PATH) ? env.CHROME_PATH : undefined;
  const ending = process.platform === "win32" ? ".exe" : "";
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return names.flatMap((name) => folders.map((folder) => join(folder, name + ending))).find(isProgram);
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
