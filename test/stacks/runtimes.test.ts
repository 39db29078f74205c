import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getOrCreate } from "../call.js";
import { type PackageInUse, repository, usePackage } from "../consumers/package-in-use.js";
import { run, start } from "../consumers/processes.js";
import { type RuntimeLine, runtimeOf } from "./runtimes.js";
import { versionOf } from "./versions.js";

const supported: readonly RuntimeLine[] = ["node@20.19.0", "node@20", "node@22", "node@24", "node@latest"];
const tooOld: readonly RuntimeLine[] = ["node@18", "node@20.18"];

const readyLine = /^usergroup-mock listening on (\S+)$/m;
const { version }: { version: string } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));

let inUse: PackageInUse;
let nodeTests: string;
beforeAll(async () => {
  inUse = await usePackage();
  nodeTests = await inUse.link("node-test");
});
afterAll(() => inUse?.remove());

describe.each(supported)("the package on %s", (line) => {
  it("passes its node:test files, and they exit", async (context) => {
    const node = await runtimeOf(context, line);
    for (const file of ["esm.test.mjs", "commonjs.test.cjs"])
      await run(node.path, ["--test", file], { cwd: nodeTests });
  });

  it("runs the command line, until SIGTERM", async (context) => {
    const node = await runtimeOf(context, line);
    const bin = "node_modules/usergroup-mock/bin/usergroup-mock.cjs";
    expect((await run(node.path, [bin, "--version"], { cwd: nodeTests })).trim()).toBe(version);
    await using serving = start(node.path, [bin, "--port", "0"], { cwd: nodeTests });
    const group = { user_group_id: "consumer", name: "Consumer" };
    const { body } = await getOrCreate(await serving.printed(readyLine), group);
    expect(body.new_user_group).toBe(true);
    serving.signal("SIGTERM");
    expect(await serving.ended()).toBe(143);
  });
});

describe.each(tooOld)("the package on %s, which is too old", (line) => {
  it("reports the supported versions in one line", async (context) => {
    const node = await runtimeOf(context, line);
    const message = new RegExp(
      `^usergroup-mock needs Node 20.19 or later, but this is v${versionOf(line)}\\S*\\. Install a newer Node\\.$`,
    );
    const bin = "node_modules/usergroup-mock/bin/usergroup-mock.cjs";
    await using cli = start(node.path, [bin, "--port", "0"], { cwd: nodeTests });
    expect(await cli.ended()).toBe(1);
    expect(cli.output().trim()).toMatch(message);
    const required = 'try { require("usergroup-mock") } catch (error) { console.log(error.stack) }';
    expect((await run(node.path, ["-e", required], { cwd: nodeTests })).trim()).toMatch(message);
  });
});
