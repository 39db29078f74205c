import { afterAll, beforeAll, describe, it } from "vitest";
import { testFailures } from "../consumers/failures.js";
import type { FrameworkProject } from "../consumers/frameworks.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import type { Line } from "./versions.js";

/** `npm test` has vitest and node:test. */
const frameworks: readonly [name: string, packages: readonly Line[], args: readonly string[]][] = [
  ["Jest", ["jest@latest"], ["node_modules/jest/bin/jest.js", "--testMatch", "**/jest.test.cjs"]],
  [
    "Playwright",
    ["@playwright/test@latest"],
    ["node_modules/@playwright/test/cli.js", "test", "--workers=1", "--reporter=line", "failures.spec.js"],
  ],
];

describe.each(frameworks)("%s", (_, packages, args) => {
  let inUse: PackageInUse;
  let project: FrameworkProject | undefined;
  beforeAll(async () => {
    inUse = await usePackage();
  });
  afterAll(() => inUse?.remove());

  it("can be installed", async () => {
    project = { cwd: await inUse.install("failures", packages), node: process.execPath };
  });
  testFailures((context) => project ?? context.skip("It could not be installed: see above."), args);
});
