import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import express from "express";
import { afterAll, expect, it } from "vitest";
import { leftOut } from "../../src/build/left-out.mjs";
import { adminCall, adminCallIds } from "../../src/contract/admin-calls.js";
import { bin, startCli } from "../cli-process.js";

const repository = join(import.meta.dirname, "../..");

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-whole-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The command line with all that is left out of the built one. */
const { metafile } = await build({
  absWorkingDir: repository,
  entryPoints: ["src/index.ts", "src/bin.ts"],
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  banner: {
    js: 'import { createRequire as from } from "node:module"; const require = from(import.meta.url);',
  },
  metafile: true,
  logLevel: "silent",
});

it("leaves out nothing that would not be bundled anyway", () => {
  const bundled = Object.keys(metafile.inputs).join("\n");
  for (const name of Object.keys(leftOut)) expect(bundled).toContain(`node_modules/${name}/`);
});

it.each(["serve", "exec", "explore", "verify", "health"])(
  "prints the help of %s as it would with everything",
  (command) => {
    const help = (file: string) =>
      execFileSync(process.execPath, [file, command, "--help"], { encoding: "utf8" });
    expect(help(bin)).toBe(help(join(folder, "bin.mjs")));
  },
);

it("uses no helper of Express that needs what is left out", () => {
  const http = join(repository, "src/http");
  const code = readdirSync(http).map((file) => readFileSync(join(http, file), "utf8"));
  const used = ["protocol"];
  const helpers = [
    ...Object.getOwnPropertyNames(express.request).map((name) => `req.${name}`),
    ...Object.getOwnPropertyNames(express.response).map((name) => `res.${name}`),
  ].filter((name) => !used.includes(name.slice("req.".length)));
  expect(helpers).toContain("res.send");
  for (const helper of helpers)
    expect(code.join("\n")).not.toMatch(new RegExp(`\\b${helper.replace(".", "\\.")}\\b`));
});

/** What makes a server that uses Express ask for the packages that are left out. */
const headers = {
  Accept: "text/html;q=0.5, image/*",
  "Accept-Encoding": "gzip",
  Cookie: "a=b",
  "If-None-Match": '"a"',
  "If-Modified-Since": "Thu, 01 Jan 2026 00:00:00 GMT",
  Range: "bytes=0-1",
  "X-Forwarded-For": "203.0.113.1",
  "X-Forwarded-Proto": "https",
  "X-Forwarded-Host": "example.com",
};
const paths = [
  ...new Set(adminCallIds.map((id) => `/__admin${adminCall(id).path}`)),
  ...[
    "/__admin/",
    "/__admin",
    "/__admin/inspector.js",
    "/__admin/absent",
    "/__admin/%zz",
    "/__admin/requests/%zz",
  ],
  ...["/api/user", "/api/user/", "/videos", "/", "/absent", "/%zz"],
];
/** It answers only after five seconds. */
const isSlow = (method: string, path: string) => method === "POST" && path === "/__admin/requests/wait";
const methods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

it("answers every path and method of the built server without what is left out", async () => {
  await using cli = startCli(["--port", "0"]);
  const url = await cli.ready;
  for (const path of paths) {
    for (const method of methods) {
      if (isSlow(method, path)) continue;
      const query = path.endsWith("/events") ? "" : "?a[b]=c&a[d]=e";
      const answer = await fetch(`${url}${path}${query}`, { method, headers, redirect: "manual" });
      expect(answer.status, `${method} ${path}`).toBeLessThan(500);
      await answer.body?.cancel();
    }
  }
  expect(cli.stderr()).toBe("");
});
