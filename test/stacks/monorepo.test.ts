import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plain } from "../consumers/frameworks.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { blocksOfSection } from "../consumers/page-blocks.js";
import { run, start } from "../consumers/processes.js";

/** The section of docs/one-base-url.md: a config of vitest and a command of pnpm. */
const [config, command] = blocksOfSection("one-base-url.md", "Monorepos");

let inUse: PackageInUse;
let cwd: string;
beforeAll(async () => {
  inUse = await usePackage();
  cwd = await inUse.install("monorepo", ["vitest@4", "vite@7", "pnpm@10"]);
  await mkdir(join(cwd, ".git"));
  await writeFile(join(cwd, config?.file ?? ""), config?.text ?? "");
});
afterAll(() => inUse?.remove());

const asProjects = ["vitest", "run"];
const inEachDirectory = command?.text.trim().split(" ") ?? [];

/** The packages read different variables: one from its own config file, the other from that of the repository. */
describe("a monorepo with two packages", () => {
  it.each([
    ["as vitest projects", asProjects, inEachDirectory],
    ["each in its own directory", inEachDirectory, asProjects],
  ])("finds the config file and saves the report of each package: %s", async (_, words, otherWords) => {
    const report = join(cwd, "packages/shop/usergroup-mock-report");
    await rm(report, { recursive: true, force: true });
    await using running = start("npx", ["--no-install", ...words], { cwd, env: plain });
    expect(await running.ended(120_000), running.output()).toBe(1);
    expect(running.output()).toContain("expected 200 to be 201");
    expect(running.output()).toMatch(/orders\.test\.mjs.*1 test/);
    // The printed path is found from where the command was started.
    const [, path = ""] = /\(report: (\S+)\)/.exec(running.output()) ?? [];
    expect(dirname(resolve(cwd, path))).toBe(report);
    expect(await readdir(report)).toEqual([basename(path)]);
    expect(await readFile(resolve(cwd, path), "utf8")).toContain("creates a group (packages/shop)");
    expect(await readdir(join(cwd, "packages/orders"))).not.toContain("usergroup-mock-report");
    const found = await run("bash", ["-c", "shopt -s globstar; echo **/usergroup-mock-report"], { cwd });
    expect(found.trim()).toBe("packages/shop/usergroup-mock-report");
    // The test passes now, and was started elsewhere.
    await run("npx", ["--no-install", ...otherWords], { cwd, env: { ...plain, SHOP_STATUS: "200" } });
    expect(await readdir(report)).toEqual([]);
  });
});
