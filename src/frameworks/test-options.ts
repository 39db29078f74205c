import type { MockOptions, World } from "../index.js";

/**
 * What a test receives.
 * @example test("creates a group", async ({ mock }: MockFixtures) => {});
 */
export interface MockFixtures {
  /** A world for this test only. Pass its `url` and `apiToken` to the program under test. */
  mock: World;
}

/**
 * Options of the framework imports: those of `startMock`, and what is checked at the end of each test.
 * @example { assertFaultsFired: true, assertNoFailures: true }
 */
export interface TestOptions extends MockOptions {
  /**
   * Fails a test at its end if one of its faults did not fire as often as its `times`.
   * @example true
   */
  assertFaultsFired?: boolean;
  /**
   * Fails a test at its end if one of its requests failed. Responses that a fault broke on purpose do not count.
   * @example true
   */
  assertNoFailures?: boolean;
}

/** The options of the server, without the checks. */
export function readServerOptions(options: TestOptions): MockOptions {
  const { assertFaultsFired, assertNoFailures, ...server } = options;
  if (server.set !== undefined) {
    throw new Error(
      "set stores the URL of the default world in environment variables, but each test has its own world. Move set to usergroup-mock.config.json, and use the set-up of this framework.",
    );
  }
  return server;
}
