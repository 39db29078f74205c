import { afterAll, beforeAll, describe } from "vitest";
import { type Framework, testFramework } from "../consumers/frameworks.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { testSetUp } from "../consumers/set-ups.js";
import type { RuntimeLine } from "./runtimes.js";
import { named, type Stack, testFirstSteps } from "./stack.js";
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
