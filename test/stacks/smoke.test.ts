import { afterAll, beforeAll, describe } from "vitest";
import { testFramework } from "../consumers/frameworks.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { named, type Stack, testFirstSteps } from "./stack.js";

/** One version of each framework, with the Node of this machine. frameworks.test.ts has all that are supported. */
const stacks: readonly Stack[] = [
  { framework: "vitest", packages: ["vitest@4", "vite@7"] },
  { framework: "jest", packages: ["jest@latest"] },
  { framework: "playwright", packages: ["@playwright/test@latest"] },
  { framework: "node-test", packages: [] },
];

let inUse: PackageInUse;
beforeAll(async () => {
  inUse = await usePackage();
});
afterAll(() => inUse?.remove());

describe.each(named(stacks))("%s", (name, stack) => {
  const { framework } = stack;
  const projectOf = testFirstSteps(() => inUse, name, stack);
  // `npm test` runs these tests in node:test.
  if (framework !== "node-test") testFramework(framework, projectOf);
});
