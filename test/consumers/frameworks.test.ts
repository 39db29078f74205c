import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { type FrameworkProject, firstSteps, testFramework } from "./frameworks.js";
import { type PackageInUse, usePackage } from "./package-in-use.js";
import { testSetUp } from "./set-ups.js";

// test/stacks has the frameworks that Node does not include (smoke.test.ts), and every supported version.
describe("node:test", () => {
  let inUse: PackageInUse;
  let project: FrameworkProject;
  beforeAll(async () => {
    inUse = await usePackage();
    const cwd = await inUse.link("node-test");
    const { file } = firstSteps("node-test");
    await writeFile(join(cwd, file.file), file.text);
    project = { cwd, node: process.execPath };
  });
  afterAll(() => inUse?.remove());
  testFramework("node-test", () => project);
  testSetUp("node-test", () => project);
});
