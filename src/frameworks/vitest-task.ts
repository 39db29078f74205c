import type { TestContext } from "vitest";
import { addToError, type TestWorld } from "./test-world.js";

/** Prints the requests of a test below its error, if it fails. */
export function followTask(
  ofTest: TestWorld,
  task: TestContext["task"],
  onTestFinished: TestContext["onTestFinished"],
  leave: () => void = () => {},
): void {
  // Those of the attempts before this one.
  const earlier = task.result?.errors?.length ?? 0;
  // Not after `use`: vitest 3.2 does not come back to it when an afterEach hook fails.
  onTestFinished(async () => {
    leave();
    if (task.result?.state !== "fail") return ofTest.drop();
    const { report, text } = await ofTest.recordFailure();
    if (report !== undefined) task.meta.usergroupMockReport = report;
    for (const error of task.result.errors?.slice(earlier, earlier + 1) ?? []) addToError(error, text);
  });
}
