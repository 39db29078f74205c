// Makes the README's picture from the real page: `node test/inspector/take-picture.mjs`.
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { ensureBuilt } from "../../src/build/ensure-built.mjs";
import { findBrowser, flags, howToGetOne } from "./find-browser.mjs";

ensureBuilt();
// Imported by URL, because the type check runs without a build.
const { startMock } = await import(new URL("../../dist/esm/index.js", import.meta.url).href);
const executablePath = findBrowser();
if (executablePath === undefined) throw new Error(`No browser found. To take the picture, ${howToGetOne}.`);
const mock = await startMock({ seed: "picture" });
const world = mock.world("checkout-tests");
const failed = await makeRequests();

const browser = await chromium.launch({ executablePath, args: flags });
const [, , file = fileURLToPath(new URL("../../docs/inspector.webp", import.meta.url)), hash, scheme, width] =
  process.argv;
const page = await browser.newPage({
  viewport: { width: Number(width ?? 1360), height: 800 },
  colorScheme: scheme === "dark" ? "dark" : "light",
});
await page.goto(`${world.url}/__admin/${hash ?? `#/requests/${failed}`}`);
await page.getByText("live", { exact: true }).waitFor();
if (hash === undefined) await page.getByRole("article").waitFor();
// WebP takes a third of the size of PNG. Screenshots of Playwright do not support it.
const session = await page.context().newCDPSession(page);
const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 60 });
writeFileSync(file, Buffer.from(data, "base64"));
await browser.close();
await world.clearFaults();
await mock.stop();

/** Sends requests as a program under test might do. Returns the id of the request to open. */
async function makeRequests() {
  for (const id of ["acme", "globex", "initech", "umbrella"]) {
    const mapping = { 40: `warehouse-${id}`, 41: "213" };
    await send("GET", { user_group_id: id, name: `${id} Ltd`, mapping, properties: { region: "EU" } });
  }
  const { token } = (await send("GET", { user_group_id: "acme" })).user_group;
  await send("GET", { user_group_id: "globex", name: "Globex", propertys: { region: "US" } });
  await send("GET", { user_group_id: "hooli", name: "Hooli", mapping: { 40: 213 } });
  await world.fault({ operation: "get-or-create", status: 503, times: 2 });
  await send("GET", { user_group_id: "hooli", name: "Hooli", mapping: { 40: "213" } });
  await send("GET", { user_group_id: "hooli", name: "Hooli", mapping: { 40: "213" } });
  await send("GET", { user_group_id: "hooli", name: "Hooli", mapping: { 40: "213" } });
  await send("GET", { user_group_id: "initech" }, "production-token");
  await send("POST", { current_token: token, filename: "acme.csv" });
  await send("POST", { current_token: token, filename: "acme.csv" });
  const { id } = (await world.requests({})).at(-1) ?? { id: 1 };
  await send("GET", { user_group_id: "acme" });
  await send("GET", { user_group_id: "pied-piper", name: "Pied Piper", mapping: { 40: "214" } });
  const held = await world.hold({ operation: "rotate" });
  void send("POST", { current_token: token });
  await held.arrived;
  await world.assume({ "created-status": "201" });
  return id;
}

/**
 * @param {string} method
 * @param {object} body
 */
function send(method, body, apiToken = mock.apiToken) {
  const text = JSON.stringify(body);
  const headers = {
    Authorization: `Token ${apiToken}`,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
    "User-Agent": "checkout/1.4",
  };
  return new Promise((resolve, reject) => {
    const req = request(`${world.url}/api/user`, { method, headers }, async (res) => {
      resolve(JSON.parse(Buffer.concat(await res.toArray()).toString()));
    });
    req.on("error", reject).end(text);
  });
}
