import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { isLong, smoke } from "../long.js";
import {
  type Framework,
  type FrameworkProject,
  firstSteps,
  frameworks,
  testFramework,
} from "./frameworks.js";
import { type PackageInUse, usePackage } from "./package-in-use.js";
import { testSetUp } from "./set-ups.js";

// With the versions of our own lock file. test/stacks/frameworks.test.ts tries all that are supported.
let inUse: PackageInUse;
beforeAll(async () => {
  inUse = await usePackage();
});
afterAll(() => inUse?.remove());

describe.each(Object.keys(frameworks) as Framework[])("%s", (framework) => {
  let project: FrameworkProject;
  beforeAll(async () => {
    const cwd = await inUse.link(framework, frameworks[framework].packages);
    const { file } = firstSteps(framework);
    await writeFile(join(cwd, file.file), file.text);
    project = { cwd, node: process.execPath };
  });
  // Playwright starts a process of a second for every file.
  const { passing } = frameworks[framework];
  testFramework(framework, () => project, framework === "playwright" ? smoke(passing) : passing);
  // test/stacks/frameworks.test.ts tries the others.
  if (framework === "node-test" || isLong) testSetUp(framework, () => project);
});
