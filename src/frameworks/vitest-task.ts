import { relative } from "node:path";
import type { TestContext } from "vitest";
import type { AttemptResult } from "../run/report-test.js";
import { withText } from "./add-to-error.js";
import { repositoryOf, requireVersion } from "./project.js";
import type { TestServer } from "./test-server.js";
import type { TestWorld } from "./test-world.js";

// Older versions have no fixtures of a worker.
requireVersion("vitest", "3.2", import.meta.url);

/** Gives a test its world, and prints its requests below its error if it fails. */
export async function followTask(
  server: TestServer,
  { task, onTestFinished }: Pick<TestContext, "task" | "onTestFinished">,
): Promise<TestWorld> {
  const began = performance.now();
  await server.start();
  // The test has less time if it is the first one of its server.
  const timeoutMs = Math.ceil(task.timeout - (performance.now() - began));
  const { id: fileId, filepath: file } = task.file;
  const place = { root: vitestRoot(), file, titles: titlesOfTask(task) };
  // The id of the file depends on where vitest was started. What follows is the position of the test.
  const id = `${relative(repositoryOf(place.root), file)}${task.id.slice(fileId.length)}`;
  const earlierErrors = task.result?.errors?.length ?? 0;
  const hasFailed = () => (task.result?.errors?.length ?? 0) > earlierErrors;
  const ofTest = await server.enter({ framework: "vitest", ...place, timeoutMs, hasFailed }, id);
  // Not after `use`: vitest 3.2 does not come back to it when an afterEach hook fails.
  onTestFinished(async () => {
    server.leave(ofTest);
    const { errors, retryCount = 0 } = task.result ?? {};
    const error = errors?.[earlierErrors];
    const text = await ofTest.end(readResult(task), error, retryCount + 1);
    if (text === "" || error === undefined) return;
    // Not in the message, which vitest prints twice: in the list of tests, and with the diff in the list of failures.
    error.diff = [error.diff, text.trim()].filter(Boolean).join("\n\n");
    error.stack = withText(error.stack ?? "", error.message, text);
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
