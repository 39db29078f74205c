// Puts load on a server with wrk, which runs on another core, and checks that wrk itself is not the limit.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { freePort, killGroup, run, start } from "./started.mjs";

/** The core of the servers, and the core of the load. */
const serverCore = "0";
const loadCore = "1";

/**
 * A server that listens, in a process of its own.
 * @typedef {{ name: string, url: string, pid: number, stop: () => Promise<void> }} Subject
 */

/** How long a server may take to start. */
const startWithinMs = 60_000;

/**
 * @param {string} name
 * @param {string[]} args
 * @returns {Promise<Subject>}
 */
export async function startSubject(name, args) {
  const port = await freePort();
  const child = start("taskset", ["-c", serverCore, process.execPath, ...args], {
    env: { ...process.env, PORT: String(port), USERGROUP_MOCK_PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    // The beginning of the output has the reason of a failed start. All of it is read, so that the server never blocks.
    stream?.on("data", (part) => (output = (output + part).slice(0, 2_000)));
  }
  const exited = once(child, "exit");
  const since = performance.now();
  while (!(await responds(port))) {
    if (child.exitCode !== null || performance.now() - since > startWithinMs) {
      throw new Error(`${name} did not start: ${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      child.kill("SIGTERM");
      const cut = setTimeout(() => killGroup(child, "SIGKILL"), 5_000);
      await exited;
      clearTimeout(cut);
    },
  };
}

/** Whether a server responds. @param {number} port @returns {Promise<boolean>} */
export function responds(port) {
  return new Promise((resolve) => {
    const req = request({ port, host: "127.0.0.1", path: "/api/user", agent: false }, (res) => {
      res.resume().on("end", () => resolve(true));
    });
    req.on("error", () => resolve(false));
    req.end();
  });
}

/**
 * @typedef {{ requestsPerSecond: number, p50Ms: number, p99Ms: number, errors: number, generatorBusy: number, cpuMicros?: number }} Round
 */

let runs = 0;

/**
 * One round of load.
 * @param {string} load the name of a script in loads/
 * @param {string} url
 * @param {{ seconds?: number, connections?: number }} [options]
 * @returns {Promise<Round>}
 */
export async function wrk(load, url, { seconds = 3, connections = 32 } = {}) {
  const script = fileURLToPath(new URL(`loads/${load}.lua`, import.meta.url));
  const command =
    `TIMEFORMAT='busy %U %S %R'; time taskset -c ${loadCore} ` +
    `wrk -t1 -c${connections} -d${seconds}s --latency -s "$SCRIPT" ${url}/api/user`;
  const variables = { ...process.env, RUN: String(++runs), SCRIPT: script };
  const output = await run("bash", ["-c", `{ ${command}; } 2>&1`], { env: variables });
  const number = (/** @type {RegExp} */ pattern) => Number(pattern.exec(output)?.[1] ?? Number.NaN);
  const ms = (/** @type {string} */ percent) => {
    const [, value, unit] = new RegExp(`^\\s+${percent}%\\s+([\\d.]+)(us|ms|s)$`, "m").exec(output) ?? [];
    return Number(value) * { us: 0.001, ms: 1, s: 1000 }[/** @type {"us" | "ms" | "s"} */ (unit)];
  };
  const [, user, system, real] = /busy ([\d.]+) ([\d.]+) ([\d.]+)/.exec(output) ?? [];
  const requestsPerSecond = number(/Requests\/sec:\s+([\d.]+)/);
  if (!(requestsPerSecond > 0)) throw new Error(`wrk could not put load on ${url}: ${output}`);
  const rejected = number(/Non-2xx or 3xx responses: (\d+)/) || 0;
  const [, connect = 0, read = 0, write = 0, timeout = 0] =
    /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output) ?? [];
  const broken = [connect, read, write, timeout].reduce(
    (/** @type {number} */ sum, part) => sum + Number(part),
    0,
  );
  return {
    requestsPerSecond,
    p50Ms: ms("50"),
    p99Ms: ms("99"),
    errors: (load === "failure" ? 0 : rejected) + broken,
    generatorBusy: (Number(user) + Number(system)) / Number(real),
  };
}

/**
 * A round, with the processor time that the server took for each request.
 * @param {string} load
 * @param {Subject} subject
 * @returns {Promise<Round>}
 */
async function roundOf(load, { url, pid }) {
  const [cpu, began] = [cpuMicrosOf(pid), performance.now()];
  const round = await wrk(load, url);
  const requests = (round.requestsPerSecond * (performance.now() - began)) / 1000;
  return { ...round, cpuMicros: (cpuMicrosOf(pid) - cpu) / requests };
}

/** The processor time of a process, in hundredths of a second. @param {number} pid */
function cpuMicrosOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Interleaved rounds of one load on several subjects, so that other load on the machine affects all of them. A round in
 * which the generator was at its limit for one subject is voided for all.
 * @param {string} load
 * @param {readonly Subject[]} subjects
 * @param {number} [rounds]
 * @returns {Promise<Record<string, Round[]>>}
 */
export async function interleave(load, subjects, rounds = 5) {
  /** @type {Record<string, Round[]>} */
  const results = Object.fromEntries(subjects.map(({ name }) => [name, []]));
  for (const { name, url } of subjects) {
    // V8 compiles again what another load has not used, for some seconds.
    const { errors } = await wrk(load, url, { seconds: 4 });
    if (errors > 0) throw new Error(`${name} rejects the load ${load}: ${errors} requests failed`);
  }
  for (let round = 0; round < rounds; round++) {
    /** @type {[string, Round][]} */
    const measured = [];
    for (const subject of subjects) measured.push([subject.name, await roundOf(load, subject)]);
    const voiding = measured.find(([, { generatorBusy }]) => generatorBusy > 0.97);
    if (voiding === undefined) for (const [name, result] of measured) results[name]?.push(result);
    else console.error(`Voided a round: the generator was busy ${voiding[1].generatorBusy} on ${voiding[0]}`);
  }
  return results;
}

/**
 * How one subject compares with another, round by round: the median of the ratios, and their spread.
 * @param {readonly Round[]} of
 * @param {readonly Round[]} against
 * @param {"requestsPerSecond" | "cpuMicros"} [what]
 */
export function ratio(of, against, what = "requestsPerSecond") {
  const ratios = of.map((round, i) => (round[what] ?? Number.NaN) / (against[i]?.[what] ?? Number.NaN));
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}
