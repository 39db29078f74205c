// Ends npx at random moments while a mock starts and after it, and counts the mocks that stay:
//
//   npm run build && node test/heavy/end-npx.mjs [--times 50] [--package <directory>]
//
// Exits with 1 if a mock was alive two seconds later. Needs ps and npx, and no registry.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    times: { type: "string", default: "50" },
    package: { type: "string", default: fileURLToPath(new URL("../..", import.meta.url)) },
  },
});

/** A project in which the package is installed. */
const project = mkdtempSync(join(tmpdir(), "usergroup-mock-end-npx-"));
const installed = join(project, "node_modules/usergroup-mock");
for (const name of ["package.json", "bin", "dist", "fixtures", "schemas"])
  cpSync(join(values.package, name), join(installed, name), { recursive: true });
mkdirSync(join(project, "node_modules/.bin"));
symlinkSync("../usergroup-mock/bin/usergroup-mock.cjs", join(project, "node_modules/.bin/usergroup-mock"));

/** In a process group of its own, like a job of a shell. */
function startNpx() {
  const child = spawn("npx", ["usergroup-mock", "--port", "0"], { cwd: project, detached: true });
  let isReady = false;
  const ready = new Promise((resolve) => {
    child.stdout.on("data", (part) => {
      isReady ||= String(part).includes("listening on");
      if (isReady) resolve(undefined);
    });
  });
  return { child, ready, isReady: () => isReady };
}

/** The mocks of the project that are alive. */
function mocks() {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,args="], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => / \S*node /.test(line) && line.includes(`${project}/node_modules/.bin/`));
}

/** Whether all mocks end within two seconds. Ends those that do not. */
async function allEnd() {
  const until = performance.now() + 2_000;
  while (performance.now() < until) {
    if (mocks().length === 0) return true;
    await sleep(50);
  }
  const left = mocks();
  for (const line of left) process.kill(Number.parseInt(line, 10), "SIGKILL");
  return left.length === 0;
}

async function startTime() {
  const began = performance.now();
  const { child, ready } = startNpx();
  await ready;
  const time = performance.now() - began;
  child.kill("SIGTERM");
  await allEnd();
  return time;
}

await startTime();
const time = await startTime();
console.log(`npx and the mock are ready after ${Math.round(time)} ms`);
for (const signal of /** @type {const} */ (["SIGTERM", "SIGHUP", "SIGKILL"])) {
  const orphans = { starting: 0, ready: 0 };
  const ended = { starting: 0, ready: 0 };
  for (let n = 0; n < Number(values.times); n++) {
    const { child, ready, isReady } = startNpx();
    // Half of the moments are after the start, however long it takes this time.
    const moment = Math.random() * 2 * time;
    if (moment > time) await ready;
    await sleep(moment % time);
    const when = isReady() ? "ready" : "starting";
    child.kill(signal);
    const isGone = await allEnd();
    (isGone ? ended : orphans)[when]++;
    if (!isGone) process.exitCode = 1;
  }
  const all = (/** @type {"starting" | "ready"} */ when) =>
    `${orphans[when]} of ${orphans[when] + ended[when]} stayed while ${when}`;
  console.log(`${signal}: ${all("starting")}, ${all("ready")}`);
}
rmSync(project, { recursive: true, force: true });
