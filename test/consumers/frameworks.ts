import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, type TestContext } from "vitest";
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
}

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
    summary: (others) => new RegExp(`Test Files +1 failed \\| ${others} passed .*\n +Tests +3 failed \\|`),
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
  },
  playwright: {
    heading: "Playwright",
    packages: ["@playwright/test"],
    passing: ["worlds.spec.ts", "commonjs.spec.cjs"],
    failing: "failing.spec.ts",
    args: (files) => ["node_modules/@playwright/test/cli.js", "test", "--workers=2", ...files],
    summary: () => /\n +3 failed\n.*\n +1 flaky\n.*\n +\d+ passed /s,
  },
  "node-test": {
    heading: "node:test",
    packages: [],
    passing: ["worlds.test.mjs", "concurrent.test.cjs"],
    failing: "failing.test.mjs",
    args: (files) => ["--test", "--test-reporter=spec", ...files],
    summary: () => / pass [1-9]\d*\n. fail 2\n. cancelled 1\n/,
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

/** Defines the tests of a framework. Earlier hooks or tests prepare the project. */
export function testFramework(
  framework: Framework,
  projectOf: (context: TestContext) => FrameworkProject,
  passing = frameworks[framework].passing,
): void {
  const { failing, args, summary } = frameworks[framework];
  const others = [firstSteps(framework).file.file, ...passing];
  const hasFixtures = framework === "vitest" || framework === "playwright";

  let ran: Promise<string> | undefined;
  /** The output of the framework. It runs once for all tests: starting it takes most of the time. */
  const outputOf = (context: TestContext) => {
    ran ??= runAll(projectOf(context));
    return ran;
  };
  const runAll = async ({ cwd, node }: FrameworkProject) => {
    await using running = start(node, args([...others, failing]), { cwd, env: plain });
    expect(await running.ended(240_000), running.output()).toBe(1);
    return stripVTControlCharacters(running.output());
  };

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
        framework: expect.any(String),
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
      let ranLate: Promise<void> | undefined;
      /** Writes what each reporter prints into a file of its name. */
      const runLate = async ({ cwd, node }: FrameworkProject) => {
        const printing = reporters.flatMap((name) => [
          `--test-reporter=${name}`,
          `--test-reporter-destination=${name}.txt`,
        ]);
        await using running = start(node, ["--test", ...printing, "late-failures.test.mjs"], {
          cwd,
          env: plain,
        });
        expect(await running.ended(60_000), running.output()).toBe(1);
      };
      it.for(reporters)(
        "prints the requests of late failures and timeouts: %s",
        async (reporter, context) => {
          const { cwd } = projectOf(context);
          ranLate ??= runLate(projectOf(context));
          await ranLate;
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
