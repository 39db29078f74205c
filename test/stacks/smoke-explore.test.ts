import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { runHere } from "../cli/run-here.js";
import { isLong } from "../long.js";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-readme-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The first block of JavaScript in a page that begins with some words. */
const codeIn = (page: string, beginning = "") =>
  new RegExp(`\`\`\`js\\n(${beginning}.*?)\`\`\``, "s").exec(
    readFileSync(join(repository, page), "utf8"),
  )?.[1] ?? "";

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
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(repository, join(folder, "node_modules/usergroup-mock"));
    symlinkSync(join(repository, "node_modules/vitest"), join(folder, "node_modules/vitest"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "my-program.js"), codeIn("docs/the-client.md"));
    writeFileSync(join(folder, "groups.test.js"), codeIn("README.md", "// groups.test.js"));
    writeFileSync(join(folder, "counting.test.js"), countingTest);
    const failures = isLong ? [] : ["--only", "reset"];
    const command = [process.execPath, "node_modules/vitest/vitest.mjs", "run"];
    const flags = ["explore", "--faults", "--logs", "logs", ...failures];
    const { stdout, stderr } = await runHere([...flags, "--", ...command], { cwd: folder });
    const count = isLong
      ? "14 of 21 failures. The program recovered from the other 7"
      : "2 of 3 failures. The program recovered from the other 1";
    expect(stdout, stderr).toContain(`Your tests pass with ${count}, but a test failed`);
    expect(stdout).toContain("The program recovers, but sends one request (counting.test.js) fails: ");
    expect(stdout).toContain("to have a length of 1 but got 2");
    expect(stdout).not.toContain("BREAKS");
  });
});
