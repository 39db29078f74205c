import { randomUUID } from "node:crypto";
import { test as base, type TestAPI } from "vitest";
import { type Mock, startMock, type World } from "../index.js";
import { mockOfSetUp } from "./set-up.js";
import { checkWorld, readTestOptions, type TestOptions } from "./test-options.js";
import { TestWorld } from "./test-world.js";
import { followTask, type RunningTask } from "./vitest-task.js";

export type { TestOptions } from "./test-options.js";

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
 * its requests are printed below the error, and its report is saved in `usergroup-mock-report`.
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
 * The same `test`, with options: those of the servers, and what is checked at the end of each test.
 *
 * @example
 * import { testWith } from "usergroup-mock/vitest";
 *
 * const test = testWith({ fixtures: "test/groups.json", assertFaultsFired: true });
 */
export function testWith(options: TestOptions = {}): TestAPI<MockFixtures> {
  const { server: serverOptions, checks } = readTestOptions(options);
  let server: Promise<Mock> | undefined;
  const beginOwn = async ({ task, onTestFinished }: RunningTask): Promise<World> => {
    const began = performance.now();
    server ??= startMock(serverOptions);
    const started = await server;
    const left = task.timeout - (performance.now() - began);
    const ofTest = await new TestWorld(started, task.name, task.id, false, left).begin();
    followTask(ofTest, { task, onTestFinished });
    return ofTest.world;
  };
  return base.extend<MockFixtures>({
    mock: async ({ task, onTestFinished }, use) => {
      // A set-up has begun the test already.
      const world = mockOfSetUp(serverOptions)?.mock ?? (await beginOwn({ task, onTestFinished }));
      // Runs before the hook of followTask: the last one comes first.
      onTestFinished(async () => {
        if (task.result?.state !== "fail") await checkWorld(world, checks);
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

declare module "vitest" {
  interface TaskMeta {
    /** The file with the report of a failed test. */
    usergroupMockReport?: string;
  }
}
