import { followJestTests, jestGlobals } from "./jest-hooks.js";
import { requireVersion, rootOf } from "./project.js";
import { setUp } from "./test-server.js";

/** Jest has its hooks in `setupFilesAfterEnv`, and not yet in `setupFiles`. */
const { beforeEach, expect } = jestGlobals();
const hasHooks = typeof beforeEach === "function";
const testPath = hasHooks ? expect.getState().testPath : undefined;
const useSetupFiles =
  "It does not wait for a set-up in setupFilesAfterEnv. Move usergroup-mock/jest/setup to setupFiles, and call useMock() in every test file.";
if (hasHooks) requireVersion("jest", "30", testPath ?? "", useSetupFiles);

/** Jest calls the function that a CommonJS module exports, and waits for it. */
module.exports = async () => {
  const server = await setUp(rootOf(testPath));
  if (hasHooks) followJestTests(server);
};
