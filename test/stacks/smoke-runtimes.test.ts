import { afterAll, beforeAll, expect, it } from "vitest";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { run } from "../consumers/processes.js";
import { type RuntimeLine, runtimeOf } from "./runtimes.js";

const lines: readonly RuntimeLine[] = ["bun@latest", "deno@latest"];

let inUse: PackageInUse;
let project: string;
beforeAll(async () => {
  inUse = await usePackage();
  project = await inUse.link("runtimes");
});
afterAll(() => inUse?.remove());

it.for(lines)("the package on %s starts a mock, serves both operations, and stops", async (line, context) => {
  const { path, args } = await runtimeOf(context, line);
  expect(await run(path, [...args, "use-mock.mjs"], { cwd: project })).toContain("stopped");
});
