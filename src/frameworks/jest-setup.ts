import { followJestTests, jestGlobals, rootOfTest } from "./jest-hooks.js";
import { versionOf } from "./project.js";
import { setUp } from "./test-server.js";

/** Jest has its hooks in `setupFilesAfterEnv`, and not yet in `setupFiles`. */
const { beforeEach, expect } = jestGlobals();
const hasHooks = typeof beforeEach === "function";
const testPath = hasHooks ? expect.getState().testPath : undefined;
if (hasHooks && versionOf("jest", testPath ?? "")?.startsWith("29.")) {
  throw new Error(
    "Jest 29 does not wait for a set-up in setupFilesAfterEnv. Move usergroup-mock/jest/setup to setupFiles, and call useMock() in every test file. Or use Jest 30.",
  );
}

/** Jest calls the function that a CommonJS module exports, and waits for it. */
module.exports = async () => {
  const server = await setUp(rootOfTest(testPath));
  if (hasHooks) followJestTests(server);
};
