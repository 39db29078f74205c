import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { isLong } from "../long.js";
import {
  type Framework,
  type FrameworkProject,
  firstSteps,
  frameworks,
  testFramework,
} from "./frameworks.js";
import { type PackageInUse, usePackage } from "./package-in-use.js";
import { testSetUp } from "./set-ups.js";

/** test/stacks tests the others too (smoke.test.ts), and every supported version. */
const installed = ["vitest", "node-test"] as const satisfies readonly Framework[];

let inUse: PackageInUse;
beforeAll(async () => {
  inUse = await usePackage();
});
afterAll(() => inUse?.remove());

describe.each(installed)("%s", (framework) => {
  let project: FrameworkProject;
  beforeAll(async () => {
    const cwd = await inUse.link(framework, frameworks[framework].packages);
    const { file } = firstSteps(framework);
    await writeFile(join(cwd, file.file), file.text);
    project = { cwd, node: process.execPath };
  });
  testFramework(framework, () => project);
  // test/stacks/frameworks.test.ts tests the set-ups of the others.
  if (framework === "node-test" || isLong) testSetUp(framework, () => project);
});
