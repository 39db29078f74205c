import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { runHere } from "../../cli/run-here.js";
import { isLong } from "../../long.js";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-readme-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The first block of code in a page. */
const codeIn = (page: string, language: string) =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(
    readFileSync(join(repository, page), "utf8"),
  )?.[1] ?? "";

describe("explore --faults of the first test of the README, with the client of the docs", () => {
  it("finds that the program recovers, and names what the test asserts", async () => {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(repository, join(folder, "node_modules/usergroup-mock"));
    symlinkSync(join(repository, "node_modules/vitest"), join(folder, "node_modules/vitest"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "my-program.js"), codeIn("docs/the-client.md", "js"));
    writeFileSync(join(folder, "groups.test.ts"), codeIn("README.md", "ts"));
    const failures = isLong ? [] : ["--only", "silent"];
    const command = [process.execPath, "node_modules/vitest/vitest.mjs", "run"];
    const flags = ["explore", "--faults", "--logs", "logs", ...failures];
    const { stdout, stderr } = await runHere([...flags, "--", ...command], { cwd: folder });
    const count = isLong
      ? "7 failures. The program recovered from the other 7"
      : "1 failure. The program recovered from the other 1";
    expect(stdout, stderr).toContain(`Your tests pass with 0 of ${count}, but a test failed`);
    expect(stdout).toContain(
      "The program recovers, but my program creates a user group (groups.test.ts) fails: ",
    );
    expect(stdout).toContain("to have a length of 1 but got 2");
    expect(stdout).not.toContain("BREAKS");
  });
});
