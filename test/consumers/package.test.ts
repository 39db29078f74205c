import { readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getOrCreate } from "../call.js";
import { firstSteps, frameworks, testFramework } from "./frameworks.js";
import { type PackageInUse, repository, usePackage } from "./package-in-use.js";
import { run, start } from "./processes.js";
import { testSetUp } from "./set-ups.js";

const readyLine = /^usergroup-mock listening on (\S+)$/m;
const group = { user_group_id: "consumer", name: "Consumer" };

let inUse: PackageInUse;
beforeAll(async () => {
  inUse = await usePackage();
});
afterAll(() => inUse?.remove());

describe.concurrent("a strict TypeScript project with an ES module and a CommonJS module", () => {
  it("compiles, runs as typed, and exits", async () => {
    const cwd = await inUse.link("typescript", ["@types/node"]);
    const tsc = join(repository, "node_modules/typescript/bin/tsc");
    // What we bundle is not installed with the package, and its types are not there.
    expect(await run(process.execPath, [tsc, "--listFiles"], { cwd })).not.toContain("express");
    for (const file of ["esm.js", "commonjs.cjs"]) await run(process.execPath, [`compiled/${file}`], { cwd });
  });
});

describe.concurrent("npx", () => {
  it("runs the package without an installation, until SIGTERM", async () => {
    const cwd = await inUse.folder("npx");
    // npx never removes what it ran from its cache, so this test uses a temporary cache.
    const env = { npm_config_cache: await inUse.folder("npx-cache") };
    const args = ["exec", "--yes", "--offline", `--package=${inUse.tarball}`, "--", "usergroup-mock"];
    await using npx = start("npm", [...args, "--port", "0"], { cwd, env });
    const url = await npx.printed(readyLine);
    const { status, body } = await getOrCreate(url, group);
    expect([status, body.new_user_group]).toEqual([200, true]);
    npx.signal("SIGTERM");
    await npx.ended();
    await expect(getOrCreate(url, group)).rejects.toThrow("ECONNREFUSED");
  });
});

const { version }: { version: string } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));

describe("a project without dependencies", () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = await inUse.link("node-test");
    const { file } = firstSteps("node-test");
    await writeFile(join(cwd, file.file), file.text);
  });

  // test/stacks has the frameworks that Node does not include (smoke.test.ts), and every supported version.
  const projectOf = () => ({ cwd, node: process.execPath });
  testFramework("node-test", projectOf, [
    ...frameworks["node-test"].passing,
    "esm.test.mjs",
    "commonjs.test.cjs",
  ]);
  testSetUp("node-test", projectOf);

  it("installs one package and one command, which runs", async () => {
    const installed = await readdir(join(cwd, "node_modules"));
    expect(installed.sort()).toEqual([".bin", ".package-lock.json", "usergroup-mock"]);
    expect(await readdir(join(cwd, "node_modules/.bin"))).toEqual(["usergroup-mock"]);
    const printed = await run("node_modules/.bin/usergroup-mock", ["--version"], { cwd });
    expect(printed.trim()).toBe(version);
    const manifest: object = JSON.parse(
      await readFile(join(cwd, "node_modules/usergroup-mock/package.json"), "utf8"),
    );
    expect(Object.keys(manifest)).not.toContain("dependencies");
    expect(Object.keys(manifest)).not.toContain("optionalDependencies");
  });

  it("installs documents, schemas and fixtures, and no tests, sources, source maps or nested packages", async () => {
    const files = await readdir(join(cwd, "node_modules/usergroup-mock"), { recursive: true });
    const wanted = ["README.md", "LICENSE", "CHANGELOG.md", "docs/test-frameworks.md"];
    const read = ["schemas/fixture.json", "fixtures/default.json"];
    expect(files).toEqual(expect.arrayContaining([...wanted, ...read]));
    expect(files.filter((file) => /(^|\/)(test|src|node_modules)(\/|$)|\.map$|\.test\./.test(file))).toEqual(
      [],
    );
  });

  it("installs the lists of bundled packages, for an audit and with their licences", async () => {
    const installed = (file: string) => readFile(join(cwd, "node_modules/usergroup-mock", file), "utf8");
    const { inlinedDependencies } = JSON.parse(await installed("package.json"));
    const { components } = JSON.parse(await installed("sbom.cdx.json"));
    const notices = await installed("THIRD-PARTY-NOTICES");
    for (const name of ["express", "yargs", "preact"]) {
      expect(Object.keys(inlinedDependencies)).toContain(name);
      expect(components).toContainEqual(expect.objectContaining({ name }));
      expect(notices).toContain(`\n\n${name} ${inlinedDependencies[name]} (`);
    }
  });
});
