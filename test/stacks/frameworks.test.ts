import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Framework, frameworks, plain, testFramework } from "../consumers/frameworks.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { start } from "../consumers/processes.js";
import { testSetUp } from "../consumers/set-ups.js";
import type { RuntimeLine } from "./runtimes.js";
import { installStack, named, type Stack, testFirstSteps } from "./stack.js";
import type { Line } from "./versions.js";

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

let inUse: PackageInUse;
beforeAll(async () => {
  inUse = await usePackage();
});
afterAll(() => inUse?.remove());

describe.each(named(supported))("%s", (name, stack) => {
  const projectOf = testFirstSteps(() => inUse, name, stack);
  testFramework(stack.framework, projectOf);
  testSetUp(stack.framework, projectOf, stack.packages.includes("jest@29"));
});

describe.each(named(unsupported))("%s", (name, stack) => {
  it("is rejected with one line that names the supported range", async (context) => {
    const { cwd, node } = await installStack(context, inUse, name, stack);
    await inUse.copy(stack.framework, cwd);
    const { args, failing } = frameworks[stack.framework];
    await using running = start(node, args([failing]), { cwd, env: plain });
    expect(await running.ended(120_000)).toBe(1);
    expect(running.output()).toContain(`usergroup-mock works with ${stack.range}, but this is `);
    expect(running.output()).not.toContain("is not a function");
  });
});
