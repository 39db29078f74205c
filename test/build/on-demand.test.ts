import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { startNode } from "../cli-process.js";

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
/** Of a file that is loaded on demand, the name is that of its module; ajv/dist/2020.js is ajv. */
const names = (files: string[]) => files.map((file) => basename(file).replace(/-\w+\.js$/, ""));

// Node reads all of a CommonJS file that an ES module imports.
it("gives Node little to scan for export names", () => {
  const esm = join(dist, "esm");
  const entries = readdirSync(esm, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".js"),
  );
  expect(entries).toContain("index.js");
  for (const entry of entries.map((file) => join(esm, file))) {
    for (const [, from = ""] of readFileSync(entry, "utf8").matchAll(/ from "(\.[^"]+)"/g)) {
      expect(statSync(join(dirname(entry), from)).size, from).toBeLessThan(20_000);
    }
  }
});

it("loads neither Express nor validators before the first start", () => {
  const { own, builtin } = loadedBy(startMock);
  expect(names(own)).toContain("index.js");
  for (const name of ["express", "validators"]) expect(names(own)).not.toContain(name);
  expect(builtin).toContain("http");
});

it("loads neither Express nor ajv nor TLS nor zlib for a mock that needs none", () => {
  const { own, builtin } = loadedBy(`${startMock}; const mock = await start(); await mock.reset()`);
  expect(names(own)).toContain("validators");
  for (const name of ["express", "2020"]) expect(names(own)).not.toContain(name);
  for (const name of ["tls", "https", "zlib"]) expect(builtin).not.toContain(name);
});

it("loads Express for the first admin call over HTTP", () => {
  const { own } = loadedBy(`${startMock}; await fetch(\`\${(await start()).url}/__admin/health\`)`);
  expect(names(own)).toContain("express");
});

it("loads Express later, when the package was just being replaced", async () => {
  const copy = mkdtempSync(join(tmpdir(), "usergroup-mock-replaced-"));
  cpSync(dist, join(copy, "dist"), { recursive: true });
  const files = join(copy, "dist/cjs");
  const express = readdirSync(files).find((file) => file.startsWith("express-")) ?? "";
  await using cli = startNode([join(files, "bin.js"), "--port", "0"]);
  const health = async () => (await fetch(`${await cli.ready}/__admin/health`)).status;
  await cli.ready;
  renameSync(join(files, express), join(copy, express));
  expect(await health()).toBe(500);
  await expect.poll(cli.stderr).toContain(express);
  renameSync(join(copy, express), join(files, express));
  expect(await health()).toBe(200);
  rmSync(copy, { recursive: true });
});

it.each([
  ["--version", []],
  ["exec --help", []],
  ["health --port 1", ["health"]],
  ["verify", ["verify"]],
])("loads for usergroup-mock %s only the code that it runs", (line, expected) => {
  const bin = JSON.stringify(join(dist, "cjs/bin.js"));
  const report = 'process.on("exit", () => console.error(Object.keys(require.cache).join("\\n")))';
  const args = ["-e", `${report}; require(${bin})`, "usergroup-mock", ...line.split(" ")];
  const loaded = names(spawnSync(process.execPath, args, { encoding: "utf8" }).stderr.split("\n"));
  const commands = ["serve", "exec", "health", "explore", "verify"];
  expect(loaded).toContain("bin.js");
  expect(loaded.filter((name) => commands.includes(name))).toEqual(expected);
});

it("loads ajv for schemas of the user", () => {
  const schemas = JSON.stringify(join(import.meta.dirname, "../contract/stricter-schemas"));
  const { own } = loadedBy(`${startMock}; await start({ schemas: ${schemas} })`);
  expect(names(own)).toContain("2020");
});
