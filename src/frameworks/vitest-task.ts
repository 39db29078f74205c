import { createRequire } from "node:module";
import type { TestContext } from "vitest";
import type { AttemptResult } from "../run/test-results.js";
import type { TestServer } from "./test-server.js";
import { rejectOtherVersions, type TestWorld } from "./test-world.js";

const { version } = createRequire(import.meta.url)("vitest/package.json");
rejectOtherVersions("vitest 3.2, 4 and 5", /^(3\.([2-9]|\d\d)|[45])\./, version);

/**
 * Gives a test its world, and prints its requests below its error if it fails.
 * @param elapsedMs of the timeout of the test
 */
export async function followTask(
  server: TestServer,
  { task, onTestFinished }: Pick<TestContext, "task" | "onTestFinished">,
  elapsedMs = 0,
): Promise<TestWorld> {
  const { id, file, timeout: timeoutMs } = task;
  const test = { framework: "vitest", file: file.filepath, titles: titlesOfTask(task), timeoutMs } as const;
  const ofTest = await server.enter(test, id, timeoutMs - elapsedMs);
  const earlierErrors = task.result?.errors?.length ?? 0;
  // Not after `use`: vitest 3.2 does not come back to it when an afterEach hook fails.
  onTestFinished(async () => {
    server.leave(ofTest);
    const { errors, retryCount = 0 } = task.result ?? {};
    const failure = await ofTest.end(readResult(task), errors?.[earlierErrors], retryCount + 1);
    if (failure?.report !== undefined) task.meta.usergroupMockReport = failure.report;
  });
  return ofTest;
}

function titlesOfTask({ name, suite }: Pick<TestContext["task"], "name" | "suite">): string[] {
  return suite === undefined ? [name] : [...titlesOfTask(suite), name];
}

function readResult({ result, fails = false }: TestContext["task"]): AttemptResult {
  if (result?.state === "skip") return "skipped";
  return (result?.state === "fail") === fails ? "passed" : "failed";
}
