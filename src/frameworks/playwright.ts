import { createRequire } from "node:module";
import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from "@playwright/test";
import { connectMock, startMock, type World } from "../index.js";
import { urlsVariable } from "./playwright-setup.js";
import { refuseOptions } from "./set-up.js";
import { checkWorld, readTestOptions, type TestOptions } from "./test-options.js";
import { addToError, refuseOtherVersions, TestWorld } from "./test-world.js";

export type { TestOptions } from "./test-options.js";

const { version } = createRequire(import.meta.url)("@playwright/test/package.json");
refuseOtherVersions("Playwright from 1.40", /^1\.([4-9]\d|\d{3})\./, version);

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
 * The same `test`, with options: those of the servers, and what is checked at the end of each test.
 *
 * @example
 * import { testWith } from "usergroup-mock/playwright";
 *
 * const test = testWith({ fixtures: "test/groups.json", assertFaultsFired: true });
 */
export function testWith(options: TestOptions = {}): MockTest {
  const { server: serverOptions, checks } = readTestOptions(options);
  const { [urlsVariable]: urls } = process.env;
  const isSetUp = urls !== undefined;
  return base.extend<{ mock: World }, { mockServer: World }>({
    mockServer: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
      async ({}, use, { parallelIndex, config }) => {
        if (isSetUp) {
          refuseOptions(serverOptions);
          return use(await connectMock(urlOfWorker(JSON.parse(urls), parallelIndex, config.workers)));
        }
        const server = await startMock(serverOptions);
        await use(server);
        await server.stop();
      },
      { scope: "worker" },
    ],
    mock: [
      async ({ mockServer }, use, testInfo) => {
        const ofTest = await new TestWorld(
          mockServer,
          testInfo.title,
          testInfo.testId,
          isSetUp,
          testInfo.timeout,
        ).begin();
        const { file, timeout, titlePath } = testInfo;
        // The first title is that of the file. A timeout of 0 is none.
        const tell = ofTest.record({
          framework: "Playwright",
          file,
          titles: titlePath.slice(1),
          ...(timeout > 0 && { timeoutMs: timeout }),
        });
        await use(ofTest.world);
        const hasFailed = testInfo.status !== testInfo.expectedStatus;
        const unmet = hasFailed ? undefined : await failureOf(checkWorld(ofTest.world, checks));
        const isGood = !hasFailed && unmet === undefined;
        tell(testInfo.status === "skipped" ? "skipped" : isGood ? "passed" : "failed");
        if (isGood) return ofTest.drop();
        const error = unmet ?? testInfo.errors[0];
        const { report, text } = await ofTest.recordFailure({
          framework: "Playwright",
          title: testInfo.titlePath.slice(1).join(" > "),
          file: testInfo.file,
          attempt: testInfo.retry + 1,
          error,
        });
        if (report !== undefined) {
          await testInfo.attach("usergroup-mock report", { path: report, contentType: "text/html" });
        }
        if (error !== undefined) addToError(error, text);
        if (unmet !== undefined) throw unmet;
      },
      // The program of a set-up uses the mock also where the test does not.
      { auto: isSetUp },
    ],
  });
}

/** The URL of the mock that the set-up has started for a worker. */
function urlOfWorker(urls: readonly string[], worker: number, workers: number): string {
  const url = urls[worker];
  if (url !== undefined && workers <= urls.length) return url;
  throw new Error(
    `Playwright uses ${workers} workers, and mockServers() starts mocks for ${urls.length}. An application under webServer is one process for all workers, so tests would disturb each other. Set workers: ${urls.length}, or start one mock and one application per worker: mockServers({ workers: ${workers} }).`,
  );
}

function failureOf(check: Promise<void>): Promise<Error | undefined> {
  return check.then(
    () => undefined,
    (error: Error) => error,
  );
}
