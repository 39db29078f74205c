import { cp, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PackageInUse, repository, usePackage } from "../consumers/package-in-use.js";
import { run, start } from "../consumers/processes.js";
import { needsBinaries } from "./binaries.js";
import { installInCache } from "./install-in-cache.mjs";
import { specOf, versionOf } from "./versions.js";

let inUse: PackageInUse;
beforeAll(async () => {
  inUse = await usePackage();
});
afterAll(() => inUse?.remove());

describe("a bundle", () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = await inUse.install("bundlers", ["esbuild@latest", "webpack@latest", "webpack-cli@latest"]);
  });
  beforeEach((context) => needsBinaries(context, cwd));
  const bin = (name: string) => `node_modules/.bin/${name}`;
  const esbuild = (from: string, out: string, ...more: string[]) =>
    run(bin("esbuild"), [from, "--bundle", "--platform=node", `--outfile=${out}`, ...more], { cwd });
  const webpack = (from: string, out: string, ...more: string[]) => {
    const output = ["--output-path", join(cwd, "webpack"), "--output-filename", out];
    const options = ["--mode", "none", "--target", "node20", "--entry", from, ...output];
    return run(bin("webpack"), [...options, ...more], { cwd });
  };
  const output = (file: string) => run(process.execPath, [file], { cwd });
  const complete = /^health ok, inspector 200: <!doctype html>/;
  const withoutInspector = /^health ok, inspector 404: .*The files of the inspector are missing/;

  it.each([
    ["an ES module", "esm", "esbuild.mjs"],
    ["CommonJS", "cjs", "converted.cjs"],
  ])(
    "made by esbuild from an ES module as %s works where the package is, and elsewhere prints what to do",
    async (_, format, file) => {
      await esbuild("esm.mjs", file, `--format=${format}`);
      expect(await output(file)).toMatch(complete);
      const elsewhere = await inUse.folder(format);
      await cp(join(cwd, file), join(elsewhere, file));
      await expect(run(process.execPath, [file], { cwd: elsewhere })).rejects.toThrow(
        "usergroup-mock cannot be part of a bundle. Keep it external, and install it where the bundle runs.",
      );
    },
  );

  it("made by esbuild as CommonJS works, and the missing inspector responds with what to do", async () => {
    await esbuild("commonjs.cjs", "esbuild.cjs", "--format=cjs");
    expect(await output("esbuild.cjs")).toMatch(withoutInspector);
    await esbuild("commonjs.cjs", "external.cjs", "--format=cjs", "--external:usergroup-mock");
    expect(await output("external.cjs")).toMatch(complete);
  });

  it.each(["./esm.mjs", "./commonjs.cjs"])(
    "made by webpack from %s works, and the missing inspector responds with what to do",
    async (from) => {
      await webpack(from, "main.cjs");
      expect(await output("webpack/main.cjs")).toMatch(withoutInspector);
    },
  );
});

describe("a project", () => {
  /** The files of a project for any package manager: it installs the tarball and vitest, and uses both. */
  async function prepare(name: string, more: object = {}): Promise<string> {
    const cwd = await inUse.folder(name);
    await cp(join(repository, "test/consumers/projects/package-managers"), cwd, { recursive: true });
    const versions = { vite: versionOf("vite@7"), vitest: versionOf("vitest@4") };
    const devDependencies = { "usergroup-mock": `file:${inUse.tarball}`, ...versions };
    const manifest = { name, private: true, type: "module", devDependencies, ...more };
    await writeFile(join(cwd, "package.json"), JSON.stringify(manifest));
    return cwd;
  }

  async function expectToWork(
    cwd: string,
    packageManager: string,
    execute: readonly string[],
  ): Promise<void> {
    const command = (...args: string[]) =>
      run("npm", ["exec", "--yes", "--prefer-offline", `--package=${packageManager}`, "--", ...args], {
        cwd,
      });
    await command(execute[0] ?? "", "install");
    expect(await command(...execute, "vitest", "run")).toMatch(/1 passed/);
    expect(await command(...execute, "node", "--test", "node-test.mjs")).toMatch(/^. pass 1$/m);
    expect(await command(...execute, "usergroup-mock", "--version")).toMatch(/^\d+\.\d+\.\d+$/m);
    const [line = ""] = /^\{.*\}$/m.exec(await command(...execute, "node", "entries.cjs")) ?? [];
    const { names, unresolved } = JSON.parse(line);
    expect(unresolved).toEqual([]);
    expect(names).toContain("./vitest");
  }

  it("of pnpm can import every entry, and its tests in vitest and node:test pass", async () => {
    await expectToWork(await prepare("pnpm"), specOf("pnpm@10"), ["pnpm", "exec"]);
  });

  it("of Yarn with Plug'n'Play can import every entry, and its tests in vitest and node:test pass", async () => {
    // Yarn resolves the packages of every platform, and a registry may lack some of the newest.
    const resolutions = {
      vite: versionOf("vite@7.1"),
      rollup: versionOf("rollup@4.50"),
      esbuild: versionOf("esbuild@0.25"),
    };
    const cwd = await prepare("yarn", { resolutions });
    await writeFile(join(cwd, "yarn.lock"), "");
    await writeFile(
      join(cwd, ".yarnrc.yml"),
      "nodeLinker: pnp\nenableTelemetry: false\nenableImmutableInstalls: false\n",
    );
    await expectToWork(cwd, specOf("@yarnpkg/cli-dist@latest"), ["yarn", "exec"]);
  });
});

describe("npm", () => {
  it.each(["npm@10", "npm@11"] as const)("%s installs the package without a warning", async (line) => {
    const cwd = await inUse.folder(line);
    await writeFile(join(cwd, "package.json"), '{ "private": true }');
    const args = ["exec", "--yes", `--package=${specOf(line)}`, "--", "npm", "install", inUse.tarball];
    const output = await run("npm", args, { cwd });
    expect(output).toContain("added 1 package");
    // The npm configuration of this machine may cause other warnings.
    const warnings = output
      .split("\n")
      .filter((line) => /warn/i.test(line) && !/Unknown \w+ config/.test(line));
    expect(warnings).toEqual([]);
  });
});

describe("TypeScript 5", () => {
  it("compiles an ES module and a CommonJS module that run as typed", async () => {
    const cwd = await inUse.install("typescript", ["typescript@5", "@types/node@20"]);
    await run(process.execPath, ["node_modules/typescript/bin/tsc"], { cwd });
    for (const file of ["esm.js", "commonjs.cjs"]) await run(process.execPath, [`compiled/${file}`], { cwd });
  });
});

describe("the tarball", () => {
  let tools: string;
  beforeAll(async () => {
    tools = await installInCache("package-tools", ["publint@latest", "@arethetypeswrong/cli@latest"]);
  });

  it("has no problems that publint finds", async () => {
    const load = createRequire(join(tools, "package.json"));
    const { publint } = load("publint");
    const { formatMessage } = load("publint/utils");
    const tarball = new Uint8Array(await readFile(inUse.tarball)).buffer;
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    expect(messages.map((message: object) => formatMessage(message, pkg))).toEqual([]);
  });

  it("has types that resolve from every kind of import", async () => {
    const attw = join(tools, "node_modules/@arethetypeswrong/cli/dist/index.js");
    const file = join(await inUse.folder("types"), "types.json");
    const args = [process.execPath, attw, inUse.tarball, "--format", "json"];
    // Into a file: it exits before a pipe has taken everything. It fails if there are problems: some are expected.
    await using checking = start("sh", ["-c", `exec "$@" > "${file}"`, "sh", ...args], { cwd: repository });
    await checking.ended();
    const { analysis } = JSON.parse(await readFile(file, "utf8"));
    expect(Object.keys(analysis.entrypoints)).toContain("./jest");
    // Entries that only vitest or `node --import` load, which import them.
    const importedOnly = ["./vitest", "./vitest/setup", "./node-test/setup"];
    expect(analysis.problems).toEqual(
      importedOnly.map((entrypoint) => ({
        kind: "CJSResolvesToESM",
        entrypoint,
        resolutionKind: "node16-cjs",
      })),
    );
  });
});
