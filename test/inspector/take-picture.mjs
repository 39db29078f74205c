// Makes the README's pictures from the report of its failed test: `node test/inspector/take-picture.mjs`.
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";
import { ensureBuilt } from "../../src/build/ensure-built.mjs";
import { findBrowser, flags, howToGetOne } from "./find-browser.mjs";

ensureBuilt();
const executablePath = findBrowser();
if (executablePath === undefined) throw new Error(`No browser found. To take the picture, ${howToGetOne}.`);

const root = fileURLToPath(new URL("../../", import.meta.url));
/** As wide as a README is shown, in CSS pixels of the picture. */
const shownWidth = 800;
/** Pixels of the picture in a CSS pixel, for screens with a high resolution. */
const sharpness = 1.5;
/** The narrowest page with verdict and request on one screen. */
const pageWidth = 1024;

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-picture-"));
const browser = await chromium.launch({ executablePath, args: flags });
try {
  const report = saveReport();
  await takePicture(report, "light", "inspector.webp");
  await takePicture(report, "dark", "inspector-dark.webp");
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

/** Runs the test of the README with the mistake that the README describes. Returns the path of its report. */
function saveReport() {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  for (const [, text = "", file = ""] of readme.matchAll(/^```js\n(\/\/ (\S+)\n.*?)^```$/gms)) {
    writeFileSync(join(folder, file), text.replace("token: second", "token"));
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/usergroup-mock"), "junction");
  symlinkSync(join(root, "node_modules/vitest"), join(folder, "node_modules/vitest"), "junction");
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  spawnSync(process.execPath, [vitest, "run", "groups.test.js"], { cwd: folder, stdio: "inherit" });
  const reports = join(folder, "usergroup-mock-report");
  return join(reports, readdirSync(reports)[0] ?? "");
}

/**
 * The verdict, and the request that it is about. The list of requests is left out, so that the rest can be read.
 * @param {string} report
 * @param {"light" | "dark"} colorScheme
 * @param {string} name
 */
async function takePicture(report, colorScheme, name) {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width: pageWidth, height: 900 },
  });
  const page = await context.newPage();
  await page.goto(pathToFileURL(report).href);
  await page.getByRole("article", { name: "Request 2" }).getByText('"unknown_token"').waitFor();
  await page.evaluate(`
    document.body.style.zoom = ${pageWidth / shownWidth};
    document.querySelector(".list").style.display = "none";
    document.querySelector(".requests").style.gridTemplateColumns = "1fr";
  `);
  const top = (await page.locator("main").boundingBox())?.y ?? 0;
  const end = await page.getByRole("region", { name: "Life of the group" }).boundingBox();
  const height = (end?.y ?? 0) + (end?.height ?? 0) - top;
  // WebP takes a third of the size of PNG. Screenshots of Playwright do not support it.
  const session = await context.newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", {
    format: "webp",
    quality: 50,
    clip: { x: 0, y: top, width: pageWidth, height, scale: (sharpness * shownWidth) / pageWidth },
  });
  writeFileSync(join(root, "docs", name), Buffer.from(data, "base64"));
  await context.close();
}
