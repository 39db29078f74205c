// Finds, installs and starts the services, and starts a mock to compare with.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { root } from "../../../src/build/ensure-built.mjs";
import { installInCache } from "../install-in-cache.mjs";
import { teams } from "./steps.mjs";

/**
 * What a service.json has. In commands, `{folder}` is a copy of its folder and `{port}` the port.
 * @typedef {object} ServiceFile
 * @property {readonly string[]} start the command
 * @property {readonly import("../versions.js").Line[]} [packages] of npm
 * @property {string} [debian] packages of Debian
 * @property {readonly string[]} [check] a command that succeeds if they are installed
 * @property {readonly string[]} [build] a command that is run once before the first start
 */

/** @typedef {ServiceFile & { name: string, source: string, folder: string, isOwn: boolean }} Service */
/** @typedef {{ url: string, stop: () => Promise<void> }} Running */

const here = fileURLToPath(new URL(".", import.meta.url));

/**
 * The services of this folder, and of a further one.
 * @param {string} [further]
 * @returns {Service[]}
 */
export function findServices(further) {
  const own = servicesIn(here, (name) => join(root, ".cache", "services", name), true);
  if (further === undefined) return own;
  return [...own, ...servicesIn(further, (name) => join(further, name, ".run"), false)];
}

/**
 * @param {string} parent
 * @param {(name: string) => string} folderOf where a service is installed, built and started
 * @param {boolean} isOwn
 */
function servicesIn(parent, folderOf, isOwn) {
  const names = readdirSync(parent).filter((name) => existsSync(join(parent, name, "service.json")));
  return names.sort().map((name) => {
    const source = join(parent, name);
    /** @type {ServiceFile} */
    const file = JSON.parse(readFileSync(join(source, "service.json"), "utf8"));
    return { ...file, name, source, folder: folderOf(name), isOwn };
  });
}

/**
 * Installs and builds a service. Returns why it cannot be started here, if that is so.
 * @param {Service} service
 * @param {{ install: boolean }} options `install`: also packages of npm that are missing
 */
export async function prepare(service, { install }) {
  const { name, source, folder, packages, debian, check, build } = service;
  if (packages !== undefined && service.isOwn) {
    if (install) await installInCache(`services/${name}`, packages);
    if (!existsSync(join(folder, "installed.txt"))) return "its packages are not installed: add --install";
  }
  const [program = "", ...args] = check ?? [];
  if (check !== undefined && spawnSync(program, args, { stdio: "ignore" }).status !== 0) {
    return `Debian, Ubuntu: apt-get install --no-install-recommends ${debian}`;
  }
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(source)) {
    if (!file.startsWith(".")) cpSync(join(source, file), join(folder, file), { recursive: true });
  }
  if (build !== undefined) {
    const [compiler = "", ...flags] = fillIn(build, folder, 0);
    execFileSync(compiler, flags, { cwd: folder, stdio: ["ignore", 2, 2], timeout: 300_000 });
  }
  return undefined;
}

/**
 * @param {readonly string[]} command
 * @param {string} folder
 * @param {number} port
 */
function fillIn(command, folder, port) {
  return command.map((word) => word.replaceAll("{folder}", folder).replaceAll("{port}", String(port)));
}

/**
 * Starts a new instance of a service, without groups.
 * @param {Service} service
 * @returns {Promise<Running>}
 */
export async function startService({ name, start, folder }) {
  const port = await findPort();
  const temporary = mkdtempSync(join(tmpdir(), `service-${name}-`));
  const [first, second] = teams;
  const running = await startProgram(fillIn(start, folder, port), port, temporary, {
    PORT: String(port),
    API_TOKEN: String(first?.api_token),
    TEAM_ID: String(first?.team_id),
    SECOND_API_TOKEN: String(second?.api_token),
    SECOND_TEAM_ID: String(second?.team_id),
    STATE_FILE: join(temporary, "state.json"),
  });
  const stop = async () => {
    await running.stop();
    rmSync(temporary, { recursive: true, force: true });
  };
  return { url: running.url, stop };
}

/**
 * Starts a server, and returns when it responds.
 * @param {readonly string[]} command
 * @param {number} port
 * @param {string} cwd
 * @param {Readonly<Record<string, string>>} [variables]
 * @returns {Promise<Running>}
 */
export async function startProgram([file = "", ...args], port, cwd, variables = {}) {
  const child = spawn(file, args, {
    cwd,
    env: { ...env, ...variables },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    errors = `${errors}${text}`.slice(-4000);
  });
  /** @type {Promise<string>} */
  const ended = new Promise((resolve) => {
    child.once("error", (error) => resolve(String(error)));
    child.once("exit", (code) => resolve(`exit code ${code}`));
  });
  const stop = async () => {
    // Then another program has responded at this port, or none.
    if (child.exitCode !== null) throw new Error(`${file} ended by itself (${await ended}): ${errors}`);
    child.kill("SIGKILL");
    await ended;
  };
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const reason = await Promise.race([ended, wait(50)]);
    if (reason !== undefined) throw new Error(`${file} ended (${reason}): ${errors}`);
    if (await responds(url)) return { url, stop };
  }
  await stop();
  throw new Error(`${file} did not respond within a minute: ${errors}`);
}

/** @param {string} url */
async function responds(url) {
  try {
    await (await fetch(url, { signal: AbortSignal.timeout(5000) })).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/**
 * A free port below those that the system gives to programs which ask for any: between this check and the start of the
 * service, no other program gets it.
 * @returns {Promise<number>}
 */
export async function findPort() {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(port)) return port;
  }
  throw new Error("Found no free port in 100 attempts.");
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
