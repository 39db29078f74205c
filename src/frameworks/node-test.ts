import type { World } from "../index.js";
import { followNodeTests } from "./node-test-hooks.js";
import { mockOfSetUp } from "./set-up.js";
import { readTestOptions, type TestOptions } from "./test-options.js";
import { TestServer } from "./test-server.js";

export type { TestOptions } from "./test-options.js";

/**
 * One server for this file, and a world of its own for every test: `mock` is the world of the test that runs. Subtests
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
  const { server: serverOptions, checks } = readTestOptions(options);
  const server = mockOfSetUp(serverOptions) ?? followNodeTests(new TestServer(serverOptions));
  server.checks = checks;
  return server.mock;
}
