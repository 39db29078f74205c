// Makes the README's pictures from the report of a failed test: `node test/inspector/take-picture.mjs`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";
import { ensureBuilt } from "../../src/build/ensure-built.mjs";
import { findBrowser, flags, howToGetOne } from "./find-browser.mjs";

ensureBuilt();
// Imported by URL, because the type check runs without a build.
const { startMock } = await import(new URL("../../dist/esm/index.js", import.meta.url).href);
const executablePath = findBrowser();
if (executablePath === undefined) throw new Error(`No browser found. To take the picture, ${howToGetOne}.`);

/** As wide as a README is shown, in CSS pixels of the picture. */
const shownWidth = 800;
/** Pixels of the picture in a CSS pixel, for screens with a high resolution. */
const sharpness = 1.5;
/** The narrowest page with verdict and request on one screen. */
const pageWidth = 1024;

const mock = await startMock({ seed: "picture" });
const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-picture-"));
const browser = await chromium.launch({ executablePath, args: flags });
try {
  const report = await saveReport();
  await takePicture(report, "light", "inspector.webp");
  await takePicture(report, "dark", "inspector-dark.webp");
} finally {
  await browser.close();
  await mock.stop();
  rmSync(folder, { recursive: true });
}

/** The report of a test that rotates with a token that was rotated before. Returns its path. */
async function saveReport() {
  const { token } = (await send("GET", { user_group_id: "acme", name: "Acme" })).user_group;
  await send("POST", { current_token: token });
  await send("POST", { current_token: token });
  const file = join(folder, "report.html");
  await mock.saveReport(file);
  const test = {
    title: "rotates the key twice",
    file: "groups.test.js",
    line: 11,
    framework: "vitest",
    attempt: 1,
    error: { message: "AssertionError: expected 0 to be 1", expected: "1", actual: "0" },
  };
  const element = `<script type="application/json" id="test">${JSON.stringify(test)}</script>`;
  writeFileSync(file, readFileSync(file, "utf8").replace(/<\/body>(?![\s\S]*<\/body>)/, `${element}</body>`));
  return file;
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
  await page.getByRole("article", { name: "Request 3" }).getByText('"unknown_token"').waitFor();
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
  writeFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), Buffer.from(data, "base64"));
  await context.close();
}

/**
 * @param {string} method
 * @param {object} body
 */
function send(method, body) {
  const text = JSON.stringify(body);
  const headers = {
    Authorization: `Token ${mock.apiToken}`,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  };
  return new Promise((resolve, reject) => {
    const req = request(`${mock.url}/api/user`, { method, headers }, async (res) => {
      resolve(JSON.parse(Buffer.concat(await res.toArray()).toString()));
    });
    req.on("error", reject).end(text);
  });
}
