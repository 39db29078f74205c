// The time of an import of the package, and of an import with the first start. Each in a new process that has loaded
// node:http already, interleaved, so that other load on the machine affects all of them.
import { fileURLToPath } from "node:url";
import { run } from "./started.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const rounds = 21;

const listening = 'app.listen(0, "127.0.0.1", resolve)';
const programs = {
  express: 'await import("express")',
  expressListening: `const { default: express } = await import("express");
    const app = express();
    app.get("/api/user", (_req, res) => res.json({ hello: "world" }));
    await new Promise((resolve) => ${listening})`,
  esm: 'await import("usergroup-mock")',
  cjs: 'require("usergroup-mock")',
  esmStarted: 'await (await import("usergroup-mock")).startMock()',
  cjsStarted: 'await require("usergroup-mock").startMock()',
  jest: 'await import("usergroup-mock/jest")',
  playwright: 'await import("usergroup-mock/playwright")',
};

/** A program with the Playwright entry has loaded this already. The vitest entry can be loaded only in a test run. */
const playwrightTest = 'import "@playwright/test";';

/** @typedef {keyof typeof programs} Program */

/**
 * Milliseconds of every round, by program.
 * @param {NodeJS.ProcessEnv} [env] further environment variables
 * @returns {Promise<Record<Program, number[]>>}
 */
export async function importTimes(env = {}) {
  const names = /** @type {Program[]} */ (Object.keys(programs));
  const times = /** @type {Record<Program, number[]>} */ (
    Object.fromEntries(names.map((name) => [name, /** @type {number[]} */ ([])]))
  );
  for (let round = 0; round < rounds; round++) {
    for (const name of names) times[name].push(await importTime(name, env));
  }
  return times;
}

/** @param {Program} name @param {NodeJS.ProcessEnv} env */
async function importTime(name, env) {
  const code = `import "node:http";
    ${name === "playwright" ? playwrightTest : ""}
    import { createRequire } from "node:module";
    const require = createRequire(${JSON.stringify(`${root}package.json`)});
    const began = performance.now();
    ${programs[name]};
    console.log(performance.now() - began);
    process.exit();`;
  const options = { cwd: root, env: { ...process.env, ...env } };
  return Number(await run(process.execPath, ["--input-type=module", "-e", code], options));
}
