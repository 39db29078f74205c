import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { relative } from "node:path";
import { test as base, type TestAPI, type TestContext } from "vitest";
import { type Mock, type MockOptions, startMock, type World } from "../index.js";
import type { AttemptResult, RecordedTest } from "../run/test-results.js";
import { recordTest } from "./record-test.js";
import { refuseOtherVersions } from "./supported-version.js";
import { addToError, beginWorld, recordFailure } from "./test-world.js";

const { version } = createRequire(import.meta.url)("vitest/package.json");
refuseOtherVersions({ framework: "vitest", range: "3.2, 4 and 5", from: [3, 2], to: 5 }, version);

/**
 * What a test of `usergroup-mock/vitest` receives.
 * @example test("creates a group", async ({ mock }: MockFixtures) => {});
 */
export interface MockFixtures {
  /** A world for this test only. Pass its `url` and `apiToken` to the program under test. */
  mock: World;
}

/**
 * vitest's `test` with a `mock` fixture: one server a worker, and a world of its own for every test. If a test fails,
 * its calls stand under its error, and its report is saved in `usergroup-mock-report`.
 *
 * @example
 * import { test } from "usergroup-mock/vitest";
 *
 * test("creates a group", async ({ mock }) => {
 *   await createUserGroup({ baseUrl: mock.url, apiToken: mock.apiToken });
 *   await mock.assertNoFailures();
 * });
 */
export const test: TestAPI<MockFixtures> = testWith();

/**
 * The same `test`, with servers that start with options.
 *
 * @example
 * import { testWith } from "usergroup-mock/vitest";
 *
 * const test = testWith({ fixtures: "test/groups.json" });
 */
export function testWith(options: MockOptions = {}): TestAPI<MockFixtures> {
  let server: Promise<Mock> | undefined;
  return base.extend<MockFixtures>({
    mock: async ({ task, onTestFinished }, use) => {
      server ??= startMock(options);
      const world = await beginWorld(await server, task.name, task.id);
      const tell = recordTest(recordedTask(task, world.name));
      // Those of the attempts before this one.
      const earlier = task.result?.errors?.length ?? 0;
      // Not after `use`: vitest 3.2 does not come back to it when an afterEach hook fails.
      onTestFinished(async () => {
        tell(attemptOf(task));
        if (task.result?.state !== "fail") return world.drop();
        const { report, text } = await recordFailure(world);
        if (report !== undefined) task.meta.usergroupMockReport = report;
        for (const error of task.result.errors?.slice(earlier, earlier + 1) ?? []) addToError(error, text);
      });
      await use(world);
    },
    // vitest 3.2 keeps the fixtures of a worker by their names, whichever `test` they belong to.
    [`mockServer-${randomUUID()}`]: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern.
      async ({}, use: (nothing: undefined) => Promise<void>) => {
        await use(undefined);
        await (await server)?.stop();
        server = undefined;
      },
      { scope: "worker", auto: true },
    ],
  });
}

type Task = TestContext["task"];

function recordedTask(task: Task, world: string): RecordedTest {
  const titles = [task.name];
  for (let { suite } = task; suite !== undefined; { suite } = suite) titles.unshift(suite.name);
  const file = relative(process.cwd(), task.file.filepath);
  return { id: world, framework: "vitest", file, titles, world, timeoutMs: task.timeout };
}

function attemptOf({ result, fails = false }: Task): AttemptResult {
  if (result?.state === "skip") return "skipped";
  return (result?.state === "fail") === fails ? "passed" : "failed";
}

declare module "vitest" {
  interface TaskMeta {
    /** The file with the report of a failed test. */
    usergroupMockReport?: string;
  }
}
