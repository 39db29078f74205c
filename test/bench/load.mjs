// Puts load on a server with wrk, from another core than the server's, and sees to it that the load is honest.
import { spawn } from "node:child_process";
import { once } from "node:events";

/** The core of the servers, and that of the load. */
const serverCore = "0";
const loadCore = "1";

/**
 * A server in a process of its own, once it listens.
 * @typedef {{ name: string, url: string, pid: number, stop: () => Promise<void> }} Subject
 */

/**
 * @param {string} name
 * @param {string[]} args of node
 * @param {{ env?: NodeJS.ProcessEnv, ready?: RegExp, port: number, command?: string }} options
 * @returns {Promise<Subject>}
 */
export async function startSubject(
  name,
  args,
  { env, ready = /listening/, port, command = process.execPath },
) {
  const child = spawn("taskset", ["-c", serverCore, command, ...args], {
    env: { ...process.env, PORT: String(port), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (part) => {
        output += part;
        if (ready.test(output)) resolve(undefined);
      });
    }
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`${name} did not start: ${output}`)));
  });
  const exited = once(child, "exit");
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/**
 * @typedef {{ callsPerSecond: number, p50Ms: number, p99Ms: number, errors: number, generatorBusy: number }} Round
 */

let runs = 0;

/**
 * One round of load.
 * @param {string} load the name of a script in loads/
 * @param {string} url
 * @param {{ seconds?: number, connections?: number, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<Round>}
 */
export async function wrk(load, url, { seconds = 3, connections = 32, env = {} } = {}) {
  const script = new URL(`loads/${load}.lua`, import.meta.url).pathname;
  const command =
    `TIMEFORMAT='busy %U %S %R'; time taskset -c ${loadCore} ` +
    `wrk -t1 -c${connections} -d${seconds}s --latency -s ${script} ${url}/api/user`;
  const child = spawn("bash", ["-c", command], { env: { ...process.env, RUN: String(++runs), ...env } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += part));
  await once(child, "close");
  const number = (/** @type {RegExp} */ pattern) => Number(pattern.exec(output)?.[1] ?? Number.NaN);
  const ms = (/** @type {string} */ percent) => {
    const [, value, unit] = new RegExp(`^\\s+${percent}%\\s+([\\d.]+)(us|ms|s)$`, "m").exec(output) ?? [];
    return Number(value) * { us: 0.001, ms: 1, s: 1000 }[/** @type {"us" | "ms" | "s"} */ (unit)];
  };
  const [, user, system, real] = /busy ([\d.]+) ([\d.]+) ([\d.]+)/.exec(output) ?? [];
  const callsPerSecond = number(/Requests\/sec:\s+([\d.]+)/);
  if (!(callsPerSecond > 0)) throw new Error(`wrk could not put load on ${url}: ${output}`);
  const refused = number(/Non-2xx or 3xx responses: (\d+)/) || 0;
  const [, connect = 0, read = 0, write = 0, timeout = 0] =
    /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output) ?? [];
  const broken = [connect, read, write, timeout].reduce(
    (/** @type {number} */ sum, part) => sum + Number(part),
    0,
  );
  return {
    callsPerSecond,
    p50Ms: ms("50"),
    p99Ms: ms("99"),
    errors: (load === "failure" ? 0 : refused) + broken,
    generatorBusy: (Number(user) + Number(system)) / Number(real),
  };
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Interleaved rounds of one load on several subjects: what disturbs the machine disturbs all of them. A round in
 * which the generator itself was at its limit says nothing of the server, and is voided.
 * @param {string} load
 * @param {readonly Subject[]} subjects
 * @param {{ rounds?: number, seconds?: number, env?: NodeJS.ProcessEnv, load?: (name: string) => string }} [options]
 * @returns {Promise<Record<string, Round[]>>}
 */
export async function interleave(load, subjects, { rounds = 5, seconds = 3, env = {} } = {}) {
  /** @type {Record<string, Round[]>} */
  const results = Object.fromEntries(subjects.map(({ name }) => [name, []]));
  for (const { url } of subjects) await wrk(load, url, { seconds: 1, env });
  for (let round = 0; round < rounds; round++) {
    for (const { name, url } of subjects) {
      const result = await wrk(load, url, { seconds, env });
      if (result.generatorBusy > 0.97)
        console.error(`voided: the generator was busy ${result.generatorBusy} on ${name}`);
      else results[name]?.push(result);
    }
  }
  return results;
}

/**
 * How one subject compares with another, round by round: the median of the ratios, and their spread.
 * @param {readonly Round[]} of
 * @param {readonly Round[]} against
 */
export function ratio(of, against) {
  const ratios = of.map((round, i) => round.callsPerSecond / (against[i]?.callsPerSecond ?? Number.NaN));
  const known = ratios.filter((value) => !Number.isNaN(value));
  return { median: median(known), least: Math.min(...known), most: Math.max(...known) };
}
