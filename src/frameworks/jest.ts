import type { World } from "../index.js";
import { followJestTests } from "./jest-hooks.js";
import type { TestOptions } from "./test-options.js";
import { mockOfFile } from "./test-server.js";

export type { TestOptions } from "./test-options.js";

/**
 * Starts one server for this file, and gives each test its own world: `mock` is the world of the test that runs. If a test
 * fails, its requests are printed below the error, and its report is saved in `usergroup-mock-report`. Call it once, at the top
 * of the file.
 *
 * @example
 * const { useMock } = require("usergroup-mock/jest");
 *
 * const mock = useMock();
 *
 * test("creates a group", async () => {
 *   await createUserGroup({ baseUrl: mock.url, apiToken: mock.apiToken });
 *   await mock.assertNoFailures();
 * });
 */
export function useMock(options: TestOptions = {}): World {
  return mockOfFile(options, followJestTests);
}
