import { existsSync } from "node:fs";
import type { TestContext } from "vitest";
import type { AttemptResult } from "../run/report-test.js";
import { withText } from "./add-to-error.js";
import { requireVersion } from "./project.js";
import type { TestServer } from "./test-server.js";
import type { TestWorld } from "./test-world.js";

// Older versions have no fixtures of a worker.
requireVersion("vitest", "3.2", import.meta.url);

/** Gives a test its world, and prints its requests below its error if it fails. */
export async function followTask(
  server: TestServer,
  { task, onTestFinished }: Pick<TestContext, "task" | "onTestFinished">,
): Promise<TestWorld> {
  await server.start();
  const { errors = [], retryCount = 0 } = task.result ?? {};
  const { id: fileId, filepath: file } = task.file;
  // The id of the file depends on where vitest was started. What follows is the position of the test.
  const key = task.id.slice(fileId.length);
  const place = { framework: "vitest", root: vitestRoot(), file, titles: titlesOfTask(task), key } as const;
  const line = task.location?.line;
  const earlierErrors = errors.length;
  const hasFailed = () => (task.result?.errors?.length ?? 0) > earlierErrors;
  const attempt = retryCount + 1;
  const ofTest = await server.enter({ ...place, line, attempt, timeoutMs: task.timeout, hasFailed });
  // Not after `use`: vitest 3.2 does not come back to it when an afterEach hook fails.
  onTestFinished(async () => {
    server.leave(ofTest);
    const error = task.result?.errors?.[earlierErrors];
    const text = await ofTest.end(readResult(task), error);
    if (existsSync(ofTest.report)) task.meta.usergroupMockReport = ofTest.report;
    if (text === "" || error === undefined) return;
    // Not in the message, which vitest prints twice: in the list of tests, and with the diff in the list of failures.
    error.diff = [error.diff, text.trim()].filter(Boolean).join("\n\n");
    error.stack = withText(error.stack ?? "", text);
  });
  return ofTest;
}

/** The root of the project in a workspace. vitest does not pass it to a test, but stores its config here. */
export function vitestRoot(): string {
  const state: { config?: { root?: string } } | undefined = Reflect.get(globalThis, "__vitest_worker__");
  return state?.config?.root ?? process.cwd();
}

function titlesOfTask({ name, suite }: Pick<TestContext["task"], "name" | "suite">): string[] {
  return suite === undefined ? [name] : [...titlesOfTask(suite), name];
}

function readResult({ result, fails = false }: TestContext["task"]): AttemptResult {
  if (result?.state === "skip") return "skipped";
  return (result?.state === "fail") === fails ? "passed" : "failed";
}
