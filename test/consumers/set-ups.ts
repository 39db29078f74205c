import { randomInt } from "node:crypto";
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, type TestContext } from "vitest";
import { type Framework, type FrameworkProject, frameworks, plain } from "./frameworks.js";
import { repository } from "./package-in-use.js";
import { blocksOfPage, blocksOfSection } from "./page-blocks.js";
import { run, start } from "./processes.js";

const page = "one-base-url.md";
const configFile = "usergroup-mock.config.json";

/** How the project `projects/set-up-<framework>` is tested. In all frameworks, its files ask for the same. */
interface SetUp {
  /** The command of the page, and the arguments of Node that do the same. */
  readonly command: string;
  readonly args: readonly string[];
  readonly failing: string;
  /** Tests that overlap, where the framework can have them in one worker. */
  readonly overlapping?: string;
}

const setUps: Readonly<Record<Framework, SetUp>> = {
  vitest: {
    command: "npx vitest run",
    args: ["../node_modules/vitest/vitest.mjs", "run"],
    failing: "failing.test.mjs",
    overlapping: "overlapping.test.mjs",
  },
  jest: {
    command: "npx jest",
    args: ["../node_modules/jest/bin/jest.js"],
    failing: "failing.test.js",
    overlapping: "overlapping.test.js",
  },
  playwright: {
    command: "npx playwright test",
    args: ["../node_modules/@playwright/test/cli.js", "test"],
    failing: "failing.spec.mjs",
  },
  "node-test": {
    command: "node --import usergroup-mock/node-test/setup --test",
    args: ["--import", "usergroup-mock/node-test/setup", "--test", "--test-reporter=spec"],
    failing: "failing.test.mjs",
    overlapping: "overlapping.test.mjs",
  },
};

/** The files that the page shows for a framework, and the file with the test. */
function filesOf(framework: Framework) {
  const blocks = [...blocksOfPage(page).slice(0, 2), ...blocksOfSection(page, frameworks[framework].heading)];
  const commands = blocks.filter(({ language }) => language === "sh").map(({ text }) => text.trim());
  expect(commands).toEqual([setUps[framework].command]);
  const files = blocks.filter(({ language }) => language !== "sh");
  return files.map(({ kind, file, text }) => [kind === "config" ? configFile : file, text] as const);
}

/** The page uses ports that something else may listen on: 3000 and 4010. */
function withPort(text: string, port: number): string {
  return text
    .replaceAll("3000", String(port))
    .replace("mockServers()", `mockServers({ port: ${port + 10} })`)
    .replace("mockServers({ workers })", `mockServers({ workers, port: ${port + 10} })`);
}

async function editConfig(cwd: string, from: string, to: string): Promise<void> {
  const config = join(cwd, "jest.config.cjs");
  await writeFile(config, (await readFile(config, "utf8")).replace(`${from}:`, `${to}:`));
}

/** Tests of the set-up of a framework, in a folder below a project that hooks or tests before them prepare. */
export function testSetUp(
  framework: Framework,
  projectOf: (context: TestContext) => FrameworkProject,
  isJest29 = false,
): void {
  const { args, failing, overlapping } = setUps[framework];

  describe("its set-up for a program with one base URL", () => {
    let prepared: Promise<string> | undefined;
    const folderOf = (context: TestContext) => {
      prepared ??= prepare(projectOf(context).cwd);
      return prepared;
    };
    const prepare = async (project: string) => {
      const cwd = join(project, "set-up");
      await mkdir(cwd);
      const port = randomInt(20_000, 30_000);
      for (const [file, text] of filesOf(framework)) await writeFile(join(cwd, file), withPort(text, port));
      // It does not wait for what the page shows first.
      if (isJest29) await editConfig(cwd, "setupFilesAfterEnv", "setupFiles");
      await cp(join(repository, "test/consumers/projects", `set-up-${framework}`), cwd, { recursive: true });
      return cwd;
    };
    const example = framework === "playwright" ? "rotate.spec" : "rotate.test";
    const fails = async (context: TestContext, ...more: string[]) => {
      const cwd = await folderOf(context);
      await using running = start(projectOf(context).node, [...args, ...more], { cwd, env: plain });
      expect(await running.ended(120_000)).not.toBe(0);
      return stripVTControlCharacters(running.output());
    };
    const passes = async (context: TestContext, ...more: string[]) => {
      const cwd = await folderOf(context);
      const output = await run(projectOf(context).node, [...args, ...more], { cwd, env: plain });
      expect(output).not.toMatch(/did not exit|failed to exit|force exited|open handle|timed out|hanging/);
      return output;
    };
    // node:test takes files, the others patterns.
    const file = (name: string) => (framework === "node-test" ? `./${name}` : name);

    it("passes the test of the page", async (context) => {
      const output = await passes(context, file(framework === "node-test" ? `${example}.mjs` : example));
      expect(output).toMatch(/\b1 passed|pass 1\b/);
    });

    describe("when tests fail", () => {
      let failed: Promise<string> | undefined;
      const outputOf = (context: TestContext) => {
        failed ??= fails(context, file(failing));
        return failed;
      };
      const listed = (words: string) =>
        new RegExp(
          `The requests of this test \\(report: (usergroup-mock-report/${words}-[0-9a-f]{8}\\.html)\\):\\n *#1`,
        );

      it("prints the requests of a test that does not use mock, and saves its report", async (context) => {
        const output = await outputOf(context);
        const [, report = ""] = listed("fails-without-mock").exec(output) ?? [];
        expect(output).toContain('{"current_token":"unknown"} → 404');
        expect(await readFile(join(await folderOf(context), report), "utf8")).toMatch(/^<!doctype html>/i);
      });

      it("begins each test with a fresh world", async (context) => {
        expect(await outputOf(context)).not.toMatch(/begins afresh.*\n.*(Error|expected)/i);
        expect(await outputOf(context)).not.toContain("#2");
        expect(await outputOf(context)).toMatch(/1 passed|pass 1\b/);
      });

      it("fails a test whose fault did not fire, and one that ignored a failure, if that is asked for", async (context) => {
        const output = await outputOf(context);
        expect(output).toContain("1 of 1 fault did not fire as often as armed.");
        expect(output).toContain("none of your requests reached the mock");
        expect(output).toContain("1 of 1 request failed:");
        expect(output).toMatch(listed("ignores-a-failure"));
      });
    });

    if (overlapping !== undefined) {
      it("refuses tests that overlap, with one line", async (context) => {
        expect(await fails(context, file(overlapping))).toContain("Tests of this worker overlap");
      });
    }

    if (framework === "vitest") {
      it("follows the tests of every file that shares a process with others", async (context) => {
        const cwd = await folderOf(context);
        await cp(join(cwd, failing), join(cwd, `second-${failing}`));
        const output = await fails(context, "--no-isolate", "--max-workers=1", failing);
        await rm(join(cwd, `second-${failing}`));
        const reports = output.match(/report: usergroup-mock-report\/fails-without-mock-\w+\.html/g);
        expect(new Set(reports).size).toBe(2);
      });
    }

    if (isJest29) {
      it("names the other place for it where Jest does not wait", async (context) => {
        const cwd = await folderOf(context);
        await editConfig(cwd, "setupFiles", "setupFilesAfterEnv");
        const output = await fails(context, failing);
        await editConfig(cwd, "setupFilesAfterEnv", "setupFiles");
        expect(output).toContain("Move usergroup-mock/jest/setup to setupFiles");
      });
    }

    if (framework === "node-test") {
      it("does not keep a file without tests alive", async (context) => {
        await passes(context, "./no-tests.mjs");
      });
    }

    if (framework === "playwright") {
      it("refuses more workers than mocks, with one line", async (context) => {
        const line =
          /Playwright uses 2 workers, but mockServers\(\) starts mocks for 1\. .* Set workers: 1, or start/;
        expect(await fails(context, "--workers=2", example)).toMatch(line);
      });

      it("gives each worker an application and a mock of its own", async (context) => {
        const cwd = await folderOf(context);
        await cp(join(cwd, `${example}.mjs`), join(cwd, `second-${example}.mjs`));
        const output = await passes(context, "--config=two-workers.config.mjs", example);
        expect(output).toContain("using 2 workers");
        expect(output).toMatch(/\b2 passed/);
        await rm(join(cwd, `second-${example}.mjs`));
      });
    } else {
      it("says what it needs where there is no config file", async (context) => {
        const cwd = await folderOf(context);
        await rename(join(cwd, configFile), join(cwd, "moved.json"));
        const output = await fails(context, file(failing));
        await rename(join(cwd, "moved.json"), join(cwd, configFile));
        expect(output).toContain(`The config file ${configFile} cannot be read`);
        expect(output).toContain(
          `{ "set": { "USER_GROUP_URL": "{url}", "USER_GROUP_TOKEN": "{apiToken}" } }`,
        );
      });
    }
  });
}
