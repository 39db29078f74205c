import { createRequire } from "node:module";
import { relative } from "node:path";
import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestInfo,
  type TestType,
} from "@playwright/test";
import { type Mock, type MockOptions, startMock, type World } from "../index.js";
import type { RecordedTest } from "../run/test-results.js";
import { recordTest } from "./record-test.js";
import { refuseOtherVersions } from "./supported-version.js";
import { addToError, beginWorld, recordFailure } from "./test-world.js";

const { version } = createRequire(import.meta.url)("@playwright/test/package.json");
refuseOtherVersions({ framework: "Playwright", range: "from 1.40", from: [1, 40], to: 1 }, version);

/**
 * Playwright's `test`, whose tests also receive `mock`.
 * @example const test: MockTest = testWith({ seed: "random" });
 */
export type MockTest = TestType<
  PlaywrightTestArgs &
    PlaywrightTestOptions & {
      /** A world for this test only. Pass its `url` and `apiToken` to the program under test. */
      mock: World;
    },
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
>;

/**
 * Playwright's `test` with a `mock` fixture: one server a worker, and a world of its own for every test. If a test
 * fails, its calls stand under its error, and its report is saved in `usergroup-mock-report` and attached to the test.
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
 * The same `test`, with servers that start with options.
 *
 * @example
 * import { testWith } from "usergroup-mock/playwright";
 *
 * const test = testWith({ fixtures: "test/groups.json" });
 */
export function testWith(options: MockOptions = {}): MockTest {
  return base.extend<{ mock: World }, { mockServer: Mock }>({
    mockServer: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
      async ({}, use) => {
        const server = await startMock(options);
        await use(server);
        await server.stop();
      },
      { scope: "worker" },
    ],
    mock: async ({ mockServer }, use, testInfo) => {
      const world = await beginWorld(mockServer, testInfo.title, testInfo.testId);
      const tell = recordTest(recordedTest(testInfo, world.name));
      await use(world);
      const isExpected = testInfo.status === testInfo.expectedStatus;
      tell(testInfo.status === "skipped" ? "skipped" : isExpected ? "passed" : "failed");
      if (isExpected) return world.drop();
      const { report, text } = await recordFailure(world);
      if (report !== undefined) {
        await testInfo.attach("usergroup-mock report", { path: report, contentType: "text/html" });
      }
      for (const error of testInfo.errors.slice(0, 1)) addToError(error, text);
    },
  });
}

function recordedTest({ file, titlePath, timeout }: TestInfo, world: string): RecordedTest {
  // The first one is that of the file.
  const titles = titlePath.slice(1);
  const path = relative(process.cwd(), file);
  return { id: world, framework: "Playwright", file: path, titles, world, ...knownTimeout(timeout) };
}

/** Playwright has 0 for none. */
function knownTimeout(timeoutMs: number): Pick<RecordedTest, "timeoutMs"> {
  return timeoutMs > 0 ? { timeoutMs } : {};
}
