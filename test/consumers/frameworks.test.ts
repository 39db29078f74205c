import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { isLong } from "../long.js";
import { examples } from "./documents.js";
import {
  type Framework,
  type FrameworkProject,
  firstSteps,
  frameworks,
  testFramework,
} from "./frameworks.js";
import { type PackageInUse, usePackage } from "./package-in-use.js";
import { testSetUp } from "./set-ups.js";

/** The examples for Playwright of other pages: a test, its set-up and its program. */
const shownForPlaywright = examples.filter(({ file }) =>
  /\.spec\.ts$|^(global-setup\.ts|my-program\.js)$/.test(file),
);

/** Those that our own lock file has. test/stacks tests Jest too (smoke.test.ts), and every supported version. */
const installed = ["vitest", "playwright", "node-test"] as const satisfies readonly Framework[];

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
    const shown = framework === "playwright" ? [file, ...shownForPlaywright] : [file];
    for (const { file: name, text } of shown) await writeFile(join(cwd, name), text);
    project = { cwd, node: process.execPath };
  });
  // Playwright takes a second per file. These files cover what the first file of the project covers.
  const specs = shownForPlaywright.map(({ file }) => file).filter((name) => name.endsWith(".spec.ts"));
  testFramework(framework, () => project, framework === "playwright" ? specs : frameworks[framework].passing);
  // test/stacks/frameworks.test.ts tests the set-ups of the others.
  if (framework === "node-test" || isLong) testSetUp(framework, () => project);
});
