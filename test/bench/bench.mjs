// `npm run bench`: the speed of the mock, compared with bare node:http and plain Express doing equal work, in one run.
// --peers adds other mock servers (installed into .cache/), --soak a minute at half the ceiling. The name of a part,
// such as `npm run bench -- imports`, runs that part only; `inspector` runs only by its name. `throughput --before <clone>` adds the processor time of a
// request compared with another version, which has to be built.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import module from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { importTimes } from "./imports.mjs";
import { interleave, median, ratio, responds, startSubject, wrk } from "./load.mjs";
import { peers } from "./peers.mjs";
import { suiteTimes } from "./vitest-suite.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const cache = join(root, ".cache");
const bin = join(root, "dist/cjs/bin.js");
const server = (/** @type {string} */ name) => join(root, `test/bench/servers/${name}.mjs`);
mkdirSync(cache, { recursive: true });

/** @type {{ what: string, reached: string, target: string, met: boolean | undefined }[]} */
const rows = [];
/** @type {Record<string, unknown>} */
const raw = { node: process.version, at: new Date().toISOString() };

/** @param {string} what @param {string} reached @param {string} target @param {boolean} [met] */
function row(what, reached, target, met) {
  rows.push({ what, reached, target, met });
  console.log(`${met === undefined ? " " : met ? "✓" : "✗"} ${what}: ${reached} (target ${target})`);
}

const x = (/** @type {{ median: number, least: number, most: number }} */ r) =>
  `${r.median.toFixed(2)} (${r.least.toFixed(2)} to ${r.most.toFixed(2)})`;

const parts = { imports, coldStart, vitestSuite, throughput, scale, inProcess, packageSize };
const inspector = () => import("./inspector.mjs");
const chosen = Object.entries({ ...parts, inspector }).filter(([name]) => process.argv.includes(name));
for (const [, run] of chosen.length > 0 ? chosen : Object.entries(parts)) await run();
if (process.argv.includes("--peers")) await againstPeers();
if (process.argv.includes("--soak")) await soak();

const file = join(cache, "bench.json");
writeFileSync(file, `${JSON.stringify({ rows, raw }, undefined, 2)}\n`);
console.log(`\n| what | reached | target |\n|---|---|---|`);
for (const { what, reached, target } of rows) console.log(`| ${what} | ${reached} | ${target} |`);

/** @param {number} port @param {string[]} [flags] */
function startFake(port, flags = []) {
  const args = [bin, "--port", String(port), "--log", "silent", ...flags];
  return startSubject(`fake${flags.length > 0 ? ` ${flags.join(" ")}` : ""}`, args, { port });
}

/** Without the body of its GET, every server would be fast. @param {string} url */
async function confirmBodies(url) {
  await wrk("existing", url, { seconds: 1, connections: 1 });
  const text = execFileSync(
    "curl",
    ["-s", `${url}/__admin/requests?operation=get-or-create&user_group_id=example_1&limit=1`],
    { encoding: "utf8" },
  );
  const { requests } = JSON.parse(text);
  if (requests[0]?.request.body?.user_group_id !== "example_1")
    throw new Error(`the GET body did not arrive: ${text}`);
}

/** Every round starts the servers again: what V8 makes of the same code differs by 10 % from one start to the next. */
async function throughput() {
  /** @type {Record<string, Record<string, import("./load.mjs").Round[]>>} */
  const rounds = { existing: {}, create: {}, rotate: {}, failure: {} };
  raw.throughput = rounds;
  for (let round = 0; round < 5; round++) {
    const subjects = await startSubjects();
    for (const [load, measured] of Object.entries(rounds)) {
      for (const [name, results] of Object.entries(await interleave(load, subjects, 1)))
        measured[name] = [...(measured[name] ?? []), ...results];
    }
    for (const subject of subjects) await subject.stop();
  }
  for (const [load, measured] of Object.entries(rounds)) {
    const { fake: ours = [], bare: theirs = [], express: plain = [], before: earlier = [] } = measured;
    const p = `${Math.round(median(ours.map((r) => r.requestsPerSecond)))} requests/s, p50 ${median(ours.map((r) => r.p50Ms))} ms, p99 ${median(ours.map((r) => r.p99Ms))} ms`;
    const against = ratio(ours, theirs);
    row(`${load}: against bare node:http`, `${x(against)}; ${p}`, "≥ 0.6", against.median >= 0.6);
    const express5 = ratio(ours, plain);
    row(`${load}: against plain Express 5`, x(express5), "≥ 2", express5.median >= 2);
    if (earlier.length === 0) continue;
    const cpu = ratio(ours, earlier, "cpuMicros");
    const micros = median(ours.map(({ cpuMicros = 0 }) => cpuMicros)).toFixed(0);
    const what = `${load}: processor time against before`;
    row(what, `${x(cpu)}; ${micros} µs`, "≤ 1.25", cpu.median <= 1.25);
  }
}

async function startSubjects() {
  const fake = await startFake(5101);
  const bare = await startSubject("bare", [server("bare")], { port: 5102 });
  const express = await startSubject("express", [server("express")], { port: 5103 });
  await confirmBodies(fake.url);
  if (!process.argv.includes("--before")) return [fake, bare, express];
  const clone = process.argv[process.argv.indexOf("--before") + 1] ?? "";
  const args = [join(clone, "dist/cjs/bin.js"), "--port", "5104", "--log", "silent"];
  return [fake, bare, express, await startSubject("before", args, { port: 5104 })];
}

/** One after the other: some of them use the core even without requests. */
async function againstPeers() {
  const fake = await startFake(5107);
  const bare = await startSubject("bare", [server("bare")], { port: 5108 });
  for (const { name, args, ...where } of await peers()) {
    const peer = await startSubject(name, args, where);
    const results = await interleave("existing", [fake, bare, peer]);
    await peer.stop();
    raw[name] = results;
    const { fake: ours = [], bare: theirs = [], [name]: its = [] } = results;
    const r = ratio(ours, its);
    const requestsPerSecond = Math.round(median(its.map((round) => round.requestsPerSecond)));
    const bound = `bare node:http ${ratio(theirs, its).median.toFixed(2)}`;
    row(
      `existing: against ${name}, ${requestsPerSecond} requests/s`,
      `${x(r)}; ${bound}`,
      "≥ 4",
      r.median >= 4,
    );
  }
  for (const subject of [fake, bare]) await subject.stop();
}

/** @param {number} count @param {boolean} [tokens] whether the fixture has them, as an exported state does */
function fixtureOf(count, tokens = false) {
  const path = join(cache, `groups-${count}${tokens ? "-with-tokens" : ""}.json`);
  if (existsSync(path)) return path;
  const groups = Array.from({ length: count }, (_, i) =>
    JSON.stringify({
      team_id: 3,
      provided_id: `group-${i}`,
      name: `Group ${i}`,
      ...(tokens && { token: createHash("sha256").update(`${i}`).digest("hex") }),
      mapping: { 40: "213" },
      properties: { region: "EU" },
    }),
  );
  const team = '"teams":[{"team_id":3,"api_tokens":["test-api-token"]}]';
  writeFileSync(path, `{${team},"user_groups":[\n${groups.join(",\n")}\n]}`);
  return path;
}

async function scale() {
  await million("1,000,000 groups against 10", true, 0.9);
  await million("1,000,000 groups against 10, without tokens in the fixture", false);
  const ten = await startFake(5104, ["--fixtures", fixtureOf(10)]);
  const worlds = [];
  for (let i = 0; i < 6; i++) {
    const one = await wrk("existing", ten.url);
    const thousand = await wrk("worlds", ten.url);
    if (i > 0) worlds.push(thousand.requestsPerSecond / one.requestsPerSecond);
  }
  raw.worlds = worlds;
  row("1,000 worlds in turn against one", median(worlds).toFixed(2), "≥ 0.9", median(worlds) >= 0.9);
  await ten.stop();
}

/** @param {string} what @param {boolean} tokens @param {number} [target] */
async function million(what, tokens, target) {
  const few = await startFake(5105, ["--fixtures", fixtureOf(10, tokens)]);
  const many = await startFake(5106, ["--fixtures", fixtureOf(1_000_000, tokens)]);
  const rounds = [];
  for (let i = 0; i < 6; i++) {
    const ten = await wrk("many", few.url, { env: { GROUPS: "10" } });
    const all = await wrk("many", many.url, { env: { GROUPS: "1000000" } });
    if (i > 0) rounds.push(all.requestsPerSecond / ten.requestsPerSecond);
  }
  for (const subject of [few, many]) await subject.stop();
  raw[what] = rounds;
  const reached = median(rounds);
  if (target === undefined) row(what, reached.toFixed(2), "none");
  else row(what, reached.toFixed(2), `≥ ${target}`, reached >= target);
}

/** From the start of a process to its first response. @param {string[]} args @param {number} port @param {{ command?: string | undefined, signal?: NodeJS.Signals }} [how] */
async function firstAnswerMs(args, port, { command = process.execPath, signal = "SIGKILL" } = {}) {
  const began = performance.now();
  const child = spawn(command, args, {
    env: { ...process.env, PORT: String(port) },
    stdio: "ignore",
    detached: true,
  });
  while (!(await responds(port))) await new Promise((resolve) => setTimeout(resolve, 2));
  const took = performance.now() - began;
  const exited = once(child, "exit");
  process.kill(-(child.pid ?? 0), signal);
  await exited;
  return took;
}

/** The fastest round, because other programs on the machine can only make a round slower. @param {number[]} times */
function fastest(times) {
  return Math.min(...times);
}

/** A time compared with another one. @param {string} what @param {number} ms @param {number} other @param {number} [target] */
function timeRow(what, ms, other, target) {
  const reached = `${(ms / other).toFixed(2)} (${Math.round(ms)} ms against ${Math.round(other)} ms)`;
  if (target === undefined) row(what, reached, "none");
  else row(what, reached, `≤ ${target}`, ms / other <= target);
}

/** All times are beyond `import "node:http"`. */
async function imports() {
  const times = importTimes();
  raw.imports = times;
  const express = fastest(times.express);
  const started = fastest(times.expressListening);
  timeRow("import, ESM, against Express", fastest(times.esm), express, 0.35);
  timeRow("import, CommonJS, against Express", fastest(times.cjs), express);
  timeRow("import of usergroup-mock/jest against Express", fastest(times.jest), express);
  const withPlaywright = "import of usergroup-mock/playwright, beyond @playwright/test, against Express";
  timeRow(withPlaywright, fastest(times.playwright), express);
  const start = "import and first startMock";
  timeRow(`${start}, ESM, against Express hello world`, fastest(times.esmStarted), started, 1);
  timeRow(`${start}, CommonJS, against Express hello world`, fastest(times.cjsStarted), started);
  // Node 20 has no compile cache.
  if (!("enableCompileCache" in module)) return;
  const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-bench-"));
  const cached = importTimes({ NODE_COMPILE_CACHE: folder });
  rmSync(folder, { recursive: true });
  raw.importsCached = cached;
  timeRow(
    `${start}, ESM, with NODE_COMPILE_CACHE against without`,
    fastest(cached.esmStarted),
    fastest(times.esmStarted),
  );
}

async function vitestSuite() {
  const times = suiteTimes(cache);
  raw.vitestSuite = times;
  const [empty, whole] = [fastest(times.without), fastest(times.with)];
  row(
    "per test file with usergroup-mock/vitest, beyond an empty test file",
    `${Math.round(whole - empty)} ms (${Math.round(whole)} ms against ${Math.round(empty)} ms)`,
    "≤ 60 ms",
    whole - empty <= 60,
  );
}

async function coldStart() {
  const bare = [];
  const hello = [];
  const fake = [];
  // As it is installed: the command turns on Node's compile cache, which a first start fills.
  const installed = join(cache, "installed");
  rmSync(installed, { recursive: true, force: true });
  for (const folder of ["bin", "dist"])
    cpSync(join(root, folder), join(installed, folder), { recursive: true });
  const command = join(installed, "bin/usergroup-mock.cjs");
  await firstAnswerMs([command, "--port", "5129"], 5129, { signal: "SIGTERM" });
  for (let i = 0; i < 15; i++) {
    bare.push(await firstAnswerMs([server("bare-hello")], 5180 + i));
    hello.push(await firstAnswerMs([server("hello")], 5110 + i));
    fake.push(await firstAnswerMs([command, "--port", String(5130 + i)], 5130 + i));
  }
  raw.coldStart = { bare, hello, fake };
  timeRow("cold start of the CLI against Express hello world", median(fake), median(hello), 1.2);
  timeRow("cold start of the CLI against bare node:http hello world", median(fake), median(bare));
  if (!process.argv.includes("--peers")) return;
  for (const { name, args, port, command } of await peers()) {
    const peer = [];
    for (let i = 0; i < 3; i++) peer.push(await firstAnswerMs(args, port, { command }));
    row(
      `cold start against ${name}`,
      `${(fastest(fake) / fastest(peer)).toFixed(2)} (${Math.round(fastest(peer))} ms)`,
      "< 1",
      fastest(fake) < fastest(peer),
    );
  }
}

async function inProcess() {
  const script = fileURLToPath(new URL("in-process.mjs", import.meta.url));
  const text = execFileSync(
    "taskset",
    ["-c", "0", process.execPath, "--expose-gc", script, fixtureOf(10), fixtureOf(100_000)],
    { encoding: "utf8" },
  );
  const measured = JSON.parse(text);
  raw.inProcess = measured;
  const { startStopMs, few, many, parseMs, loadMs, bytesPerGroup, bytesPerWorld } = measured;
  row("start + stop in process", `${startStopMs.toFixed(2)} ms`, "≤ 3 ms", startStopMs <= 3);
  for (const [name, key] of [
    ["reset", "resetMs"],
    ["new world", "newWorldMs"],
  ]) {
    const k = /** @type {string} */ (key);
    row(
      `${name}, with 100,000 seed groups (10: ${few[k].toFixed(4)} ms)`,
      `${many[k].toFixed(4)} ms`,
      "≤ 0.1 ms",
      many[k] <= 0.1,
    );
  }
  row(
    "loading 100,000 groups against JSON.parse",
    `${(loadMs / parseMs).toFixed(2)} (${loadMs.toFixed(0)} ms)`,
    "≤ 3",
    loadMs / parseMs <= 3,
  );
  row("memory per created group", `${Math.round(bytesPerGroup)} B`, "≤ 1 kB", bytesPerGroup <= 1000);
  row("memory per idle world", `${Math.round(bytesPerWorld)} B`, "≤ 3 kB", bytesPerWorld <= 3000);
}

async function packageSize() {
  const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-bench-"));
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], { cwd: root });
  const [name = ""] = readdirSync(folder);
  const tarball = join(folder, name);
  row(
    "package",
    `${Math.round(statSync(tarball).size / 1000)} kB`,
    "≤ 750 kB",
    statSync(tarball).size <= 750_000,
  );
  const times = [];
  for (let i = 0; i < 3; i++) {
    const args = [
      "exec",
      "--yes",
      "--cache",
      join(folder, `cache-${i}`),
      `--package=${tarball}`,
      "--",
      "usergroup-mock",
      "--port",
      String(5160 + i),
    ];
    times.push(await firstAnswerMs(args, 5160 + i, { command: "npm" }));
  }
  const installs = [];
  for (let i = 0; i < 3; i++) {
    const project = join(folder, `install-${i}`);
    mkdirSync(project);
    const began = performance.now();
    const args = ["install", "--cache", join(folder, `install-cache-${i}`), "express", "ajv", "yargs"];
    execFileSync("npm", args, { cwd: project, stdio: "ignore" });
    installs.push(performance.now() - began);
  }
  raw.npx = { times, installs };
  const what =
    "npx of the tarball to the first response against installing express, ajv and yargs, empty caches";
  timeRow(what, median(times), median(installs), 0.4);
  rmSync(folder, { recursive: true, force: true });
}

async function soak() {
  const fake = await startFake(5170);
  const ceiling = (await wrk("existing", fake.url)).requestsPerSecond;
  const connections = Math.round(ceiling / 2 / 400);
  const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${fake.pid}/status`, "utf8"))?.[1]) / 1000;
  const load = { seconds: 20, connections, env: { PAUSE_MS: "2" } };
  const parts = [];
  const sizes = [];
  for (let i = 0; i < 3; i++) {
    parts.push(await wrk("half", fake.url, load));
    sizes.push(memory());
  }
  await fake.stop();
  const errors = parts.reduce((sum, part) => sum + part.errors, 0);
  const p99 = Math.max(...parts.map(({ p99Ms }) => p99Ms));
  const rate = Math.round(median(parts.map(({ requestsPerSecond }) => requestsPerSecond)));
  raw.soak = { ceiling, parts, sizes };
  const level = (sizes[2] ?? 0) < (sizes[0] ?? 0) * 1.2;
  row(
    `60 s at ${rate} requests/s (${(rate / ceiling).toFixed(2)} of the ceiling)`,
    `${errors} errors, p99 ${p99} ms, memory ${sizes.map((size) => Math.round(size)).join(", ")} MB`,
    "0 errors, p99 < 10 ms, memory level",
    errors === 0 && p99 < 10 && level,
  );
}
