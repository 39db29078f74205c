// `npm run bench -- inspector`: how fast the inspector and the report are in a browser. Prints figures.
import { mkdtemp, rm, stat } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";
import { findBrowser, flags, howToGetOne } from "../inspector/find-browser.mjs";

const { startMock } = await import(new URL("../../dist/esm/index.js", import.meta.url).href);
const executablePath = findBrowser();
if (executablePath === undefined) throw new Error(`There is no browser: ${howToGetOne}.`);

const seconds = Number(process.env.BENCH_SECONDS ?? 60);
const perSecond = 200;
const browser = await chromium.launch({ executablePath, args: flags });
const agent = new Agent({ keepAlive: true });
const folder = await mkdtemp(join(tmpdir(), "usergroup-mock-bench-"));
try {
  await opening();
  await report();
  await manyWorlds();
  await underLoad();
} finally {
  await browser.close();
  agent.destroy();
  await rm(folder, { recursive: true });
}

/** From the first paint to live, and the bytes over the wire, with 1,000 requests in the journal. */
async function opening() {
  const mock = await startMock();
  await makeCalls(mock, 1_000);
  const times = [];
  let bytes = 0;
  for (let run = 0; run < 7; run++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    bytes = 0;
    session.on("Network.dataReceived", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.addInitScript(`new MutationObserver(() => {
      if (document.querySelector(".status.live")) window.liveAt ??= performance.now();
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });`);
    await page.goto(`${mock.url}/__admin/`);
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByRole("link", { name: /^#1000 / }).waitFor();
    times.push(
      await page.evaluate(
        "window.liveAt - performance.getEntriesByName('first-contentful-paint')[0].startTime",
      ),
    );
    await context.close();
  }
  times.sort((a, b) => a - b);
  const [fastest, , , median, , , slowest] = times.map(Math.round);
  console.log(
    `1,000 requests, first paint to live: median ${median} ms (${fastest} to ${slowest}); ${kB(bytes)} over the wire`,
  );
  await mock.stop();
}

/** A report of 1,000 requests: its size, and how long it takes to open. */
async function report() {
  const mock = await startMock();
  await makeCalls(mock, 1_000);
  const file = join(folder, "report.html");
  await mock.saveReport(file);
  const data = JSON.stringify([await mock.requests(), await mock.groups(), await mock.assumptions()]).length;
  const times = [];
  for (let run = 0; run < 7; run++) {
    const page = await browser.newPage();
    const began = performance.now();
    await page.goto(pathToFileURL(file).href);
    await page.getByRole("link", { name: /^#1000 / }).waitFor();
    times.push(performance.now() - began);
    await page.close();
  }
  times.sort((a, b) => a - b);
  const { size } = await stat(file);
  console.log(
    `Report of 1,000 requests: opens in ${Math.round(times[3] ?? 0)} ms (median of 7); ${kB(size)}, ${kB(size - data)} beyond its data`,
  );
  await mock.stop();
}

/** The list of tests with 10,000 worlds: from the navigation to its first rows. */
async function manyWorlds() {
  const mock = await startMock();
  for (let n = 0; n < 9_999; n += 50) {
    const worlds = Array.from({ length: Math.min(50, 9_999 - n) }, (_, i) => mock.world(`test-${n + i}`));
    await Promise.all(worlds.map((world) => world.reset({ label: `suite > test ${world.name}` })));
  }
  for (let n = 0; n < 200; n++) await send(mock.world(`test-${n * 40}`), n % 2 === 0 ? "acme" : "");
  const times = [];
  for (let run = 0; run < 7; run++) {
    const page = await browser.newPage();
    const began = performance.now();
    await page.goto(`${mock.url}/__admin/`);
    await page.locator(".tests li").nth(100).waitFor();
    times.push(performance.now() - began);
    await page.close();
  }
  times.sort((a, b) => a - b);
  const { length } = await mock.worlds();
  console.log(
    `${length.toLocaleString("en")} worlds: the list of tests opens in ${Math.round(times[3] ?? 0)} ms (median of 7, ${Math.round(times[0] ?? 0)} to ${Math.round(times[6] ?? 0)})`,
  );
  await mock.stop();
}

/** 200 requests per second with the page open: frames, missing requests, memory. */
async function underLoad() {
  const mock = await startMock();
  const page = await browser.newPage();
  await page.goto(`${mock.url}/__admin/`);
  await page.getByText("live", { exact: true }).waitFor();
  const session = await page.context().newCDPSession(page);
  const heap = async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    return usedSize / 1e6;
  };
  await page.evaluate(
    `window.frames2 = 0; (function tick() { window.frames2++; requestAnimationFrame(tick); })();`,
  );
  // The journal is full before the measurement: from then on, memory should not grow.
  await makeCalls(mock, 1_000);
  const before = await heap();
  const [frames, began] = [await page.evaluate("window.frames2"), performance.now()];
  const made = await makeCalls(mock, seconds * perSecond, perSecond);
  const took = (performance.now() - began) / 1_000;
  const shown = (await page.evaluate("window.frames2")) - frames;
  await page
    .getByRole("link", { name: `#${1_000 + made} ` })
    .first()
    .waitFor();
  const lost = await page.evaluate(
    "document.querySelectorAll('.dropped').length === 1 ? document.querySelector('.dropped').textContent : ''",
  );
  const after = await heap();
  console.log(
    `${(made / took).toFixed(0)} requests/s for ${took.toFixed(0)} s: ${(shown / took).toFixed(1)} frames/s; ` +
      `memory ${before.toFixed(1)} MB before, ${after.toFixed(1)} MB after; the page shows: ${lost} Expected: ${made.toLocaleString("en")} dropped.`,
  );
  await mock.stop();
}

/**
 * @param {{ url: string, apiToken: string }} mock
 * @param {number} count
 * @param {number} [rate] requests per second; by default as many as possible
 */
async function makeCalls(mock, count, rate) {
  const began = performance.now();
  for (let n = 0; n < count; n++) {
    await send(mock, `group-${n % 500}`);
    const ahead = rate === undefined ? 0 : (n * 1_000) / rate - (performance.now() - began);
    if (ahead > 5) await new Promise((resolve) => setTimeout(resolve, ahead));
  }
  return count;
}

/**
 * @param {{ url: string, apiToken: string }} mock
 * @param {string} id
 */
function send(mock, id) {
  const text = JSON.stringify({ user_group_id: id, name: `Name of ${id}`, mapping: { 40: "213" } });
  const headers = {
    Authorization: `Token ${mock.apiToken}`,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  };
  return new Promise((resolve, reject) => {
    const req = request(`${mock.url}/api/user`, { method: "GET", headers, agent }, (res) => {
      res.resume().on("end", () => resolve(undefined));
    });
    req.on("error", reject).end(text);
  });
}

/** @param {number} bytes */
function kB(bytes) {
  return `${Math.round(bytes / 1_000)} kB`;
}
