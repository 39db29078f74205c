import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { installOtherLanguages, missing, type OtherLanguages } from "./other-languages.js";
import { type PackageInUse, pack } from "./package-in-use.js";
import { run } from "./processes.js";

let inUse: PackageInUse;
let page: OtherLanguages;
beforeAll(async () => {
  inUse = await pack();
  page = await installOtherLanguages(inUse);
});
afterAll(() => inUse?.remove());

const inPython = (...args: string[]) => run("python3", args, { cwd: page.folder("python") });

// Go and Java: test/stacks/other-languages.test.ts.
describe("docs/other-languages.md", () => {
  it("has only blocks that a test runs", () => {
    expect(page.blocks.map(({ language, file }) => file || language)).toEqual([
      "sh",
      "test.sh",
      "usergroup_mock.py",
      "conftest.py",
      "test_groups.py",
      "test_groups_unittest.py",
      "UsergroupMock.java",
      "GroupsTest.java",
      "mock_test.go",
      "groups_test.go",
    ]);
  });

  it("shows a bash script that passes", async () => {
    const output = await run("bash", ["test.sh"], { cwd: page.folder("bash") });
    expect(output).toMatch(/"code":"fault".*"new_user_group":true.*"outcome":"success"/s);
  });

  it("shows a unittest that passes, also with its first command", async () => {
    // The mock writes to the same output, also between the name of a test and what became of it.
    expect(await inPython("-m", "unittest", "-v")).toMatch(/service_is_down \(.*\bok$.*^OK$/ms);
    const [first] = page.blocks;
    expect(await run("bash", ["-c", first?.text ?? ""], { cwd: page.folder("python") })).toMatch(/^OK$/m);
  });

  it("shows Python that uses the mock at USERGROUP_MOCK_URL", async () => {
    await using mock = await startMock();
    const surroundings = { cwd: page.folder("python"), env: { USERGROUP_MOCK_URL: mock.url } };
    expect(await run("python3", ["-m", "unittest"], surroundings)).toMatch(/^OK$/m);
    expect((await mock.worlds()).length).toBe(2);
  });

  it("shows pytest tests that pass", async ({ skip }) => {
    const reason = missing("python3", ["-m", "pytest", "--version"], "Install pytest.");
    if (reason !== undefined) console.warn(`The pytest example is not tested: ${reason}`);
    if (reason !== undefined) return skip(reason);
    expect(await inPython("-m", "pytest", "-q", "test_groups.py")).toContain("2 passed");
  });
});
