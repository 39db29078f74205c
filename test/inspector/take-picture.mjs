// Makes the README's picture from the real page: `npm run picture`, after `npm run build`.
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { findBrowser, flags, howToGetOne } from "./find-browser.mjs";

// What is made by the build is no part of what is checked.
const { startMock } = await import(new URL("../../dist/esm/index.js", import.meta.url).href);
const executablePath = findBrowser();
if (executablePath === undefined) throw new Error(`There is no browser to take it with: ${howToGetOne}.`);
const mock = await startMock({ seed: "picture" });
const world = mock.world("checkout-tests");
const failed = await playScene();

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
// As WebP, it takes a third of a PNG. The screenshots of Playwright have no such format.
const session = await page.context().newCDPSession(page);
const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 60 });
writeFileSync(file, Buffer.from(data, "base64"));
await browser.close();
await world.clearFaults();
await mock.stop();

/** What a program under test might have done. Gives the request to look at. */
async function playScene() {
  for (const id of ["acme", "globex", "initech", "umbrella"]) {
    const mapping = { 40: `warehouse-${id}`, 41: "213" };
    await call("GET", { user_group_id: id, name: `${id} Ltd`, mapping, properties: { region: "EU" } });
  }
  const { token } = (await call("GET", { user_group_id: "acme" })).user_group;
  await call("GET", { user_group_id: "globex", name: "Globex", propertys: { region: "US" } });
  await call("GET", { user_group_id: "hooli", name: "Hooli", mapping: { 40: 213 } });
  await world.fault({ operation: "get-or-create", status: 503, times: 2 });
  await call("GET", { user_group_id: "hooli", name: "Hooli", mapping: { 40: "213" } });
  await call("GET", { user_group_id: "hooli", name: "Hooli", mapping: { 40: "213" } });
  await call("GET", { user_group_id: "hooli", name: "Hooli", mapping: { 40: "213" } });
  await call("GET", { user_group_id: "initech" }, "a-token-of-production");
  await call("POST", { current_token: token, filename: "acme.csv" });
  await call("POST", { current_token: token, filename: "acme.csv" });
  const { id } = (await world.requests({})).at(-1) ?? { id: 1 };
  await call("GET", { user_group_id: "acme" });
  await call("GET", { user_group_id: "pied-piper", name: "Pied Piper", mapping: { 40: "214" } });
  const held = await world.hold({ operation: "rotate" });
  void call("POST", { current_token: token });
  await held.arrived;
  await world.assume({ "created-status": "201" });
  return id;
}

/**
 * @param {string} method
 * @param {object} body
 */
function call(method, body, apiToken = mock.apiToken) {
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
