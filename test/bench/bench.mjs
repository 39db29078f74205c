// `npm run bench`: the speed of the mock, compared with bare node:http and plain Express doing equal work, in one run.
// The name of a part, such as `npm run bench -- imports`, runs that part only. `throughput --before <clone>` adds the
// processor time of a request compared with another version, which has to be built. The figures of docs/performance.md
// are written to figures.json, from which `npm run generate` makes the table.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import module from "node:module";
import { arch, availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { importTimes } from "./imports.mjs";
import { interleave, median, ratio, responds, startSubject, wrk } from "./load.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const cache = join(root, ".cache");
const bin = join(root, "dist/cjs/bin.js");
const server = (/** @type {string} */ name) => join(root, `test/bench/servers/${name}.mjs`);
mkdirSync(cache, { recursive: true });

/** V8 handles what plain Express does to its requests better since Node 24. */
const timesExpress = Number(process.versions.node.split(".")[0]) < 24 ? 1.9 : 1.15;

/** @type {{ what: string, reached: string, target: string, met: boolean | undefined }[]} */
const rows = [];
/** @type {Record<string, unknown>} */
const raw = { node: process.version, at: new Date().toISOString() };

/** @param {string} what @param {string} reached @param {string} target @param {boolean} [met] */
function row(what, reached, target, met) {
  rows.push({ what, reached, target, met });
  console.log(`${met === undefined ? " " : met ? "✓" : "✗"} ${what}: ${reached} (target ${target})`);
}

/** What docs/performance.md shows. @type {Record<string, string>} */
const figures = {};

const x = (/** @type {{ median: number, least: number, most: number }} */ r) =>
  `${r.median.toFixed(2)} (${r.least.toFixed(2)} to ${r.most.toFixed(2)})`;

const parts = { imports, coldStart, throughput, packageSize };
const chosen = Object.entries(parts).filter(([name]) => process.argv.includes(name));
for (const [, run] of chosen.length > 0 ? chosen : Object.entries(parts)) await run();

const file = join(cache, "bench.json");
writeFileSync(file, `${JSON.stringify({ rows, raw }, undefined, 2)}\n`);
saveFigures();
console.log(`\n| what | reached | target |\n|---|---|---|`);
for (const { what, reached, target } of rows) console.log(`| ${what} | ${reached} | ${target} |`);

/** Writes the figures into the column of this version of Node. */
function saveFigures() {
  figures.measured = `${new Date().toISOString().slice(0, 10)}, ${arch()}, ${availableParallelism()} cores`;
  const path = join(root, "test/bench/figures.json");
  const [versions, ...lines] = JSON.parse(readFileSync(path, "utf8"));
  const column = versions.indexOf(`Node ${process.versions.node.split(".")[0]}`);
  if (column < 0) return;
  for (const line of lines) line[column] = figures[line[0]] ?? line[column];
  writeFileSync(path, `${JSON.stringify([versions, ...lines], undefined, 2)}\n`);
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
  const titles = {
    existing: "existing group",
    create: "new group",
    rotate: "rotation",
    failure: "rejected body",
  };
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
    const perSecond = Math.round(median(ours.map((r) => r.requestsPerSecond)));
    const p = `${perSecond} requests/s, p50 ${median(ours.map((r) => r.p50Ms))} ms, p99 ${median(ours.map((r) => r.p99Ms))} ms`;
    const against = ratio(ours, theirs);
    row(`${load}: against bare node:http`, `${x(against)}; ${p}`, "≥ 0.55", against.median >= 0.55);
    const express5 = ratio(ours, plain);
    row(
      `${load}: against plain Express 5`,
      x(express5),
      `≥ ${timesExpress}`,
      express5.median >= timesExpress,
    );
    const ratios = `${against.median.toFixed(2)}, ${express5.median.toFixed(2)}`;
    const title = titles[/** @type {keyof typeof titles} */ (load)];
    figures[`requests per second, ${title} (× bare, × Express)`] =
      `${perSecond.toLocaleString("en")} (${ratios})`;
    if (earlier.length === 0) continue;
    const cpu = ratio(ours, earlier, "cpuMicros");
    const micros = median(ours.map(({ cpuMicros = 0 }) => cpuMicros)).toFixed(0);
    const what = `${load}: processor time against before`;
    row(what, `${x(cpu)}; ${micros} µs`, "≤ 1.25", cpu.median <= 1.25);
  }
}

async function startSubjects() {
  const fake = await startSubject("fake", [bin, "--port", "5101", "--log", "silent"], { port: 5101 });
  const bare = await startSubject("bare", [server("bare")], { port: 5102 });
  const express = await startSubject("express", [server("express")], { port: 5103 });
  await confirmBodies(fake.url);
  if (!process.argv.includes("--before")) return [fake, bare, express];
  const clone = process.argv[process.argv.indexOf("--before") + 1] ?? "";
  const args = [join(clone, "dist/cjs/bin.js"), "--port", "5104", "--log", "silent"];
  return [fake, bare, express, await startSubject("before", args, { port: 5104 })];
}

/** From the start of a process to its first response. @param {string[]} args @param {number} port @param {{ command?: string, signal?: NodeJS.Signals }} [how] */
async function firstAnswerMs(args, port, { command = process.execPath, signal = "SIGKILL" } = {}) {
  const began = performance.now();
  const child = spawn(command, args, {
    env: { ...process.env, PORT: String(port) },
    stdio: "ignore",
    detached: true,
  });
  while (!(await responds(port))) {
    if (child.exitCode !== null) throw new Error(`${args.join(" ")} did not start`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
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

/** A time for a reader. @param {number} ms @param {number} other */
function compared(ms, other) {
  return `${Math.round(ms).toLocaleString("en")} ms (${(ms / other).toFixed(2)} ×)`;
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
  const first = "start in a test: import and the first `startMock()` (× an Express hello world)";
  figures[first] = compared(fastest(times.esmStarted), started);
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

async function coldStart() {
  const bare = [];
  const hello = [];
  const fake = [];
  // As it is installed: the command turns on Node's compile cache, which a first start fills.
  const installed = join(cache, "installed");
  rmSync(installed, { recursive: true, force: true });
  for (const part of ["bin", "dist", "package.json"])
    cpSync(join(root, part), join(installed, part), { recursive: true });
  const command = join(installed, "bin/usergroup-mock.cjs");
  await firstAnswerMs([command, "--port", "5129"], 5129, { signal: "SIGTERM" });
  for (let i = 0; i < 15; i++) {
    bare.push(await firstAnswerMs([server("bare-hello")], 5180 + i));
    hello.push(await firstAnswerMs([server("hello")], 5110 + i));
    fake.push(await firstAnswerMs([command, "--port", String(5130 + i)], 5130 + i));
  }
  raw.coldStart = { bare, hello, fake };
  timeRow("cold start of the CLI against Express hello world", median(fake), median(hello), 1.2);
  const start = "start of the command line, to the first response (× an Express hello world)";
  figures[start] = compared(median(fake), median(hello));
  timeRow("cold start of the CLI against bare node:http hello world", median(fake), median(bare));
}

async function packageSize() {
  const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-bench-"));
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], { cwd: root });
  const [name = ""] = readdirSync(folder);
  const tarball = join(folder, name);
  const { size } = statSync(tarball);
  row("package", `${Math.round(size / 1000)} kB`, "≤ 750 kB", size <= 750_000);
  const times = [];
  for (let i = 0; i < 3; i++) {
    const port = 5160 + i;
    const args = ["exec", "--yes", "--cache", join(folder, `cache-${i}`), `--package=${tarball}`, "--"];
    times.push(
      await firstAnswerMs([...args, "usergroup-mock", "--port", String(port)], port, { command: "npm" }),
    );
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
  const install = "install: `npx` with an empty cache (× installing express, ajv and yargs)";
  figures[install] = compared(median(times), median(installs));
  rmSync(folder, { recursive: true, force: true });
}
