import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failingTests, failures, testFailures } from "./failures.js";
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
  testFailures(() => project, args, failures);

  it("is tried with every test of the project", () => {
    expect(failingTests.toSorted()).toEqual(Object.keys(failures).toSorted());
  });
});

describe("node:test", () => {
  const said = testFailures(() => project, ["--test", "--test-reporter=spec", "node.test.mjs"]);

  it("names the subtest that has failed", async (context) => {
    const title = "has a subtest that fails";
    const saved = await (await said(context)).saved(title);
    expect(saved?.test.title).toBe(`${title} > which sends a number`);
    const collected = await (await said(context)).collected(`${title} > which sends a number`);
    expect(collected).toEqual({ ...saved, test: expect.objectContaining(saved?.test) });
    expect(saved?.text).toBe(failures["sends a number"]?.terminal);
  });
});
