// Measures within one process: start and stop, reset, new worlds, fixtures, memory. Prints JSON.
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { median } from "./load.mjs";

const { startMock } = await import(new URL("../../dist/esm/index.js", import.meta.url).href);

/** @param {number} times @param {() => Promise<unknown>} work */
async function medianMs(times, work) {
  const measured = [];
  for (let i = 0; i < times; i++) {
    const began = performance.now();
    await work();
    measured.push(performance.now() - began);
  }
  return median(measured);
}

const startStopMs = await medianMs(200, async () => (await startMock()).stop());

/** @param {string} fixture @param {number} times */
async function controls(fixture, times) {
  const mock = await startMock({ fixtures: fixture });
  let n = 0;
  const measured = {
    reset: await medianMs(times, () => mock.reset()),
    "new world": await medianMs(times, () => mock.world(`w${++n}`).clearRequests()),
  };
  await mock.stop();
  return measured;
}

const [small = "", large = ""] = process.argv.slice(2);
const few = await controls(small, 900);
const many = await controls(large, 900);

const text = readFileSync(large, "utf8");
const parseMs = await medianMs(5, async () => JSON.parse(text));
const loadMs = await medianMs(5, async () => (await startMock({ fixtures: large })).stop());

const mock = await startMock({ maxWorlds: 20_000 });
const gc = /** @type {() => void} */ (globalThis.gc);
const heap = () => {
  gc();
  gc();
  return process.memoryUsage().heapUsed;
};
const beforeWorlds = heap();
for (let i = 0; i < 10_000; i++) await mock.world(`idle-${i}`).clearRequests();
const bytesPerWorld = (heap() - beforeWorlds) / 10_000;

/** @param {number} i */
const create = (i) =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify({ user_group_id: `group-${i}`, name: `Group ${i}`, mapping: { 40: "213" } });
    const headers = {
      Authorization: `Token ${mock.apiToken}`,
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
    };
    const req = request(`${mock.url}/api/user`, { method: "GET", headers }, (res) =>
      res.resume().on("end", resolve),
    );
    req.on("error", reject);
    req.end(body);
  });
// The journal is full before the measurement, so that it does not count as groups.
for (let i = 0; i < 1_500; i++) await create(i);
const beforeGroups = heap();
for (let i = 1_500; i < 21_500; i++) await create(i);
const bytesPerGroup = (heap() - beforeGroups) / 20_000;
await mock.stop();

console.log(JSON.stringify({ startStopMs, few, many, parseMs, loadMs, bytesPerWorld, bytesPerGroup }));
