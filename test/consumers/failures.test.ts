import { afterAll, beforeAll, describe } from "vitest";
import { failures, testFailures } from "./failures.js";
import type { FrameworkProject } from "./frameworks.js";
import { type PackageInUse, usePackage } from "./package-in-use.js";

let inUse: PackageInUse;
let project: FrameworkProject;
beforeAll(async () => {
  inUse = await usePackage();
  project = { cwd: await inUse.link("failures", ["vitest"]), node: process.execPath };
});
afterAll(() => inUse?.remove());

// test/stacks/smoke-failures.test.ts has Jest and Playwright.
describe("vitest", () => {
  const args = ["node_modules/vitest/vitest.mjs", "run", "failures.test.js"];
  testFailures(() => project, args, Object.keys(failures));
});

describe("node:test", () => {
  testFailures(() => project, ["--test", "--test-reporter=spec", "node.test.mjs"]);
});
