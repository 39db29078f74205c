import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { run } from "../consumers/processes.js";
import { junit, needs } from "../needs.js";
import { type OtherLanguages, useInOtherLanguages } from "./other-languages.js";

let inUse: PackageInUse;
let page: OtherLanguages;
beforeAll(async () => {
  inUse = await usePackage();
  page = await useInOtherLanguages(inUse);
});
afterAll(() => inUse?.remove());

const inPython = (...args: string[]) => run("python3", args, { cwd: page.folder("python") });

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

  it("shows a bash script that passes", async (context) => {
    needs(context, "bash", "curl");
    const output = await run("bash", ["test.sh"], { cwd: page.folder("bash") });
    expect(output).toMatch(/"code":"fault".*"new_user_group":true.*"outcome":"success"/s);
  });

  it("shows a unittest that passes, also with its first command", async (context) => {
    needs(context, "python3", "bash");
    // The mock writes to the same output, also between the name of a test and its result.
    expect(await inPython("-m", "unittest", "-v")).toMatch(/service_is_down \(.*\bok$.*^OK$/ms);
    const [first] = page.blocks;
    expect(await run("bash", ["-c", first?.text ?? ""], { cwd: page.folder("python") })).toMatch(/^OK$/m);
  });

  it("shows Python that uses the mock at USERGROUP_MOCK_URL", async (context) => {
    needs(context, "python3");
    await using mock = await startMock();
    const surroundings = { cwd: page.folder("python"), env: { USERGROUP_MOCK_URL: mock.url } };
    expect(await run("python3", ["-m", "unittest"], surroundings)).toMatch(/^OK$/m);
    expect((await mock.worlds()).length).toBe(2);
  });

  it("shows Python that reports the error message of the mock", async (context) => {
    needs(context, "python3");
    await using mock = await startMock();
    const mistake = [
      "from usergroup_mock import World",
      "try:",
      `    World("${mock.url}", "test_a.py::test").fault(statuss=429)`,
      "except RuntimeError as error:",
      "    print(error)",
      `World("${mock.url}", "test_b.py::test")`,
    ];
    expect(await inPython("-c", mistake.join("\n"))).toContain("did you mean status?");
    // Tests of the same name in two files have different worlds.
    expect(await mock.worlds()).toHaveLength(3);
  });

  it("shows pytest tests that pass", async (context) => {
    needs(context, "python3", "pytest");
    expect(await inPython("-m", "pytest", "-q", "test_groups.py")).toContain("2 passed");
  });

  it("shows Go tests that pass", async (context) => {
    needs(context, "go");
    const cwd = page.folder("go");
    // -count=1: a result from the cache proves nothing.
    const test = (env = {}) => run("go", ["test", "-v", "-count=1", "./..."], { cwd, env });
    expect((await test()).match(/^--- PASS/gm)).toHaveLength(2);
    await using mock = await startMock();
    await test({ USERGROUP_MOCK_URL: mock.url });
    expect(await mock.worlds()).toHaveLength(3);
  });

  it("shows JUnit tests that pass", async (context) => {
    needs(context, "java", "JUnit", "bash");
    const cwd = page.folder("java");
    await run("bash", ["-c", `javac -d out -cp ${junit}:/usr/share/java/apiguardian-api.jar *.java`], {
      cwd,
    });
    const test = (env = {}) => run("java", ["-jar", junit, "-cp", "out", "--scan-classpath"], { cwd, env });
    expect(await test()).toMatch(/ 2 tests successful/);
    await using mock = await startMock();
    await test({ USERGROUP_MOCK_URL: mock.url });
    expect(await mock.worlds()).toHaveLength(3);
  });
});
