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
/** The directory with the files of a language. The one of bash contains the others. */
const folderOf = (language: string) => (language === "bash" ? project : join(project, language));
const blocks = blocksOfPage("ci-and-other-languages.md");

/** The files of the page are beside the programs that they test, with the package above them. */
beforeAll(async () => {
  inUse = await usePackage();
  project = await inUse.link("other-languages");
  for (const { language, file, text } of blocks)
    if (file !== "" && language !== "yaml") await writeFile(join(folderOf(language), file), text);
});
afterAll(() => inUse?.remove());

const inPython = (url: string, ...args: string[]) =>
  run("python3", args, { cwd: folderOf("python"), env: { USERGROUP_MOCK_URL: url } });
const command = (words: string) =>
  blocks.find(({ language, text }) => language === "sh" && text.includes(words))?.text ?? "";

describe("docs/ci-and-other-languages.md", () => {
  it("shows a bash script that passes", async (context) => {
    needs(context, "bash", "curl");
    const output = await run("bash", ["-c", command("bash test.sh")], { cwd: folderOf("bash") });
    expect(output).toMatch(/"code":"fault".*"new_user_group":true.*"outcome":"success"/s);
  });

  it("shows Python that reports the error message of the mock", async (context) => {
    needs(context, "python3");
    await using mock = await startMock();
    const mistake = [
      "from usergroup_mock import World",
      "try:",
      '    World("test_a.py::test").fault(statuss=429)',
      "except RuntimeError as error:",
      "    print(error)",
      'World("test_b.py::test")',
    ];
    expect(await inPython(mock.url, "-c", mistake.join("\n"))).toContain("did you mean status?");
    // Tests of the same name in two files have different worlds.
    expect(await mock.worlds()).toHaveLength(3);
  });

  it("shows Python that prints what to run if there is no mock", async (context) => {
    needs(context, "python3");
    const create = ["-c", 'from usergroup_mock import World; World("a")'];
    await using running = start("python3", create, { cwd: folderOf("python") });
    expect(await running.ended()).toBe(1);
    expect(running.output()).toContain("RuntimeError: There is no mock. Run: npx usergroup-mock exec -- ");
  });

  it("shows pytest tests that pass", async (context) => {
    needs(context, "python3", "pytest", "bash");
    const output = await run("bash", ["-c", command("pytest")], { cwd: folderOf("python") });
    expect(output).toContain("2 passed");
  });

  it("shows a conftest.py that prints causes, notes, and faults that have not fired", async (context) => {
    needs(context, "python3", "pytest");
    await using mock = await startMock();
    const cwd = folderOf("python");
    const tests = [
      "from my_program import create_user_group",
      "def test_cause(mock):",
      '    create_user_group(mock.url, "a", "")',
      "def test_note(mock):",
      '    create_user_group(mock.url, "a", "Before")',
      '    assert create_user_group(mock.url, "a", "After")["name"] == "After"',
      "def test_fault(mock):",
      '    mock.fault(operation="rotate", status=503)',
      '    create_user_group(mock.url, "a", "A")',
      "    assert False",
    ];
    await writeFile(join(cwd, "explained_tests.py"), tests.join("\n"));
    const args = ["-m", "pytest", "explained_tests.py"];
    await using running = start("python3", args, { cwd, env: { USERGROUP_MOCK_URL: mock.url } });
    expect(await running.ended(60_000)).toBe(1);
    const [, cause, note, fault] = running.output().split(/- usergroup-mock -+\n/);
    expect(cause).toMatch(/^Likely cause: #2 get-or-create a was rejected with 400 /);
    expect(note).toMatch(/^#2 get-or-create a: the group exists and was not changed .* differs in name/);
    expect(fault).toMatch(/^Fault 1 \(rotate → 503\) has not fired\. #1 it was get-or-create, not rotate\./);
  });

  it("shows a conftest.py that prints the requests of each failed test, also with xdist", async (context) => {
    needs(context, "python3", "pytest", "pytest-xdist");
    await using mock = await startMock();
    const cwd = folderOf("python");
    const failing = ["one", "two"].map((name) => [
      `def test_${name}_fails(mock):`,
      `    create_user_group(mock.url, "${name}", "")`,
    ]);
    const unit = ["def test_without_mock_fails():", "    assert False"];
    const lines = ["from my_program import create_user_group", ...failing.flat(), ...unit];
    await writeFile(join(cwd, "failing_tests.py"), lines.join("\n"));
    const surroundings = { cwd, env: { USERGROUP_MOCK_URL: mock.url } };
    for (const workers of [[], ["-n", "2"]]) {
      const args = ["-m", "pytest", ...workers, "--junit-xml=junit.xml", "failing_tests.py"];
      await using running = start("python3", args, surroundings);
      expect(await running.ended(60_000)).toBe(1);
      const sections = running.output().split(/^___+ (test_\w+) ___+$/m);
      const printed = (name: string) => sections[sections.indexOf(name) + 1] ?? "";
      for (const name of ["one", "two"]) {
        expect(printed(`test_${name}_fails`)).toMatch(
          new RegExp(
            `- usergroup-mock -+\nLikely cause: #2 get-or-create ${name} was rejected with 400 .*\n\n#1 GET .*"${name}".* → 400 invalid_body: .*\n#2 `,
          ),
        );
      }
      expect(printed("test_without_mock_fails")).not.toContain("usergroup-mock");
      const junit = await readFile(join(cwd, "junit.xml"), "utf8");
      expect(junit.match(/<failure [^<]*\n#1 GET [^<]*<\/failure>/g)).toHaveLength(2);
    }
  });

  it("shows minitest tests that pass, and that print the requests of a failed test", async (context) => {
    needs(context, "ruby", "bash");
    const cwd = folderOf("ruby");
    expect(await run("bash", ["-c", command("ruby")], { cwd })).toContain("1 runs, 1 assertions, 0 failures");
    const shown = await readFile(join(cwd, "test_groups.rb"), "utf8");
    await writeFile(join(cwd, "test_wrong.rb"), shown.replace("%w[fault success]", "%w[success]"));
    const wrong = command("ruby").replace("test_groups", "test_wrong");
    await using running = start("bash", ["-c", wrong], { cwd });
    expect(await running.ended(60_000)).toBe(1);
    expect(running.output()).toMatch(/\nFault 1 .* fired 1 of 1\.\n\n#1 GET .* no response fault: .*\n#2 /);
  });

  it("shows JUnit tests that pass", async (context) => {
    needs(context, "java", "JUnit", "bash");
    const cwd = folderOf("java");
    await run("bash", ["-c", `javac -d out -cp ${junit}:/usr/share/java/apiguardian-api.jar *.java`], {
      cwd,
    });
    await using mock = await startMock();
    const env = { USERGROUP_MOCK_URL: mock.url };
    const output = await run("java", ["-jar", junit, "-cp", "out", "--scan-classpath"], { cwd, env });
    expect(output).toMatch(/ 1 tests successful/);
    expect(await mock.worlds()).toHaveLength(2);
  });
});
