import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Framework, firstSteps, testFramework } from "../consumers/frameworks.js";
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

/** The newest versions that are too old. Jest 27 does not find the entry. */
const tooOld: readonly Stack[] = [
  stack("vitest", ["vitest@3.1", "vite@6"]),
  stack("jest", ["jest@28"]),
  stack("playwright", ["@playwright/test@1.39"]),
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

describe.each(named(tooOld))("%s", (name, old) => {
  it("is rejected with one line", async (context) => {
    const { cwd, env } = await installStack(context, inUse, name, old);
    const { file, test } = firstSteps(old.framework);
    await writeFile(join(cwd, file.file), file.text);
    await using running = start("bash", ["-c", test.text], { cwd, env });
    expect(await running.ended()).toBe(1);
    expect(running.output()).toMatch(
      /usergroup-mock needs \S+ \S+ or later, but this is .* use startMock\(\)\./,
    );
  });
});
