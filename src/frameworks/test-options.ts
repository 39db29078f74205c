import type { MockOptions, World } from "../index.js";

/** What is checked at the end of each test. */
export interface TestChecks {
  /**
   * Fails a test at its end if a fault that it armed did not fire as often as its `times` says.
   * @example true
   */
  assertFaultsFired?: boolean;
  /**
   * Fails a test at its end if a request of it failed. Responses that a fault broke on purpose do not count.
   * @example true
   */
  assertNoFailures?: boolean;
}

/**
 * Options of the framework entries: those of `startMock`, and what is checked at the end of each test.
 * @example { assertFaultsFired: true, assertNoFailures: true }
 */
export type TestOptions = MockOptions & TestChecks;

/** Splits the options of an entry. */
export function readTestOptions(given: TestOptions): {
  readonly server: MockOptions;
  readonly checks: TestChecks;
} {
  const { assertFaultsFired = false, assertNoFailures = false, ...server } = given;
  if (server.set !== undefined) {
    throw new Error(
      "set puts the URL of the world default into variables, and each test has a world of its own. Move set to usergroup-mock.config.json, and use the set-up of this framework.",
    );
  }
  return { server, checks: { assertFaultsFired, assertNoFailures } };
}

/** At the end of a test that has not failed otherwise: two errors for one cause would hide it. */
export async function checkWorld(
  world: World,
  { assertFaultsFired, assertNoFailures }: TestChecks,
): Promise<void> {
  if (assertNoFailures) await world.assertNoFailures();
  if (assertFaultsFired) await world.assertFaultsFired();
}
