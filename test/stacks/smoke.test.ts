import { afterAll, beforeAll, describe } from "vitest";
import { examples } from "../consumers/documents.js";
import { frameworks, testFramework } from "../consumers/frameworks.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { named, type Stack, testFirstSteps } from "./stack.js";

/** One version of each framework, with the Node of this machine. frameworks.test.ts has all that are supported. */
const stacks: readonly Stack[] = [
  { framework: "vitest", packages: ["vitest@4", "vite@7"] },
  { framework: "jest", packages: ["jest@latest"] },
  { framework: "playwright", packages: ["@playwright/test@latest"] },
  { framework: "node-test", packages: [] },
];

/** The example of the README for Jest, and the program that it tests. */
const readme = examples.filter(({ file }) => file.endsWith(".jest.cjs") || file === "my-program.js");

let inUse: PackageInUse;
beforeAll(async () => {
  inUse = await usePackage();
});
afterAll(() => inUse?.remove());

describe.each(named(stacks))("%s", (name, stack) => {
  const isJest = stack.framework === "jest";
  const projectOf = testFirstSteps(() => inUse, name, stack, isJest ? readme : []);
  // `npm test` runs these tests in the other frameworks: our own node_modules have them.
  if (isJest) testFramework("jest", projectOf, [...frameworks.jest.passing, "groups.jest.cjs"]);
});
