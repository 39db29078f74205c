import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { bin, startNode } from "../cli-process.js";

const dist = join(import.meta.dirname, "../../dist");
const index = join(dist, "cjs/index.js");

/** The files of the package and the modules of Node that a program has loaded. */
function loadedBy(program: string): { own: string[]; builtin: string[] } {
  const report = `console.log(JSON.stringify({
    own: Object.keys(require.cache),
    builtin: process.moduleLoadList.map((entry) => entry.replace("NativeModule ", "")),
  }))`;
  const code = `(async () => { ${program}; ${report}; process.exit() })()`;
  const { own, builtin } = JSON.parse(execFileSync(process.execPath, ["-e", code], { encoding: "utf8" }));
  return { own: own.filter((file: string) => file.startsWith(dist)), builtin };
}

const startMock = `const { startMock } = require(${JSON.stringify(index)}); const start = startMock`;
/** A file that is loaded on demand has the name of its module: overlay loads ajv. */
const names = (files: string[]) => files.map((file) => basename(file).replace(/-\w+\.js$/, ""));

const encodings = "encodings.js";

// Node scans the whole CommonJS file that an ES module imports.
it("the ES module entries import only small CommonJS files", () => {
  const esm = join(dist, "esm");
  const entries = readdirSync(esm, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".js"),
  );
  expect(entries).toContain("index.js");
  for (const entry of entries.map((file) => join(esm, file))) {
    for (const [, from = ""] of readFileSync(entry, "utf8").matchAll(/ from "(\.[^"]+)"/g)) {
      expect(statSync(join(dirname(entry), from)).size, from).toBeLessThan(40_000);
    }
  }
});

it("the package loads neither Express nor validators before the first start", () => {
  const { own, builtin } = loadedBy(startMock);
  expect(names(own)).toContain("index.js");
  for (const name of ["express", "validators"]) expect(names(own)).not.toContain(name);
  expect(builtin).toContain("http");
});

// Each file takes longer than its code: with 16 of them, an import took a sixth longer.
it("an import loads at most five files", () => {
  expect(loadedBy(startMock).own.length).toBeLessThanOrEqual(5);
});

it("a mock without profile and HTTPS loads neither the validator of profiles nor TLS, nor encodings other than those of Node", () => {
  const { own, builtin } = loadedBy(`${startMock}; const mock = await start(); await mock.reset()`);
  expect(names(own)).toContain("validators");
  for (const name of ["profile-validator", encodings]) expect(names(own)).not.toContain(name);
  expect(names(readdirSync(dirname(index)))).toContain(encodings);
  for (const name of ["tls", "https"]) expect(builtin).not.toContain(name);
});

it("the validators of fixtures and of the admin API are loaded for the first that is used", () => {
  const started = `${startMock}; const mock = await start()`;
  const request = "await fetch(mock.url + '/api/user', { method: 'POST', body: '{}' })";
  expect(names(loadedBy(`${started}; ${request}`).own)).not.toContain("input-validators");
  expect(names(loadedBy(`${started}; await mock.reset()`).own)).toContain("input-validators");
});

it("what a start loads on demand uses neither our classes nor the clock: Jest would load them again after resetModules", () => {
  const profile = JSON.stringify({ situations: { "POST: unknown field": "rejected" } });
  const imported = loadedBy(`require(${JSON.stringify(index)})`).own;
  const started = loadedBy(`${startMock}; const mock = await start({ profile: ${profile} });
    await (await fetch(mock.url + "/__admin/openapi.json")).json()`).own;
  const onDemand = started.filter((file) => !imported.includes(file) && file.endsWith(".js"));
  expect(names(onDemand)).toEqual(
    expect.arrayContaining(["express", "validators", "profile-validator", "openapi-document"]),
  );
  for (const file of onDemand) {
    for (const [, chunk = ""] of readFileSync(file, "utf8").matchAll(/require\("\.\/(chunk-[^"]+)"\)/g)) {
      const shared = readFileSync(join(dirname(file), chunk), "utf8");
      expect(shared, `${basename(file)} requires ${chunk}`).not.toMatch(/\bclass \w+ |hrtime/);
    }
  }
});

it("requests to the service are routed by Express, as its debug output shows", async () => {
  await using cli = startNode([bin, "--port", "0"], { env: { ...process.env, DEBUG: "router*" } });
  await fetch(`${await cli.ready}/worlds/w/api/user`);
  await expect.poll(cli.stderr).toMatch(/router dispatching GET \/api\/user/);
});
