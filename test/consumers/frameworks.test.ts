import { readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type FrameworkStack,
  failingFiles,
  frameworkFiles,
  frameworkStacks,
  refusedStacks,
  runners,
  sections,
} from "./framework-stacks.js";
import { type PackageInUse, pack, repository } from "./package-in-use.js";
import { blocksOf, sectionOf } from "./page-blocks.js";
import { run, start } from "./processes.js";
import { findRuntime } from "./runtimes.js";

/** Set by `npm run test:frameworks`: every version that is supported, and some that are not. */
const all = process.env.FRAMEWORKS === "all";

const nameOfStack = ({ framework, packages: [first = ""], node }: FrameworkStack) =>
  `${first || framework} on Node.js ${node}`;
const chosen = frameworkStacks.filter(({ isQuick }) => all || isQuick);
const left = frameworkStacks.filter((stack) => !chosen.includes(stack));

let inUse: PackageInUse;
beforeAll(async () => {
  inUse = await pack();
  if (left.length > 0) {
    console.warn(`Not tried here, but by npm run test:frameworks: ${left.map(nameOfStack).join(", ")}`);
  }
});
afterAll(() => inUse?.remove());

/** A Node.js, or a failure that says why there is none. */
async function nodeOf(version: string): Promise<string> {
  const runtime = await findRuntime("node", version);
  return "missing" in runtime ? expect.fail(runtime.missing) : runtime.path;
}

const plain = { NO_COLOR: "1", FORCE_COLOR: "0", NODE_NO_WARNINGS: "1" };

const page = await readFile(join(repository, "docs/test-frameworks.md"), "utf8");

/** The commands of the page, with this package and this version, in an empty folder. */
async function commandsOf({ framework, packages: [first = ""], node }: FrameworkStack, name: string) {
  const { heading, installs } = sections[framework];
  const [install, file, test, ...others] = blocksOf(sectionOf(page, heading));
  if (install === undefined || file === undefined || test === undefined || others.length > 0) {
    return expect.fail(`${heading}: a command to install, a file and a command to test are expected`);
  }
  const line = `npm install --save-dev usergroup-mock${installs}`;
  expect(install).toMatchObject({ language: "sh", text: `${line}\n` });
  const cwd = await inUse.folder(name.replace(/\W+/g, "-"));
  const path = await nodeOf(node);
  const env = {
    PATH: `${dirname(path)}${delimiter}${process.env.PATH}`,
    npm_config_prefer_offline: "true",
    ...{ npm_config_audit: "false", npm_config_fund: "false" },
    ...plain,
  };
  return {
    cwd,
    node: path,
    file,
    install: () =>
      run("bash", ["-c", line.replace(`usergroup-mock${installs}`, `${inUse.tarball} ${first}`)], {
        cwd,
        env,
      }),
    writeFile: () => writeFile(join(cwd, file.file), file.text),
    test: () => run("bash", ["-c", test.text], { cwd, env }),
  };
}

const took: Record<string, object> = {};
afterAll(() => {
  if (all) console.table(took);
});

describe.each(chosen.map((stack) => [nameOfStack(stack), stack] as const))("%s", (name, stack) => {
  const { framework } = stack;
  let cwd: string;
  let node: string;

  it("is set up, and passes its first test, with the commands of the page", async () => {
    const commands = await commandsOf(stack, name);
    ({ cwd, node } = commands);
    const start = performance.now();
    await commands.install();
    await commands.writeFile();
    const installed = performance.now();
    expect(await commands.test()).toMatch(/1 passed|pass 1/);
    const seconds = (from: number, to: number) => Number(((to - from) / 1000).toFixed(1));
    took[name] = {
      install: seconds(start, installed),
      test: seconds(installed, performance.now()),
      lines: commands.file.text.trim().split("\n").length,
    };
  });

  it("passes and ends by itself, with nothing left open", async () => {
    await inUse.copy(framework, cwd);
    const output = await run(node, runners[framework](frameworkFiles[framework]), { cwd, env: plain });
    expect(output).toMatch(/[1-9]\d* passed|pass [1-9]/);
    expect(output).not.toMatch(/did not exit|failed to exit|force exited|open handle|timed out|hanging/);
  });

  it("is typed: right uses compile, wrong ones do not", async () => {
    const tsc = join(repository, "node_modules/typescript/bin/tsc");
    const types = ["--typeRoots", join(repository, "node_modules/@types"), "--types", "node"];
    const strict = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2023", "--module", "nodenext"];
    const lib = ["--lib", "es2023,dom,esnext.disposable"];
    await run(process.execPath, [tsc, ...strict, ...lib, ...types, "types.ts"], { cwd });
  });

  describe("when tests fail", () => {
    let output: string;
    beforeAll(async () => {
      await using running = start(node, runners[framework]([failingFiles[framework]]), { cwd, env: plain });
      expect(await running.ended(120_000)).toBe(1);
      output = stripVTControlCharacters(running.output());
    });

    const failing = ["fails each time", "fails by a timeout", "fails in a hook"];
    it.each(failing)("shows the calls and the report of the test that %s under its error", async (name) => {
      const words = name.replaceAll(" ", "-");
      const shown = new RegExp(
        `\\n *The calls of this test \\(report: (usergroup-mock-report/${words}-[0-9a-f]{8}\\.html)\\):\\n` +
          ` *#1 GET /api/user {"user_group_id":"failing","name":"Failing"} → 201 {"success":1`,
      );
      expect(output).toMatch(shown);
      const [, report = ""] = shown.exec(output) ?? [];
      const html = await readFile(join(cwd, report), "utf8");
      expect(html).toContain("failing");
      expect(html).toMatch(/^<!doctype html>/i);
    });

    it("shows no call of another test or attempt", () => {
      expect(output).not.toContain("#2");
      expect(output).not.toMatch(/→ 200/);
    });

    it("saves nothing for tests that pass", async () => {
      const saved = await readdir(join(cwd, "usergroup-mock-report"));
      expect(saved.filter((file) => !file.startsWith("fails-") && !file.startsWith("passes-when-"))).toEqual(
        [],
      );
    });

    it.runIf(framework !== "node-test")("passes a test when it is tried again, in a fresh world", () => {
      expect(output).toMatch(/1 passed|1 flaky/);
    });

    it.runIf(framework === "playwright")("attaches the report to the test", () => {
      expect(output).toContain("attachment #1: usergroup-mock report (text/html)");
    });

    it.runIf(framework === "vitest")("looks as the page shows it", () => {
      const [shown] = blocksOf(sectionOf(page, "When a test fails"));
      const withoutHash = (text: string) => text.replace(/-[0-9a-f]{8}\.html/g, ".html");
      expect(withoutHash(output)).toContain(withoutHash(shown?.text.trim().replace(/…$/, "") ?? "nothing"));
    });

    it.runIf(framework === "vitest")("has the path of the report in the meta data of the test", async () => {
      const json = ["--reporter=json", "--outputFile=results.json"];
      const args = [...runners[framework]([failingFiles[framework]]), ...json];
      await using running = start(node, args, { cwd, env: plain });
      expect(await running.ended(120_000)).toBe(1);
      expect(await readFile(join(cwd, "results.json"), "utf8")).toMatch(
        /"usergroupMockReport":"usergroup-mock-report\/fails-each-time-\w+\.html"/,
      );
    });
  });
});

describe.runIf(all).each(refusedStacks.map((stack) => [nameOfStack(stack), stack] as const))(
  "%s",
  (name, stack) => {
    it("is refused with one line that names the range", async () => {
      const { cwd, node, install } = await commandsOf(stack, name);
      await install();
      await inUse.copy(stack.framework, cwd);
      const args = runners[stack.framework]([failingFiles[stack.framework]]);
      await using running = start(node, args, { cwd, env: plain });
      expect(await running.ended(120_000)).toBe(1);
      expect(running.output()).toContain(`usergroup-mock works with ${stack.range}, and this is `);
      expect(running.output()).not.toContain("is not a function");
    });
  },
);
