// Runs verify against a service, and counts what it costs.
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { execPath } from "node:process";
import { root } from "../../../src/build/ensure-built.mjs";
import { findPort, startProgram, startService } from "./services.mjs";
import { teams } from "./steps.mjs";

/** @typedef {import("./services.mjs").Service} Service */
/** @typedef {{ exitCode: number, output: string, seconds: number, requests: number, groups: number }} Run */

export const cli = join(root, "bin/usergroup-mock.cjs");

/**
 * Learns `profile.json`, then compares a restarted service with it, and the one that still has the groups of the first run.
 * @param {Service} service
 * @param {string} folder
 */
export async function learn(service, folder) {
  const learnt = await startService(service);
  try {
    const first = await runVerify(learnt.url, ["--out", "profile.json"], folder);
    const again = await runVerify(learnt.url, ["--expect", "profile.json"], folder);
    const fresh = await startService(service);
    try {
      const restarted = await runVerify(fresh.url, ["--expect", "profile.json"], folder);
      return { first, restarted, again };
    } finally {
      await fresh.stop();
    }
  } finally {
    await learnt.stop();
  }
}

/**
 * @param {string} url
 * @param {readonly string[]} flags
 * @param {string} cwd
 * @returns {Promise<Run>}
 */
async function runVerify(url, flags, cwd) {
  const counter = await startCounter(url);
  const [first, second] = teams.map(({ api_token }) => String(api_token));
  const tokens = ["--api-token", String(first), "--second-api-token", String(second)];
  const args = [cli, "verify", "--against", counter.url, ...tokens, "--yes", ...flags];
  const started = performance.now();
  try {
    const { exitCode, output } = await runCommand(args, cwd);
    const seconds = (performance.now() - started) / 1000;
    return { exitCode, output, seconds, ...counter.counted };
  } finally {
    await counter.stop();
  }
}

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<{ exitCode: number, output: string }>} 124 if it took five minutes
 */
function runCommand(args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    const deadline = setTimeout(() => child.kill("SIGKILL"), 300_000);
    child.once("error", reject);
    child.once("close", (exitCode) => {
      clearTimeout(deadline);
      resolve({ exitCode: exitCode ?? 124, output });
    });
  });
}

/**
 * Passes bytes through unchanged, and counts requests and new groups in them.
 * @param {string} url
 */
async function startCounter(url) {
  const counted = { requests: 0, groups: 0 };
  /** @type {Set<import("node:net").Socket>} */
  const sockets = new Set();
  const server = createServer((client) => {
    const service = connect(Number(new URL(url).port), "127.0.0.1");
    const countRequests = counting(/^[A-Z]+ \S+ HTTP\/1\.1\r\n/gm, () => {
      counted.requests += 1;
    });
    const countGroups = counting(/"new_user_group"\s*:\s*true/g, () => {
      counted.groups += 1;
    });
    client.on("data", countRequests);
    service.on("data", countGroups);
    client.pipe(service);
    service.pipe(client);
    for (const socket of [client, service]) {
      sockets.add(socket);
      // When one side breaks, so does the other.
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        service.destroy();
      });
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(() => resolve(undefined)));
  };
  return { url: `http://127.0.0.1:${port}`, counted, stop };
}

/**
 * Finds a pattern in pieces of text, also across two of them.
 * @param {RegExp} pattern
 * @param {() => void} found
 */
function counting(pattern, found) {
  let rest = "";
  return (/** @type {Buffer} */ piece) => {
    const text = rest + piece.toString("latin1");
    let end = 0;
    for (const match of text.matchAll(pattern)) {
      found();
      end = match.index + match[0].length;
    }
    rest = text.slice(Math.max(end, text.length - 200));
  };
}

/**
 * A mock with the teams of the services, no groups, and the profile, if there is one.
 * @param {string} folder
 * @param {readonly string[]} profiles
 */
export async function startMock(folder, profiles) {
  const port = await findPort();
  const flags = ["--port", String(port), "--log", "silent", "--fixtures", join(folder, "teams.json")];
  const known = profiles.flatMap((profile) => ["--profile", profile]);
  return startProgram([execPath, cli, ...flags, ...known], port, folder);
}
