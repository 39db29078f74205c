import { randomInt } from "node:crypto";
import { cp, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, type TestContext } from "vitest";
import { type Framework, type FrameworkProject, frameworks, plain } from "./frameworks.js";
import { repository } from "./package-in-use.js";
import { blocksOfPage, blocksOfSection } from "./page-blocks.js";
import { run, start } from "./processes.js";

const page = "one-base-url.md";
const configFile = "usergroup-mock.config.json";

/** How the project `projects/set-up-<framework>` is tested. The projects have equivalent files. */
interface SetUp {
  /** The command of the page, and the equivalent arguments of Node. */
  readonly command: string;
  readonly args: readonly string[];
  readonly failing: string;
  /** Tests that overlap, if the framework can run them in one worker. */
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
function listFiles(framework: Framework) {
  const blocks = [...blocksOfPage(page).slice(0, 2), ...blocksOfSection(page, frameworks[framework].heading)];
  const commands = blocks.filter(({ language }) => language === "sh").map(({ text }) => text.trim());
  expect(commands).toEqual([setUps[framework].command]);
  const files = blocks.filter(({ language }) => language !== "sh");
  return files.map(({ kind, file, text }) => [kind === "config" ? configFile : file, text] as const);
}

/** Replaces the ports of the page, 3000 and 4010, because they may be in use. */
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

/** Defines the tests of the set-up of a framework. Earlier hooks or tests prepare the project. */
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
      for (const [file, text] of listFiles(framework)) await writeFile(join(cwd, file), withPort(text, port));
      // Jest 29 does not support setupFilesAfterEnv, which the page shows first.
      if (isJest29) await editConfig(cwd, "setupFilesAfterEnv", "setupFiles");
      await cp(join(repository, "test/consumers/projects", `set-up-${framework}`), cwd, { recursive: true });
      return cwd;
    };
    const example = framework === "playwright" ? "rotate.spec" : "rotate.test";
    const fails = async (context: TestContext, ...more: string[]) => {
      const cwd = await folderOf(context);
      await using running = start(projectOf(context).node, [...args, ...more], { cwd, env: plain });
      expect(await running.ended()).not.toBe(0);
      return stripVTControlCharacters(running.output());
    };
    const passes = async (context: TestContext, ...more: string[]) => {
      const cwd = await folderOf(context);
      const output = await run(projectOf(context).node, [...args, ...more], { cwd, env: plain });
      expect(output).not.toMatch(/did not exit|failed to exit|force exited|open handle|timed out|hanging/);
      return output;
    };
    // node:test accepts files, the others patterns.
    const file = (name: string) => (framework === "node-test" ? `./${name}` : name);

    it("passes the test of the page, and lets a file without tests exit", async (context) => {
      const files = framework === "node-test" ? [`./${example}.mjs`, "./no-tests.mjs"] : [example];
      // To node:test, such a file is a test that passes.
      expect(await passes(context, ...files)).toMatch(/\b1 passed|pass 2\b/);
    });

    describe("when tests fail", () => {
      let failed: Promise<string> | undefined;
      const outputOf = (context: TestContext) => {
        failed ??= fails(context, file(failing));
        return failed;
      };
      const listed = (words: string) =>
        new RegExp(
          `The requests of this test \\(report: (\\S*usergroup-mock-report/${words}-[0-9a-f]{16}\\.html)\\):\\n *#1`,
        );

      it("prints the requests of a test that does not use mock, saves its report, and starts the next with a fresh world", async (context) => {
        const output = await outputOf(context);
        const [, report = ""] = listed("fails-without-mock").exec(output) ?? [];
        expect(output).toContain('{"current_token":"unknown"} → 404');
        expect(await readFile(resolve(await folderOf(context), report), "utf8")).toMatch(/^<!doctype html>/i);
        expect(output).not.toContain("#2");
        expect(output).toMatch(/1 passed|pass 1\b/);
      });

      it("prints the variables once if no request has reached the mock yet, and nothing for later tests without requests", async (context) => {
        const lines = (await outputOf(context)).match(/No request has reached the mock so far\. .*/g);
        const url = "http://127\\.0\\.0\\.1:\\d+";
        for (const name of ["USERGROUP_MOCK_URL", "USER_GROUP_URL"])
          expect(lines?.[0]).toMatch(new RegExp(`The set-up has set .*\\b${name}=${url}, `));
        const advice = "does your program read these variables, and was the request awaited? If nock or msw";
        expect(lines?.[0]).toContain(`_TOKEN=test-api-token: ${advice} is active, `);
        // The spec reporter of Node 20 prints every error twice.
        expect(new Set(lines).size).toBe(1);
        const reports = await readdir(join(await folderOf(context), "usergroup-mock-report"));
        expect(reports.filter((name) => /without-a-request|arms-a-fault/.test(name))).toEqual([]);
      });

      it("fails tests with unfired faults or failed requests, if the checks are switched on", async (context) => {
        const output = await outputOf(context);
        expect(output).toContain("1 of 1 fault did not fire as often as expected.");
        expect(output).toContain("1 of 1 request failed:");
        expect(output).toMatch(listed("ignores-a-failure"));
      });

      it("rejects a token that the program kept from the test before", async (context) => {
        const cause = "404 unknown_token: The current_token was issued before the last reset.";
        expect(await outputOf(context)).toContain(cause);
      });
    });

    if (overlapping !== undefined) {
      it("rejects tests that overlap, with one line", async (context) => {
        expect(await fails(context, file(overlapping))).toContain("Tests of this worker overlap");
      });
    }

    if (framework === "vitest") {
      it("saves reports for tests of every file if files share a process", async (context) => {
        const cwd = await folderOf(context);
        await cp(join(cwd, failing), join(cwd, `second-${failing}`));
        const output = await fails(context, "--no-isolate", "--max-workers=1", failing);
        await rm(join(cwd, `second-${failing}`));
        const reports = output.match(/report: \S*usergroup-mock-report\/fails-without-mock-\w+\.html/g);
        expect(new Set(reports).size).toBe(2);
      });
    }

    it("finds the config file above its project in a monorepo, and saves reports in the project", async (context) => {
      const { cwd, node } = projectOf(context);
      const repository = join(cwd, "monorepo");
      const shop = join(repository, "packages/shop");
      await cp(await folderOf(context), shop, { recursive: true });
      await rm(join(shop, "usergroup-mock-report"), { recursive: true, force: true });
      await rename(join(shop, configFile), join(repository, configFile));
      await mkdir(join(repository, ".git"));
      for (const { file, text } of blocksOfSection(page, "Monorepos")) {
        if (file !== "") await writeFile(join(repository, file), text);
      }
      const jestConfig = { projects: ["<rootDir>/packages/*"] };
      await writeFile(join(repository, "jest.config.json"), JSON.stringify(jestConfig));
      const selected = {
        vitest: [failing],
        jest: [failing],
        playwright: ["--config=packages/shop", failing],
        "node-test": [`packages/shop/${failing}`],
      }[framework];
      await using running = start(node, [...args, ...selected], { cwd: repository, env: plain });
      expect(await running.ended(), running.output()).toBe(1);
      const output = stripVTControlCharacters(running.output());
      const shown = /report: (packages\/shop\/usergroup-mock-report\/fails-without-mock-\w+\.html)/;
      const [, report = ""] = shown.exec(output) ?? [];
      expect(await readFile(join(repository, report), "utf8")).toMatch(/^<!doctype html>/i);
    });

    if (isJest29) {
      it("rejects setupFilesAfterEnv and suggests setupFiles", async (context) => {
        const cwd = await folderOf(context);
        await editConfig(cwd, "setupFiles", "setupFilesAfterEnv");
        const output = await fails(context, failing);
        await editConfig(cwd, "setupFilesAfterEnv", "setupFiles");
        expect(output).toContain("Move usergroup-mock/jest/setup to setupFiles");
      });
    }

    if (framework === "playwright") {
      it("rejects more workers than mocks, with one line", async (context) => {
        const line =
          /Playwright uses 2 workers, but mockServers\(\) starts mocks for 1\. .* Set workers: 1, or start/;
        expect(await fails(context, "--workers=2", example)).toMatch(line);
      });

      it("gives each worker its own application and mock", async (context) => {
        const cwd = await folderOf(context);
        await cp(join(cwd, `${example}.mjs`), join(cwd, `second-${example}.mjs`));
        const output = await passes(context, "--config=two-workers.config.mjs", example);
        expect(output).toContain("using 2 workers");
        expect(output).toMatch(/\b2 passed/);
        await rm(join(cwd, `second-${example}.mjs`));
      });
    } else {
      it("rejects a missing config file, and shows an example", async (context) => {
        const cwd = await folderOf(context);
        await rename(join(cwd, configFile), join(cwd, "moved.json"));
        const output = await fails(context, file(failing));
        await rename(join(cwd, "moved.json"), join(cwd, configFile));
        const folder = await realpath(cwd);
        expect(output).toMatch(
          new RegExp(`no ${configFile} in\\n[ #]*${folder}\\n[ #]*${dirname(folder)}\\n`),
        );
        expect(Math.max(...output.split("\n").map(({ length }) => length))).toBeLessThan(300);
        expect(output).toContain(
          `{ "set": { "USER_GROUP_URL": "{url}", "USER_GROUP_TOKEN": "{apiToken}" } }`,
        );
      });
    }
  });
}
