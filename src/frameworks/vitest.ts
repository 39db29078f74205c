import { randomUUID } from "node:crypto";
import { test as base, type TestAPI } from "vitest";
import { startMock } from "../index.js";
import { type MockFixtures, readServerOptions, type TestOptions } from "./test-options.js";
import { mockOfSetUp, TestServer } from "./test-server.js";
import { followTask } from "./vitest-task.js";

export type { MockFixtures, TestOptions } from "./test-options.js";

/**
 * vitest's `test` with a `mock` fixture: one server per worker, and a world for each test. If a test fails,
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

export { test as it };

/**
 * vitest's `test` with a `mock` fixture and options: those of the servers, and what is checked after each test.
 *
 * @example
 * import { testWith } from "usergroup-mock/vitest";
 *
 * const test = testWith({ fixtures: "test/groups.json", assertFaultsFired: true });
 */
export function testWith(options: TestOptions = {}): TestAPI<MockFixtures> {
  const serverOptions = readServerOptions(options);
  const server = new TestServer(() => startMock(serverOptions));
  return base.extend<MockFixtures>({
    mock: async ({ task, onTestFinished }, use) => {
      // A set-up has begun the test already.
      const ofTest =
        mockOfSetUp(serverOptions)?.runningTest() ?? (await followTask(server, { task, onTestFinished }));
      // Runs before the hook of followTask: vitest runs the last one first.
      onTestFinished(() => ofTest.check(options));
      await use(ofTest.use());
    },
    // The name is unique: vitest 3.2 shares fixtures of a worker that have the same name in two `test` objects.
    [`mockServer-${randomUUID()}`]: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern.
      async ({}, use: (nothing: undefined) => Promise<void>) => {
        await use(undefined);
        await server.stop();
      },
      { scope: "worker", auto: true },
    ],
  });
}

declare module "vitest" {
  interface TaskMeta {
    /** The file with the report of a failed test, for reporters. */
    usergroupMockReport?: string;
  }
}
