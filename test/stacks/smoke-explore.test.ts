import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHere } from "../cli/run-here.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { pageExamples, readmeExamples } from "../consumers/page-blocks.js";
import { isLong } from "../long.js";

let inUse: PackageInUse;
beforeAll(async () => {
  inUse = await usePackage();
});
afterAll(() => inUse?.remove());

const countingTest = `
  import { test } from "usergroup-mock/vitest";
  import { expect } from "vitest";
  import { createUserGroup } from "./my-program.js";
  test("sends one request", async ({ mock }) => {
    await createUserGroup({ baseUrl: mock.url, apiToken: mock.apiToken, id: "acme" });
    expect(await mock.requests()).toHaveLength(1);
  });`;

describe("explore --faults of the test of the README, with the client of the docs", () => {
  it("finds that it survives, and that the program recovers if a test counts requests", async () => {
    const cwd = await inUse.link("documents", ["vitest"]);
    const shown = [...readmeExamples.filter(({ file }) => file === "groups.test.js"), ...pageExamples];
    for (const { file, text } of shown) if (file.endsWith(".js")) await writeFile(join(cwd, file), text);
    await writeFile(join(cwd, "counting.test.js"), countingTest);
    const failures = isLong ? [] : ["--only", "reset"];
    const command = [process.execPath, "node_modules/vitest/vitest.mjs", "run"];
    const flags = ["explore", "--faults", "--logs", "logs", ...failures];
    const { stdout, stderr } = await runHere([...flags, "--", ...command], { cwd });
    const count = isLong ? "21 failures (3 requests × 7 kinds)" : "3 failures (3 requests × 1 kind)";
    const results = isLong ? "14 survived, 7 recovered" : "2 survived, 1 recovered";
    expect(stdout, stderr).toContain(`\n${count} in `);
    expect(stdout).toContain(`: ${results}, but a test failed.\n`);
    expect(stdout).toContain(', but "sends one request" (counting.test.js) fails');
    expect(stdout).toContain("to have a length of 1 but got 2");
    expect(stdout).not.toContain("BREAKS");
  });
});
