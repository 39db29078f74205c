import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, type TestContext } from "vitest";
import { variables } from "../../src/options/names.js";
import { readSeen } from "../../src/run/begin-run.js";
import { type TestResult, testName } from "../../src/run/report-test.js";
import { ownRun } from "../run/own-run.js";
import { projects, repository } from "./package-in-use.js";
import { blocksOfSection, type PageBlock } from "./page-blocks.js";
import { run, start } from "./processes.js";

export type Framework = "vitest" | "jest" | "playwright" | "node-test";

/** How a project in `projects/<framework>` is tested. The projects have equivalent files. */
interface Testing {
  /** The section of docs/test-frameworks.md. */
  readonly heading: string;
  /** The packages that the section installs, apart from this one. */
  readonly packages: readonly string[];
  readonly passing: readonly string[];
  readonly failing: string;
  /** The arguments of Node that run these files. */
  readonly args: (files: readonly string[]) => readonly string[];
  /** The summary that the framework prints if all tests of so many other files pass, and `failing` fails as expected. */
  readonly summary: (others: number) => RegExp;
  /** What is recorded of the tests in `failing` for `exec` and `explore`. */
  readonly results: readonly string[];
  /** The timeout of a test that has none of its own, if the framework tells it. */
  readonly timeoutMs?: number;
}

const passed = "passes: passed";
/** Playwright rejects a file with two tests of the same name. */
const twoPassed = [passed, passed];
const failed = ["a block > fails each time: failed", "fails by a timeout: failed", "fails in a hook: failed"];
const retried = "passes when it is tried again: retried";
const declared = ["is skipped: skipped", "is expected to fail: passed"];

export const frameworks: Readonly<Record<Framework, Testing>> = {
  vitest: {
    heading: "vitest",
    packages: ["vitest"],
    passing: ["worlds.test.js"],
    failing: "failing.test.js",
    // vitest 3.2 ignores the `retry` option of a test with fixtures.
    args: (files) => [
      ...["node_modules/vitest/vitest.mjs", "run", "--retry=1"],
      "--reporter=verbose",
      ...files,
    ],
    summary: (others) => new RegExp(`Test Files +1 failed \\| ${others} passed .*\n +Tests +4 failed \\|`),
    // vitest turns process.exit into an error.
    results: [...twoPassed, ...failed, retried, ...declared, "ends its process: failed"],
    timeoutMs: 5_000,
  },
  jest: {
    heading: "Jest",
    packages: ["jest"],
    passing: ["realm.test.js", "worlds.test.js", "concurrent.test.js", "module.test.mjs"],
    failing: "failing.test.js",
    args: (files) => [
      ...["--experimental-vm-modules", "node_modules/jest/bin/jest.js"],
      ...["--detectOpenHandles", "--testMatch", ...files.map((file) => `**/${file}`)],
    ],
    summary: (others) =>
      new RegExp(`Test Suites: 1 failed, ${others} passed, .*\nTests: +4 failed, \\d+ passed,`),
    results: [...twoPassed, ...failed, "fails by an assertion of Node: failed", retried],
    timeoutMs: 5_000,
  },
  playwright: {
    heading: "Playwright",
    packages: ["@playwright/test"],
    passing: ["worlds.spec.ts", "commonjs.spec.cjs"],
    failing: "failing.spec.ts",
    args: (files) => ["node_modules/@playwright/test/cli.js", "test", "--workers=2", ...files],
    summary: () => /\n +3 failed\n.*\n +1 flaky\n.*\n +\d+ passed /s,
    results: [passed, ...failed, retried, ...declared, "gives up waiting before it times out: passed"],
    timeoutMs: 30_000,
  },
  "node-test": {
    heading: "node:test",
    packages: [],
    passing: ["worlds.test.mjs", "concurrent.test.cjs"],
    failing: "failing.test.mjs",
    args: (files) => ["--test", "--test-reporter=spec", ...files],
    summary: () => / pass [1-9]\d*\n. fail 2\n. cancelled 1\n/,
    results: [...twoPassed, ...failed],
  },
};

const page = "test-frameworks.md";

/** The blocks of the page for a framework: how to install it, a test file, how to run it. */
export function firstSteps(framework: Framework): { install: PageBlock; file: PageBlock; test: PageBlock } {
  const { heading } = frameworks[framework];
  const [install, file, test, ...others] = blocksOfSection(page, heading);
  if (install === undefined || file === undefined || test === undefined || others.length > 0) {
    return expect.fail(`${heading}: a command to install, a file and a command to test are expected`);
  }
  return { install, file, test };
}

/** No colours, and no warnings of Node about experimental features. */
export const plain = { NO_COLOR: "1", FORCE_COLOR: "0", NODE_NO_WARNINGS: "1" };

/** A copy of `projects/<framework>` with the framework and the package, and the Node that runs it. */
export interface FrameworkProject {
  readonly cwd: string;
  readonly node: string;
}

/** Runs tests within a run of a command, as `exec` does. Returns what they print, and what the run records of them. */
async function runTests({ cwd, node }: FrameworkProject, args: readonly string[]) {
  using run = ownRun();
  const env = { ...plain, [variables.run]: run.folder };
  await using running = start(node, args, { cwd, env });
  expect(await running.ended(240_000), running.output()).toBe(1);
  return { output: stripVTControlCharacters(running.output()), tests: readSeen(run).tests };
}

function resultsOf(tests: readonly TestResult[]): string[] {
  return tests.map((test) => `${testName(test)}: ${test.result}`).toSorted();
}

/** Defines the tests of a framework. Earlier hooks or tests prepare the project. */
export function testFramework(
  framework: Framework,
  projectOf: (context: TestContext) => FrameworkProject,
  passing = frameworks[framework].passing,
): void {
  const { heading, failing, args, summary, results, timeoutMs } = frameworks[framework];
  const others = [firstSteps(framework).file.file, ...passing];
  const hasFixtures = framework === "vitest" || framework === "playwright";

  let ran: ReturnType<typeof runTests> | undefined;
  /** The framework runs once for all tests: starting it takes most of the time. */
  const runAll = (context: TestContext) => {
    ran ??= runTests(projectOf(context), args([...others, failing]));
    return ran;
  };
  const outputOf = async (context: TestContext) => (await runAll(context)).output;

  // A retried test passes, because it has a fresh world.
  it("passes the first test of the page and others, and exits", async (context) => {
    const output = await outputOf(context);
    expect(output).toMatch(summary(others.length));
    expect(output).not.toMatch(/did not exit|failed to exit|force exited|open handle|hanging/);
  });

  it("has types that accept correct uses and reject wrong ones", async (context) => {
    const { cwd } = projectOf(context);
    const shared = hasFixtures ? "test-with.ts" : "use-mock.ts";
    const text = await readFile(join(projects, "types", shared), "utf8");
    await writeFile(join(cwd, "types.ts"), text.replace("FRAMEWORK", framework));
    const files = ["types.ts", ...(hasFixtures ? ["own-types.ts"] : [])];
    const tsc = join(repository, "node_modules/typescript/bin/tsc");
    const types = ["--typeRoots", join(repository, "node_modules/@types"), "--types", "node"];
    const strict = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2023", "--module", "nodenext"];
    const lib = ["--lib", "es2023,dom,esnext.disposable"];
    await run(process.execPath, [tsc, ...strict, ...lib, ...types, ...files], { cwd });
  });

  describe("when tests fail", () => {
    const names = ["fails each time", "fails by a timeout", "fails in a hook"];
    it.for(names)("prints the requests and the report of the test that %s", async (name, context) => {
      const words = name.replaceAll(" ", "-");
      const shown = new RegExp(
        `\\n *The requests of this test \\(report: (usergroup-mock-report/${words}-[0-9a-f]{16}\\.html)\\):\\n` +
          ` *#1 GET /api/user {"user_group_id":"failing","name":"Failing"} → 201 {"success":1`,
      );
      const output = await outputOf(context);
      expect(output).toMatch(shown);
      const [, report = ""] = shown.exec(output) ?? [];
      const html = await readFile(join(projectOf(context).cwd, report), "utf8");
      expect(html).toContain("failing");
      expect(html).toMatch(/^<!doctype html>/i);
      const test = JSON.parse(/ id="test">(.*)<\/script>/.exec(html)?.[1] ?? "{}");
      expect(test).toMatchObject({
        title: expect.stringContaining(name),
        file: failing,
        framework: heading,
        attempt: expect.any(Number),
        error: { message: expect.stringMatching(/./) },
      });
      // Playwright has both values only in the message.
      if (name === "fails each time" && framework !== "playwright") {
        expect(test.error).toMatchObject({ expected: "200", actual: "201" });
      }
    });

    it("prints no request of another test or attempt, and saves no report for tests that pass", async (context) => {
      expect(await outputOf(context)).not.toMatch(/#2|→ 200/);
      const saved = await readdir(join(projectOf(context).cwd, "usergroup-mock-report"));
      expect(saved.filter((file) => !/^(fails|passes-when)-/.test(file))).toEqual([]);
    });

    it("has its result recorded, and its place, which no other test has", async (context) => {
      const tests = (await runAll(context)).tests.filter(({ file }) => file === failing);
      expect(resultsOf(tests)).toEqual(results.toSorted());
      for (const test of tests) expect(test.framework).toBe(heading);
      expect(tests.find((test) => testName(test) === "passes")?.timeoutMs).toBe(timeoutMs);
      for (const key of ["id", "world"] as const)
        expect(new Set(tests.map((test) => test[key])).size).toBe(tests.length);
    });

    if (framework === "node-test") {
      const late = [
        "has a subtest that fails",
        "fails in a later hook",
        "has a subtest that fails in a later hook",
        "fails with a frozen error",
        "times out",
        "is cancelled",
      ];
      const reporters = ["spec", "tap"];
      let ranLate: ReturnType<typeof runTests> | undefined;
      /** Each reporter prints into a file of its name. */
      const runLate = (context: TestContext) => {
        const printing = reporters.flatMap((name) => [
          `--test-reporter=${name}`,
          `--test-reporter-destination=${name}.txt`,
        ]);
        const files = ["late-failures.test.mjs", "never-ends.test.mjs"];
        ranLate ??= runTests(projectOf(context), ["--test", ...printing, ...files]);
        return ranLate;
      };
      it.for(reporters)(
        "prints the requests of late failures and timeouts: %s",
        async (reporter, context) => {
          const { cwd } = projectOf(context);
          await runLate(context);
          const output = await readFile(join(cwd, `${reporter}.txt`), "utf8");
          for (const name of late) {
            const words = name.replaceAll(" ", "-");
            const shown = new RegExp(
              `\\(report: (usergroup-mock-report/${words}-\\w+\\.html)\\):\\n[ #\\\\]*#1 GET`,
            );
            expect(output).toMatch(shown);
            const [, report = ""] = shown.exec(output) ?? [];
            expect(await readFile(join(cwd, report), "utf8")).toContain('"user_group_id":"late"');
          }
          expect(output).toMatch(
            /No request of this test reached the mock at http:\S+\/worlds\/sends-nothing-/,
          );
          expect(output).not.toMatch(/worlds\/does-not-use-mock|report\/(sends-nothing|does-not|passes)/);
          expect(output).toMatch(/ pass 1\n/);
        },
      );

      it("has the results of late failures recorded, and that of a test whose process ends", async (context) => {
        const { tests } = await runLate(context);
        expect(Object.fromEntries(tests.map(({ titles, result }) => [titles.at(-1), result]))).toEqual({
          ...Object.fromEntries(late.map((title) => [title, "failed"])),
          "does not use mock": "failed",
          "sends nothing": "failed",
          "passes after tests that are over": "passed",
          "never ends": "unfinished",
        });
      });
    }

    if (framework === "playwright") {
      it("attaches the report to the test", async (context) => {
        expect(await outputOf(context)).toContain("attachment #1: usergroup-mock report (text/html)");
      });
    }

    if (framework === "vitest") {
      it("prints the requests once an attempt, though vitest prints the message of an error twice", async (context) => {
        const printed = (await outputOf(context)).match(/report: usergroup-mock-report\/fails-each-time/g);
        // Two attempts have other tokens, so vitest does not take their errors for equal.
        expect(printed).toHaveLength(2);
      });
    }
  });
}
