import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { blocksOfPage } from "../consumers/page-blocks.js";
import { run, start } from "../consumers/processes.js";
import { junit, needs } from "../needs.js";

let inUse: PackageInUse;
let project: string;
const blocks = blocksOfPage("other-languages.md");
/** The directory with the files of a language. The one of bash contains the others. */
const folder = (language: string) => (language === "bash" ? project : join(project, language));
beforeAll(async () => {
  inUse = await usePackage();
  project = await inUse.link("other-languages");
  for (const { language, file, text } of blocks)
    if (file !== "") await writeFile(join(folder(language), file), text);
});
afterAll(() => inUse?.remove());

const inPython = (...args: string[]) => run("python3", args, { cwd: folder("python") });

describe("docs/other-languages.md", () => {
  it("has only blocks that a test runs", () => {
    expect(blocks.map(({ language, file }) => file || language)).toEqual([
      ...["sh", "test.sh", "usergroup_mock.py", "conftest.py", "test_groups.py", "test_groups_unittest.py"],
      ...["UsergroupMock.java", "GroupsTest.java", "mock_test.go", "groups_test.go", "test_groups.rb", "sh"],
    ]);
  });

  it("shows a bash script that passes", async (context) => {
    needs(context, "bash", "curl");
    const output = await run("bash", ["test.sh"], { cwd: folder("bash") });
    expect(output).toMatch(/"code":"fault".*"new_user_group":true.*"outcome":"success"/s);
  });

  it("shows a unittest that passes, also with its first command", async (context) => {
    needs(context, "python3", "bash");
    // The mock writes to the same output, also between the name of a test and its result.
    expect(await inPython("-m", "unittest", "-v")).toMatch(/service_is_down \(.*\bok$.*^OK$/ms);
    const [first] = blocks;
    expect(await run("bash", ["-c", first?.text ?? ""], { cwd: folder("python") })).toMatch(/^OK$/m);
  });

  it("shows Python that uses the mock at USERGROUP_MOCK_URL", async (context) => {
    needs(context, "python3");
    await using mock = await startMock();
    const surroundings = { cwd: folder("python"), env: { USERGROUP_MOCK_URL: mock.url } };
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

  it("shows a conftest.py that prints the requests of each failed test, also with xdist", async (context) => {
    needs(context, "python3", "pytest", "pytest-xdist");
    const cwd = folder("python");
    const failing = ["one", "two"].map((name) => [
      `def test_${name}_fails(mock):`,
      `    create_user_group(mock.url, "${name}", "")`,
    ]);
    const unit = ["def test_without_mock_fails():", "    assert False"];
    const lines = ["from my_program import create_user_group", ...failing.flat(), ...unit];
    await writeFile(join(cwd, "failing_tests.py"), lines.join("\n"));
    for (const workers of [[], ["-n", "2"]]) {
      await using running = start("python3", ["-m", "pytest", ...workers, "failing_tests.py"], { cwd });
      expect(await running.ended(60_000)).toBe(1);
      const sections = running.output().split(/^___+ (test_\w+) ___+$/m);
      const printed = (name: string) => sections[sections.indexOf(name) + 1] ?? "";
      for (const name of ["one", "two"]) {
        expect(printed(`test_${name}_fails`)).toMatch(
          new RegExp(
            `- usergroup-mock -+\nThe requests of this test:\n  #1 GET .*"${name}".* -> 400 invalid_body: .*\n  #2 `,
          ),
        );
      }
      expect(printed("test_without_mock_fails")).not.toContain("usergroup-mock");
    }
  });

  it("shows minitest tests that pass, and that print the requests of a failed test", async (context) => {
    needs(context, "ruby", "bash");
    const cwd = folder("ruby");
    const command = blocks.at(-1)?.text.trim() ?? "";
    expect(await run("bash", ["-c", command], { cwd })).toContain(
      "1 runs, 1 assertions, 0 failures, 0 errors",
    );
    const shown = await readFile(join(cwd, "test_groups.rb"), "utf8");
    const wrong = shown.replace("%w[fault success]", "%w[success]");
    await writeFile(join(cwd, "test_wrong.rb"), wrong);
    await using running = start("bash", ["-c", command.replace("test_groups", "test_wrong")], { cwd });
    expect(await running.ended(60_000)).toBe(1);
    expect(running.output()).toMatch(/"id":1,"request":.*"code":"fault"/);
  });

  it("shows Go tests that pass", async (context) => {
    needs(context, "go");
    const cwd = folder("go");
    // -count=1: a result from the cache proves nothing.
    const test = (env = {}) => run("go", ["test", "-v", "-count=1", "./..."], { cwd, env });
    expect((await test()).match(/^--- PASS/gm)).toHaveLength(2);
    await using mock = await startMock();
    await test({ USERGROUP_MOCK_URL: mock.url });
    expect(await mock.worlds()).toHaveLength(3);
  });

  it("shows JUnit tests that pass", async (context) => {
    needs(context, "java", "JUnit", "bash");
    const cwd = folder("java");
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
