// `npm run bench`: the speed of the mock, compared with bare node:http and plain Express doing equal work, in one run.
// The name of a part, such as `npm run bench -- imports`, runs that part only. `throughput --before <clone>` adds the
// processor time of a request compared with another version, which has to be built. The figures of docs/performance.md
// are written to figures.json, from which `npm run generate` makes the table.
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import module from "node:module";
import { arch, availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { importTimes } from "./imports.mjs";
import { interleave, median, ratio, responds, startSubject, wrk } from "./load.mjs";
import { findMissing } from "./needs.mjs";
import { folder, freePort, killGroup, run, start } from "./started.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const cache = join(root, ".cache");
const bin = join(root, "dist/cjs/bin.js");
const server = (/** @type {string} */ name) => join(root, `test/bench/servers/${name}.mjs`);

/** V8 handles what plain Express does to its requests better since Node 24. */
const timesExpress = Number(process.versions.node.split(".")[0]) < 24 ? 2.5 : 1.15;

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
const names = /** @type {import("./needs.mjs").Part[]} */ (Object.keys(parts));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { before: { type: "string" } },
});
const unknown = positionals.find((given) => !names.some((name) => name === given));
const chosen = positionals.length > 0 ? names.filter((name) => positionals.includes(name)) : names;
const problem =
  unknown === undefined
    ? await findMissing(chosen, bin)
    : `There is no part ${unknown}. Parts: ${names.join(", ")}.`;

if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
} else {
  for (const name of chosen) await parts[name]();
  saveResults();
}

function saveResults() {
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, "bench.json"), `${JSON.stringify({ rows, raw }, undefined, 2)}\n`);
  saveFigures();
  console.log(`\n| what | reached | target |\n|---|---|---|`);
  for (const { what, reached, target } of rows) console.log(`| ${what} | ${reached} | ${target} |`);
}

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
  const query = "operation=get-or-create&user_group_id=example_1&limit=1";
  const text = await (await fetch(`${url}/__admin/requests?${query}`)).text();
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
    const { profile: knowing = [] } = measured;
    const perSecond = Math.round(median(ours.map((r) => r.requestsPerSecond)));
    const p = `${perSecond} requests/s, p50 ${median(ours.map((r) => r.p50Ms))} ms, p99 ${median(ours.map((r) => r.p99Ms))} ms`;
    const against = ratio(ours, theirs);
    row(`${load}: against bare node:http`, `${x(against)}; ${p}`, "≥ 0.60", against.median >= 0.6);
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
    const cost = ratio(knowing, ours, "cpuMicros");
    row(`${load}: processor time with a profile, against without`, x(cost), "≤ 1.05", cost.median <= 1.05);
    if (earlier.length === 0) continue;
    const cpu = ratio(ours, earlier, "cpuMicros");
    const micros = median(ours.map(({ cpuMicros = 0 }) => cpuMicros)).toFixed(0);
    const what = `${load}: processor time against before`;
    row(what, `${x(cpu)}; ${micros} µs`, "≤ 1.25", cpu.median <= 1.25);
  }
}

async function startSubjects() {
  const fake = await startSubject("fake", [bin, "--log", "silent"]);
  const bare = await startSubject("bare", [server("bare")]);
  const express = await startSubject("express", [server("express")]);
  const ofProfile = ["--profile", join(root, "test/bench/profile.json")];
  const knowing = await startSubject("profile", [bin, "--log", "silent", ...ofProfile]);
  await confirmBodies(fake.url);
  await confirmBodies(knowing.url);
  if (values.before === undefined) return [fake, bare, express, knowing];
  const args = [join(values.before, "dist/cjs/bin.js"), "--log", "silent"];
  return [fake, bare, express, knowing, await startSubject("before", args)];
}

/** From the start of a process to its first response. @param {string[]} args @param {{ command?: string, signal?: NodeJS.Signals }} [how] */
async function firstAnswerMs(args, { command = process.execPath, signal = "SIGKILL" } = {}) {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), USERGROUP_MOCK_PORT: String(port) };
  const began = performance.now();
  const child = start(command, args, { env, stdio: "ignore" });
  const exited = once(child, "exit");
  while (!(await responds(port))) {
    if (child.exitCode !== null) throw new Error(`${args.join(" ")} did not start`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const took = performance.now() - began;
  killGroup(child, signal);
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
  const times = await importTimes();
  raw.imports = times;
  const express = fastest(times.express);
  const started = fastest(times.expressListening);
  timeRow("import, ESM, against Express", fastest(times.esm), express, 0.36);
  timeRow("import, CommonJS, against Express", fastest(times.cjs), express);
  timeRow("import of usergroup-mock/jest against Express", fastest(times.jest), express);
  const withPlaywright = "import of usergroup-mock/playwright, beyond @playwright/test, against Express";
  timeRow(withPlaywright, fastest(times.playwright), express);
  const start = "import and first startMock";
  timeRow(`${start}, ESM, against Express hello world`, fastest(times.esmStarted), started, 0.97);
  const first = "start in a test: import and the first `startMock()` (× an Express hello world)";
  figures[first] = compared(fastest(times.esmStarted), started);
  timeRow(`${start}, CommonJS, against Express hello world`, fastest(times.cjsStarted), started);
  // Node 20 has no compile cache.
  if (!("enableCompileCache" in module)) return;
  const cached = await importTimes({ NODE_COMPILE_CACHE: join(folder, "compile-cache") });
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
  const installed = join(folder, "installed");
  for (const part of ["bin", "dist", "package.json"])
    cpSync(join(root, part), join(installed, part), { recursive: true });
  const command = join(installed, "bin/usergroup-mock.cjs");
  await firstAnswerMs([command], { signal: "SIGTERM" });
  for (let i = 0; i < 15; i++) {
    bare.push(await firstAnswerMs([server("bare-hello")]));
    hello.push(await firstAnswerMs([server("hello")]));
    fake.push(await firstAnswerMs([command]));
  }
  raw.coldStart = { bare, hello, fake };
  timeRow("cold start of the CLI against Express hello world", median(fake), median(hello), 1.2);
  const start = "start of the command line, to the first response (× an Express hello world)";
  figures[start] = compared(median(fake), median(hello));
  timeRow("cold start of the CLI against bare node:http hello world", median(fake), median(bare));
}

async function packageSize() {
  const tarball = await pack(root);
  const { size } = statSync(tarball);
  row("package", `${Math.round(size / 1000)} kB`, "≤ 750 kB", size <= 750_000);
  const empty = await pack(writeEmptyPackage());
  /** @type {Record<"ours" | "empty" | "installs", number[]>} */
  const times = { ours: [], empty: [], installs: [] };
  for (let i = 0; i < 5; i++) {
    times.ours.push(await npxMs(tarball, "usergroup-mock", `cache-${i}`));
    times.empty.push(await npxMs(empty, "hello", `empty-cache-${i}`));
    times.installs.push(await installMs(`install-${i}`));
  }
  raw.npx = times;
  const ours = median(times.ours);
  const least = median(times.empty);
  const install = median(times.installs);
  const what = "npx of the tarball to the first response, empty cache, against";
  timeRow(`${what} that of an empty package, which is the time of npm`, ours, least, 2);
  // Without a target: it depends on the registry more than on the mock.
  timeRow(`${what} installing express, ajv and yargs`, ours, install);
  figures["install: `npx` with an empty cache (× an empty package, × installing express, ajv and yargs)"] =
    `${Math.round(ours).toLocaleString("en")} ms (${(ours / least).toFixed(2)}, ${(ours / install).toFixed(2)})`;
}

/** Packs a package. Returns the path of its tarball. @param {string} source */
async function pack(source) {
  const to = ["--pack-destination", folder];
  const name = await run("npm", ["pack", "--ignore-scripts", "--silent", ...to], { cwd: source });
  return join(folder, name.trim());
}

/** A package whose command is a hello world with node:http. No package starts sooner with npx. */
function writeEmptyPackage() {
  const source = join(folder, "hello");
  mkdirSync(source);
  const about = { name: "hello", version: "1.0.0", bin: "hello.mjs" };
  writeFileSync(join(source, "package.json"), JSON.stringify(about));
  const program = readFileSync(server("bare-hello"), "utf8");
  writeFileSync(join(source, "hello.mjs"), `#!/usr/bin/env node\n${program}`);
  return source;
}

/** @param {string} tarball @param {string} command @param {string} cacheName */
function npxMs(tarball, command, cacheName) {
  const args = ["exec", "--yes", "--cache", join(folder, cacheName), `--package=${tarball}`, "--", command];
  return firstAnswerMs(args, { command: "npm" });
}

/** @param {string} name */
async function installMs(name) {
  const project = join(folder, name);
  mkdirSync(project);
  const began = performance.now();
  const args = ["install", "--cache", join(folder, `${name}-cache`), "express", "ajv", "yargs"];
  await run("npm", args, { cwd: project });
  return performance.now() - began;
}
