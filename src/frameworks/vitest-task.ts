import { createRequire } from "node:module";
import type { TestContext } from "vitest";
import type { AttemptResult } from "../run/test-results.js";
import { addToError, refuseOtherVersions, type TestWorld } from "./test-world.js";

const { version } = createRequire(import.meta.url)("vitest/package.json");
refuseOtherVersions("vitest 3.2, 4 and 5", /^(3\.([2-9]|\d\d)|[45])\./, version);

export type RunningTask = Pick<TestContext, "task" | "onTestFinished">;

/** Prints the requests of a test below its error, if it fails. */
export function followTask(
  ofTest: TestWorld,
  { task, onTestFinished }: RunningTask,
  leave: () => void = () => {},
): void {
  const titles = titlesOf(task);
  const { timeout: timeoutMs, file } = task;
  const tell = ofTest.record({ framework: "vitest", file: file.filepath, titles, timeoutMs });
  // Those of the attempts before this one.
  const earlier = task.result?.errors?.length ?? 0;
  // Not after `use`: vitest 3.2 does not come back to it when an afterEach hook fails.
  onTestFinished(async () => {
    leave();
    tell(attemptOf(task));
    if (task.result?.state !== "fail") return ofTest.drop();
    const error = task.result.errors?.[earlier];
    const { report, text } = await ofTest.recordFailure({
      framework: "vitest",
      title: titles.join(" > "),
      file: file.filepath,
      attempt: (task.result.retryCount ?? 0) + 1,
      error,
    });
    if (report !== undefined) task.meta.usergroupMockReport = report;
    if (error !== undefined) addToError(error, text);
  });
}

function titlesOf({
  name,
  suite,
}: {
  readonly name: string;
  readonly suite?: TestContext["task"]["suite"];
}): string[] {
  return suite === undefined ? [name] : [...titlesOf(suite), name];
}

function attemptOf({ result, fails = false }: TestContext["task"]): AttemptResult {
  if (result?.state === "skip") return "skipped";
  return (result?.state === "fail") === fails ? "passed" : "failed";
}
