import type { World } from "../index.js";
import { followNodeTests } from "./node-test-hooks.js";
import type { TestOptions } from "./test-options.js";
import { mockOfFile } from "./test-server.js";

export type { TestOptions } from "./test-options.js";

/**
 * Starts one server for this file, and gives each test its own world: `mock` is the world of the test that runs. Subtests
 * share the world of their test. If a test fails, its requests are printed below the error, and its report is saved in
 * `usergroup-mock-report`. Call it once, at the top of the file.
 *
 * @example
 * import { useMock } from "usergroup-mock/node-test";
 *
 * const mock = useMock();
 *
 * test("creates a group", async () => {
 *   await createUserGroup({ baseUrl: mock.url, apiToken: mock.apiToken });
 *   await mock.assertNoFailures();
 * });
 */
export function useMock(options: TestOptions = {}): World {
  return mockOfFile(options, followNodeTests);
}
