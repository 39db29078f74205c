import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { installOtherLanguages, missing, type OtherLanguages } from "../consumers/other-languages.js";
import { type PackageInUse, pack } from "../consumers/package-in-use.js";
import { run } from "../consumers/processes.js";

let inUse: PackageInUse;
let page: OtherLanguages;
beforeAll(async () => {
  inUse = await pack();
  page = await installOtherLanguages(inUse);
});
afterAll(() => inUse?.remove());

/** What Debian's package junit5 installs. */
const junit = "/usr/share/java/junit-platform-console-standalone.jar";

// bash and Python: test/consumers/other-languages.test.ts, as part of npm test.
describe("docs/other-languages.md", () => {
  it("shows Go tests that pass", async () => {
    const cwd = page.folder("go");
    expect(missing("go", ["version"], "On Debian: apt-get install golang-go")).toBe(undefined);
    // -count=1: a result from the cache proves nothing.
    const test = (env = {}) => run("go", ["test", "-v", "-count=1", "./..."], { cwd, env });
    expect((await test()).match(/^--- PASS/gm)).toHaveLength(2);
    await using mock = await startMock();
    await test({ USERGROUP_MOCK_URL: mock.url });
    expect(await mock.worlds()).toHaveLength(3);
  });

  it("shows JUnit tests that pass", async () => {
    const cwd = page.folder("java");
    const advice = "On Debian: apt-get install default-jdk junit5";
    expect(missing("java", ["-jar", junit, "--help"], advice)).toBe(undefined);
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
