import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { test as base } from "@playwright/test";
import { connectMock, startMock, type World } from "../index.js";
import { addToError } from "./add-to-error.js";
import { type MockServer, workersVariable } from "./playwright-setup.js";
import { type MockFixtures, readServerOptions, type TestOptions } from "./test-options.js";
import { rejectOptions } from "./test-server.js";
import { type SharedMock, TestWorld } from "./test-world.js";

export type { TestOptions } from "./test-options.js";

/**
 * Playwright's `test`, whose tests also receive `mock`.
 * @example const test: MockTest = testWith({ seed: "random" });
 */
export type MockTest = ReturnType<typeof base.extend<MockFixtures>>;

/** The server of a worker of Playwright. */
interface MockOfWorker {
  readonly server: World;
  readonly shared?: SharedMock;
}

/**
 * Playwright's `test` with a `mock` fixture: one server per worker, and a world for each test. If a test
 * fails, its requests are printed below the error, and its report is saved in `usergroup-mock-report` and attached to the test.
 *
 * @example
 * import { test } from "usergroup-mock/playwright";
 *
 * test("creates a group", async ({ mock }) => {
 *   await createUserGroup({ baseUrl: mock.url, apiToken: mock.apiToken });
 *   await mock.assertNoFailures();
 * });
 */
export const test: MockTest = testWith();

/**
 * Playwright's `test` with a `mock` fixture and options: those of the servers, and what is checked after each test.
 *
 * @example
 * import { testWith } from "usergroup-mock/playwright";
 *
 * const test = testWith({ fixtures: "test/groups.json", assertFaultsFired: true });
 */
export function testWith(options: TestOptions = {}): MockTest {
  const serverOptions = readServerOptions(options);
  const { [workersVariable]: mocks } = process.env;
  const isSetUp = mocks !== undefined;
  return base.extend<MockFixtures, { mockServer: MockOfWorker }>({
    mockServer: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
      async ({}, use, { parallelIndex, config }) => {
        if (isSetUp) {
          rejectOptions(serverOptions);
          const environments: MockServer["env"][] = JSON.parse(mocks);
          const { length } = environments;
          if (config.workers > length) {
            throw new Error(
              `Playwright uses ${config.workers} workers, but mockServers() starts mocks for ${length}. All workers use the application of webServer, so tests would influence each other. Set workers: ${length}, or start one mock and one application per worker: mockServers({ workers: ${config.workers} }).`,
            );
          }
          const variables = environments[parallelIndex] ?? {};
          const server = await connectMock(variables.USERGROUP_MOCK_URL ?? "");
          return use({ server, shared: { variables } });
        }
        const server = await startMock(serverOptions);
        await use({ server });
        await server.stop();
      },
      { scope: "worker" },
    ],
    mock: [
      async ({ mockServer: { server, shared } }, use, testInfo) => {
        const { file, line, testId: key, timeout: timeoutMs, retry, titlePath, config } = testInfo;
        const root = config.configFile ? dirname(config.configFile) : config.rootDir;
        // The first title is that of the file.
        const titles = titlePath.slice(1);
        const place = { framework: "Playwright", root, file, line, titles, key } as const;
        const test = { ...place, attempt: retry + 1, timeoutMs, hasFailed: () => testInfo.errors.length > 0 };
        const ofTest = await new TestWorld(server, test, shared).begin();
        await use(ofTest.use());
        const unmet = await ofTest.check(options).then(undefined, (error: Error) => error);
        const isGood = testInfo.status === testInfo.expectedStatus && unmet === undefined;
        const passed = testInfo.status === "skipped" ? "skipped" : "passed";
        const error = unmet ?? testInfo.errors[0];
        const text = await ofTest.end(isGood ? passed : "failed", error);
        if (text !== "") addToError(error, text);
        if (existsSync(ofTest.report)) {
          await testInfo.attach("usergroup-mock report", { path: ofTest.report, contentType: "text/html" });
        }
        if (unmet !== undefined) throw unmet;
      },
      // With a set-up, the program uses the mock even if the test does not.
      { auto: isSetUp },
    ],
  });
}
