import { afterAll, beforeAll, describe } from "vitest";
import { testFailures } from "./failures.js";
import type { FrameworkProject } from "./frameworks.js";
import { type PackageInUse, usePackage } from "./package-in-use.js";
import { keys, shop } from "./product.js";

let inUse: PackageInUse;
let project: FrameworkProject;
beforeAll(async () => {
  inUse = await usePackage();
  project = { cwd: await inUse.link("product", ["vitest"]), node: process.execPath };
});
afterAll(() => inUse?.remove());

describe("a product whose tests fail", () => {
  const args = ["node_modules/vitest/vitest.mjs", "run"];
  testFailures(() => project, args, { ...shop, ...keys });
});
