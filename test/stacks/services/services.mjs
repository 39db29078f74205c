// How each service is installed and started.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, execPath } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { root } from "../../../src/build/ensure-built.mjs";
import { installInCache } from "../install-in-cache.mjs";

/** The teams of every service, and of the mock that is compared with it. */
export const teams = [
  { team_id: 3, api_token: "first-team-api-token" },
  { team_id: 8, api_token: "second-team-api-token" },
];

/**
 * @typedef {object} Service
 * @property {string} name also that of its folder
 * @property {readonly import("../versions.js").Line[]} [packages] of npm
 * @property {string} [debian] packages of Debian
 * @property {() => boolean} [isInstalled] for those of Debian
 * @property {(folder: string, port: number) => readonly string[]} command `folder` is that of its files
 */

const here = fileURLToPath(new URL(".", import.meta.url));

/** @param {string} name */
const cacheOf = (name) => join(root, ".cache", "services", name);

/** @param {readonly string[]} command */
const succeeds = ([file = "", ...args]) => spawnSync(file, args, { stdio: "ignore" }).status === 0;

/** @type {Map<string, string | undefined>} */
const pythons = new Map();

/**
 * The Python that has these modules: that of Debian may be hidden by another one.
 * @param {string} modules
 */
function pythonWith(modules) {
  if (!pythons.has(modules)) {
    const has = (/** @type {string} */ python) => succeeds([python, "-c", `import ${modules}`]);
    pythons.set(modules, ["python3", "/usr/bin/python3"].find(has));
  }
  return pythons.get(modules);
}

/**
 * @param {string} name
 * @param {readonly import("../versions.js").Line[]} packages
 * @returns {Service}
 */
function nodeService(name, packages) {
  const file = "server.mjs";
  return {
    name,
    packages,
    command: (folder) => {
      // From here it finds its packages.
      copyFileSync(join(folder, file), join(cacheOf(name), file));
      return [execPath, join(cacheOf(name), file)];
    },
  };
}

/**
 * @param {string} name
 * @param {string} modules
 * @param {string} debian
 * @returns {Service}
 */
function pythonService(name, modules, debian) {
  return {
    name,
    debian,
    isInstalled: () => pythonWith(modules) !== undefined,
    command: (folder) => [String(pythonWith(modules)), "-B", join(folder, "server.py")],
  };
}

/** @type {readonly Service[]} */
export const services = [
  nodeService("express", ["express@5", "zod@4"]),
  nodeService("fastify", ["fastify@5"]),
  nodeService("hapi", ["@hapi/hapi@21", "@hapi/boom@10", "joi@18"]),
  nodeService("koa", ["koa@3", "@koa/router@15", "@koa/bodyparser@6"]),
  {
    name: "nestjs",
    packages: [
      "@nestjs/common@11",
      "@nestjs/core@11",
      "@nestjs/platform-express@11",
      "class-transformer@0.5",
      "class-validator@0.15",
      "reflect-metadata@0.2",
      "rxjs@7",
      "typescript@5",
    ],
    command: (folder) => {
      const main = join(cacheOf("nestjs"), "main.js");
      const typescript = createRequire(main)("typescript");
      // Nest needs the types of parameters at run time: esbuild does not write them.
      const compilerOptions = {
        target: "ES2022",
        module: "CommonJS",
        esModuleInterop: true,
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
        useDefineForClassFields: false,
      };
      const source = readFileSync(join(folder, "main.ts"), "utf8");
      writeFileSync(main, typescript.transpileModule(source, { compilerOptions }).outputText);
      return [execPath, main];
    },
  },
  pythonService("django-rest-framework", "rest_framework", "python3-djangorestframework"),
  pythonService("fastapi", "fastapi, uvicorn", "python3-fastapi python3-uvicorn"),
  pythonService("flask", "flask", "python3-flask"),
  {
    name: "sinatra",
    debian: "ruby-sinatra puma",
    isInstalled: () => succeeds(["ruby", "-e", "require 'sinatra/base'; require 'puma'"]),
    command: (folder) => ["ruby", join(folder, "server.rb")],
  },
  {
    name: "rails",
    debian: "ruby-railties ruby-activemodel puma",
    isInstalled: () =>
      succeeds(["ruby", "-e", "require 'action_controller/railtie'; require 'active_model'; require 'puma'"]),
    command: (folder, port) => {
      const bind = ["--bind", `tcp://127.0.0.1:${port}`];
      return ["puma", "--quiet", "--threads", "1:1", ...bind, join(folder, "config.ru")];
    },
  },
  {
    name: "php",
    debian: "php-cli",
    isInstalled: () => succeeds(["php", "--version"]),
    command: (folder, port) => ["php", "-S", `127.0.0.1:${port}`, join(folder, "index.php")],
  },
  {
    name: "go",
    debian: "golang-go",
    isInstalled: () => succeeds(["go", "version"]),
    command: (folder) => {
      const program = join(cacheOf("go"), "server");
      mkdirSync(cacheOf("go"), { recursive: true });
      execFileSync("go", ["build", "-o", program, join(folder, "main.go")], { stdio: ["ignore", 2, 2] });
      return [program];
    },
  },
];

/**
 * Why a service cannot be started here; with `install`, its packages of npm are installed first.
 * @param {Service} service
 * @param {{ install: boolean }} options
 * @returns {Promise<string | undefined>}
 */
export async function whyMissing({ name, packages, debian, isInstalled }, { install }) {
  if (packages !== undefined) {
    if (install) await installInCache(`services/${name}`, packages);
    const isThere = existsSync(join(cacheOf(name), "installed.txt"));
    return isThere ? undefined : "its packages are not installed: add --install";
  }
  return isInstalled?.() ? undefined : `Debian, Ubuntu: apt-get install --no-install-recommends ${debian}`;
}

/**
 * @typedef {object} Running
 * @property {string} url
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a new instance of a service, without groups.
 * @param {Service} service
 * @returns {Promise<Running>}
 */
export async function startService(service) {
  const port = await findPort();
  const temporary = mkdtempSync(join(tmpdir(), `service-${service.name}-`));
  const [first, second] = teams;
  const running = await startProgram(service.command(join(here, service.name), port), {
    port,
    cwd: temporary,
    variables: {
      PORT: String(port),
      API_TOKEN: String(first?.api_token),
      TEAM_ID: String(first?.team_id),
      SECOND_API_TOKEN: String(second?.api_token),
      SECOND_TEAM_ID: String(second?.team_id),
      STATE_FILE: join(temporary, "state.json"),
    },
  });
  return {
    url: running.url,
    stop: async () => {
      await running.stop();
      rmSync(temporary, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a server, and returns when it responds.
 * @param {readonly string[]} command
 * @param {{ port: number, cwd: string, variables?: Readonly<Record<string, string>> }} options
 * @returns {Promise<Running>}
 */
export async function startProgram([file = "", ...args], { port, cwd, variables }) {
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
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const reason = await Promise.race([ended, wait(100)]);
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

/** @returns {Promise<number>} */
export function findPort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
