import { accessSync, constants, statSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** No sandbox, GPU, updates or background traffic in tests. */
export const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** Completes the sentence “To run these tests, …”. */
export const howToGetOne =
  "install a Chromium (Debian, Ubuntu: apt-get install chromium; elsewhere: npx playwright install chromium), or set CHROME_PATH to the path of one";

/**
 * The path of a Chromium: CHROME_PATH, otherwise the first one on PATH, in the application folders of the system, or in
 * the folder of Playwright. Undefined if there is none.
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 */
export function findBrowser(env = process.env, platform = process.platform) {
  if (env.CHROME_PATH) return isProgram(env.CHROME_PATH) ? env.CHROME_PATH : undefined;
  const found = [...onPath(env, platform), ...applications(env, platform)].find(isProgram);
  return found ?? [ofPlaywright()].find(isProgram);
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 */
function onPath(env, platform) {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge"];
  const ending = platform === "win32" ? ".exe" : "";
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return names.flatMap((name) => folders.map((folder) => join(folder, name + ending)));
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 */
function applications(env, platform) {
  if (platform === "darwin") {
    const names = ["Google Chrome", "Chromium", "Microsoft Edge"];
    return ["/Applications", join(homedir(), "Applications")].flatMap((folder) =>
      names.map((name) => join(folder, `${name}.app/Contents/MacOS/${name}`)),
    );
  }
  if (platform !== "win32") return [];
  const programs = [
    "Google/Chrome/Application/chrome.exe",
    "Chromium/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
  ];
  return [env.PROGRAMFILES, env["PROGRAMFILES(X86)"], env.LOCALAPPDATA]
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => programs.map((program) => join(folder, program)));
}

/** Where `npx playwright install chromium` puts it. Playwright is loaded only if no other browser was found. */
function ofPlaywright() {
  return createRequire(import.meta.url)("@playwright/test").chromium.executablePath();
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
