import { writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { type Framework, firstSteps, frameworks, plain, testFramework } from "../consumers/frameworks.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { run, start } from "../consumers/processes.js";
import { testSetUp } from "../consumers/set-ups.js";
import { needs } from "../needs.js";
import { needsBinaries } from "./binaries.js";
import { type RuntimeLine, runtimeOf } from "./runtimes.js";
import { type Line, specOf } from "./versions.js";

/** A version of a framework, the packages that are installed with it, and the version of Node.js. */
interface Stack {
  readonly framework: Framework;
  readonly packages: readonly Line[];
  readonly node: RuntimeLine;
}

const stack = (framework: Framework, packages: readonly Line[], node: RuntimeLine = "node@20"): Stack => ({
  framework,
  packages,
  node,
});

const supported: readonly Stack[] = [
  stack("vitest", ["vitest@3.2", "vite@7"]),
  stack("vitest", ["vitest@4", "vite@7"]),
  stack("vitest", ["vitest@latest", "vite@7"], "node@22"),
  stack("jest", ["jest@29"]),
  stack("jest", ["jest@latest"]),
  stack("playwright", ["@playwright/test@1.40"]),
  stack("playwright", ["@playwright/test@1.50"]),
  stack("playwright", ["@playwright/test@latest"]),
  stack("node-test", []),
  stack("node-test", [], "node@22"),
  stack("node-test", [], "node@24"),
  stack("node-test", [], "node@latest"),
];

/** Versions that are not supported, and the range in the message. */
const unsupported: readonly (Stack & { readonly range: string })[] = [
  { ...stack("vitest", ["vitest@2.1"]), range: "vitest 3.2, 4 and 5" },
  { ...stack("vitest", ["vitest@3.1", "vite@7"]), range: "vitest 3.2, 4 and 5" },
  { ...stack("jest", ["jest@28"]), range: "Jest 29 and 30" },
  { ...stack("playwright", ["@playwright/test@1.39"]), range: "Playwright from 1.40" },
];

const named = <T extends Stack>(stacks: readonly T[]) =>
  stacks.map((one) => {
    const [first] = one.packages;
    return [`${first === undefined ? one.framework : specOf(first)} on ${specOf(one.node)}`, one] as const;
  });

let inUse: PackageInUse;
beforeAll(async () => {
  inUse = await usePackage();
});
afterAll(() => inUse?.remove());

/** Installs this package and a framework in an empty directory, with the command of the page. */
async function setUp(context: TestContext, name: string, { framework, packages, node }: Stack) {
  needs(context, "bash");
  const { path } = await runtimeOf(context, node);
  const { install } = firstSteps(framework);
  const line = ["npm install --save-dev usergroup-mock", ...frameworks[framework].packages].join(" ");
  expect(install).toMatchObject({ language: "sh", text: `${line}\n` });
  const cwd = await inUse.folder(name.replace(/\W+/g, "-"));
  const env = {
    PATH: `${dirname(path)}${delimiter}${process.env.PATH}`,
    npm_config_prefer_offline: "true",
    ...{ npm_config_audit: "false", npm_config_fund: "false" },
    ...plain,
  };
  const wanted = [inUse.tarball, ...packages.map(specOf)].join(" ");
  await run("bash", ["-c", line.replace(/usergroup-mock.*/, wanted)], { cwd, env });
  needsBinaries(context, cwd);
  return { cwd, node: path, env };
}

const took: Record<string, object> = {};
afterAll(() => console.table(took));

describe.each(named(supported))("%s", (name, stack) => {
  const { framework } = stack;
  const { file, test } = firstSteps(framework);
  let project: { cwd: string; node: string } | undefined;

  it("passes the first test of the page with the commands of the page", async (context) => {
    const start = performance.now();
    const { cwd, node, env } = await setUp(context, name, stack);
    await writeFile(join(cwd, file.file), file.text);
    const installed = performance.now();
    expect(await run("bash", ["-c", test.text], { cwd, env })).toMatch(/1 passed|pass 1/);
    const seconds = (from: number, to: number) => Number(((to - from) / 1000).toFixed(1));
    took[name] = {
      install: seconds(start, installed),
      test: seconds(installed, performance.now()),
      lines: file.text.trim().split("\n").length,
    };
    await inUse.copy(framework, cwd);
    project = { cwd, node };
  });

  const projectOf = (context: TestContext) => project ?? context.skip("It could not be set up: see above.");
  testFramework(framework, projectOf);
  testSetUp(framework, projectOf, stack.packages.includes("jest@29"));
});

describe.each(named(unsupported))("%s", (name, stack) => {
  it("is rejected with one line that names the supported range", async (context) => {
    const { cwd, node } = await setUp(context, name, stack);
    await inUse.copy(stack.framework, cwd);
    const { args, failing } = frameworks[stack.framework];
    await using running = start(node, args([failing]), { cwd, env: plain });
    expect(await running.ended(120_000)).toBe(1);
    expect(running.output()).toContain(`usergroup-mock works with ${stack.range}, but this is `);
    expect(running.output()).not.toContain("is not a function");
  });
});
